"""What a client sends, and the coding it must get where br, zstd and gzip are
all to be had, by HTTP rule 1.
"""

# A header is a value, or a tuple of the values of several header lines.
# Expected: None for a response without a coding.
ROWS = [
    # What browsers and tools send.
    ("gzip, deflate, br, zstd", "zstd"),
    ("gzip, deflate, br", "br"),
    ("gzip, deflate", "gzip"),
    ("deflate, gzip, br, zstd", "zstd"),
    ("br;q=1.0, gzip;q=0.8, *;q=0.1", "br"),
    ("zstd", "zstd"),
    ("br", "br"),
    ("gzip", "gzip"),
    # Weights.
    ("gzip;q=1, br;q=0.5, zstd;q=0.1", "gzip"),
    ("zstd;q=0.1, br;q=0.5, gzip;q=1", "gzip"),
    ("zstd;q=0.5, br;q=0.501", "br"),
    ("br;q=0.999, zstd;q=0.998, gzip;q=0.997", "br"),
    ("zstd;q=0.9, gzip, br", "br"),
    ("zstd;q=0.9, br;q=0.9, gzip", "gzip"),
    ("gzip;q=0.9, zstd;q=0.9, br;q=0.9", "zstd"),
    ("gzip;q=0.9, br;q=0.9, zstd;q=0.8", "br"),
    ("br;q=1, zstd;q=1.000", "zstd"),
    ("br;q=0.7, zstd;q=0.70", "zstd"),
    ("zstd;q=0.001, br;q=0", "zstd"),
    # Weight 0.
    ("zstd;q=0, br", "br"),
    ("br, zstd;q=0.0", "br"),
    ("zstd;q=0.000, br;q=0., gzip;q=0.1", "gzip"),
    ("zstd;Q=0, br;q=0.1", "br"),
    ("zstd;q=0, br;q=0, gzip;q=0", None),
    ("gzip;q=0, br;q=0.001", "br"),
    # Malformed weights.
    ("zstd;q=x, br;q=0.1", "br"),
    ("zstd;q=, br;q=0.1", "br"),
    ("zstd;q, br;q=0.1", "br"),
    ("zstd;q=2, br;q=0.1", "br"),
    ("zstd;q=1.001, br;q=0.1", "br"),
    ("zstd;q=0.9999, gzip;q=0.1", "gzip"),
    ("zstd;q=-1, br;q=0.1", "br"),
    ("zstd;q=.5, br;q=0.1", "br"),
    ("zstd;q=0.5.5, br;q=0.1", "br"),
    ("zstd;q=1e0, br;q=0.1", "br"),
    ('zstd;q="1", br;q=0.1', "br"),
    ("zstd;q =1, br;q=0.1", "br"),
    ("zstd;q= 1, br;q=0.1", "br"),
    ("zstd;q=1;q=0.5, br;q=0.1", "br"),
    ("gzip;q=1.1, br;q=0.1", "br"),
    ("zstd;q=x, br;q=x, gzip;q=x", None),
    # White space and empty members.
    ("zstd ;q=0.5 , br ; q=0.6", "br"),
    ("\tzstd\t;\tq=0.5\t,\tbr\t;\tq=0.6", "br"),
    ("gzip,\tbr", "br"),
    (",,\t,zstd,, ,", "zstd"),
    ("zstd;,br;q=0.9", "zstd"),
    ("zstd;;q=0.4,br;q=0.5", "br"),
    ("zs td, b r", None),
    (", ,", None),
    ("", None),
    (" \t", None),
    # Case.
    ("ZSTD", "zstd"),
    ("Br;Q=0.9, zStD;q=0.8", "br"),
    ("GZIP;Q=0.9, BR;Q=0.8", "gzip"),
    # `*` selects nothing, and forbids nothing that is named.
    ("*", None),
    ("*;q=1", None),
    ("*;q=0", None),
    ("*, br;q=0.1", "br"),
    ("gzip;q=0.2, *", "gzip"),
    ("br, *;q=0", "br"),
    ("zstd;q=0, *", None),
    # identity: no candidate, whatever its weight.
    ("identity", None),
    ("identity;q=0", None),
    ("identity;q=0, *", None),
    ("identity;q=1, br;q=0.5", "br"),
    ("zstd;q=0, identity;q=0.1, br;q=0.01", "br"),
    # Codings that are others' names, or nobody's.
    ("zstdx, brx, gzipx", None),
    ("x-zstd, brotli, x-gzip", None),
    ("zst, bro, gz", None),
    ("dcb, dcz, pack200-gzip, exi, aes128gcm", None),
    ("dcz;q=1, br;q=0.5", "br"),
    # Parameters.
    ("zstd;level=19, br", "zstd"),
    ("zstd;level=19;q=0.1, br;q=0.2", "br"),
    ("zstd;q=0.1;level=19, br;q=0.2", "br"),
    ("br;level=1;q=0", None),
    ("zstd;qq=0, br", "zstd"),
    ('gzip;x="a, br"', None),  # NGINX's gzip refuses the parameter
    ('deflate;x="a, zstd", br', "br"),
    ('zstd;x="a;q=0", br', "zstd"),
    ('br;x="\\", zstd", gzip;q=0.5', "br"),
    ('br;x="never closed, zstd', "br"),
    ('br;q=0, deflate;x="gzip"', None),
    # The same coding more than once: the highest, unless one says never.
    ("zstd;q=0.5, br;q=0.7, zstd;q=0.9", "zstd"),
    ("br;q=0.1, gzip;q=0.2, br;q=0.3", "br"),
    ("zstd, br;q=0.5, zstd;q=0", "br"),
    ("zstd;q=0, zstd, br;q=0.1", "br"),
    ("br;q=x, br, gzip;q=0.1", "gzip"),
    # Several header lines form one list.
    (("zstd;q=0.5", "br"), "br"),
    (("gzip", "br", "zstd"), "zstd"),
    (("identity", "", "br"), "br"),
    (("zstd", "zstd;q=0", "br;q=0.2"), "br"),
    (("gzip", "br;q=0.9"), "gzip"),
    # NGINX's gzip looks at the first line only, so it would not compress.
    (("br;q=0.9", "gzip"), "br"),
    ((), None),
    # Very long ones.
    (", ".join(f"x{i};q=0.{i}" for i in range(400)) + ", br;q=0.1", "br"),
    ("zstd;q=0.1, " * 600 + "br;q=0.2", "br"),
    ("," * 7000 + "zstd", "zstd"),
    ("zstd" + ";a=b" * 1700 + ";q=0.5, br;q=0.6", "br"),
    ("x" * 7000 + ", br", "br"),
    (("deflate, " * 700,) * 3 + ("gzip;q=0.5, br;q=0.4",), "br"),
]

PREFERENCES = [
    ("br", "zstd, gzip, br", "br"),
    ("br", "zstd;q=1, br;q=0.9", "zstd"),
    ("br", "gzip, zstd", "zstd"),  # those not named: as by default
    ("gzip", "zstd, br, gzip", "gzip"),
    ("gzip", "br, zstd", "zstd"),
    ("gzip br", "zstd, br, gzip;q=0.5", "br"),
    ("gzip br", "zstd;q=0.5, br;q=0.5, gzip;q=0.5", "gzip"),
    ("br gzip zstd", "zstd, gzip", "gzip"),
    ("br gzip zstd", "zstd, gzip, br;q=0.5", "gzip"),
    ("br gzip zstd", "zstd, gzip;q=0.9", "zstd"),
    ("gzip zstd", "br, zstd, gzip", "gzip"),
    ("gzip zstd", "br, zstd", "zstd"),
]
