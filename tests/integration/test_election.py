"""Brotli, Zstandard and gzip in one location: which of them is elected.

What one codec makes of a header is in test_accept_encoding.py.
"""

import gzip
import re
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest

import corpus
from codec_table import BROTLI, CODECS, ZSTD
from election_table import PREFERENCES, ROWS
from executors import enable
from expectations import assert_same
from http_response import header_pairs
from nginx_server import Binary, NginxServer
from strict_decode import decode

pytestmark = [
    pytest.mark.codecs("br", "zstd"),
    pytest.mark.needs("http_gzip_static_module"),
]

BODY = corpus.text(20000)
SUFFIXES = {"gzip": ".gz", "br": ".br", "zstd": ".zst"}
ALL_ON = (enable(BROTLI), enable(ZSTD), "gzip on; gzip_types *;")
STATIC = "brotli_static on; zstd_static on; gzip_static on;"
MODES = {"dynamic": "".join(ALL_ON), "static": STATIC}

# "": the directive is not there.
TABLE = [("", *row) for row in ROWS] + PREFERENCES

# Which sidecars there are, what the client takes, where all is on: the coding,
# and whether it comes from a sidecar.
MISSING_SIDECARS = [
    (["br"], "zstd, br", "br", True),
    (["br"], "zstd, br;q=0.1", "br", True),
    (["br"], "zstd, gzip", "zstd", False),
    (["br"], "br;q=0, gzip", "gzip", False),
    (["gzip"], "zstd, br, gzip", "gzip", True),
    (["gzip"], "zstd, br", "zstd", False),
    (["zstd", "gzip"], "br, gzip;q=0.5, zstd;q=0.4", "gzip", True),
    (["zstd", "gzip"], "br, gzip;q=0.4, zstd;q=0.5", "zstd", True),
    (["zstd", "gzip"], "br", "br", False),
    ([], "gzip, br, zstd", "zstd", False),
    (["zstd", "br", "gzip"], "deflate", None, False),
]


def sidecar_content(coding):
    """Sidecars hold texts of their own, so that none passes for another."""
    return b"sidecar of %b " % coding.encode() + BODY


def sidecars(name, codings):
    for coding in codings:
        content = sidecar_content(coding)
        codec = CODECS.get(coding)
        yield name + SUFFIXES[coding], (
            codec.compress(content, codec.fast_level)
            if codec
            else gzip.compress(content)
        )


def subset_name(codings):
    return f"only-{'-'.join(codings)}.html"


def folder(prefer, mode):
    return f"/{prefer.replace(' ', '-') or 'default'}/{mode}/"


def locations():
    for prefer in sorted({row[0] for row in TABLE}):
        line = f"compress_prefer {prefer};" if prefer else ""
        for mode, directives in MODES.items():
            yield f"""location {folder(prefer, mode)} {{
                alias html/; {line} {directives} }}"""
    yield f"location /both/ {{ alias html/; {STATIC} {MODES['dynamic']} }}"
    for number, order in enumerate(permutations(ALL_ON)):
        yield f"""location /order{number}/ {{
            alias html/; {" ".join(order)} }}"""


def documents():
    files = {"page.html": BODY}
    files.update(sidecars("page.html", SUFFIXES))
    for codings, *_ in MISSING_SIDECARS:
        files[subset_name(codings)] = BODY
        files.update(sidecars(subset_name(codings), codings))
    return files


def start(factory):
    return factory(
        http="large_client_header_buffers 8 16k;",
        server="".join(locations()),
        files=documents(),
    )


@pytest.fixture(scope="module")
def server(shared_nginx):
    return start(shared_nginx)


def accept_lines(accept):
    values = accept if isinstance(accept, tuple) else (accept,)
    return header_pairs([("accept-encoding", value) for value in values])


def assert_coding(response, coding, content, about):
    about = f"{about}: {response}"
    assert response.status == 200 and response.complete, about
    assert response.header("content-encoding") == coding, about
    body = response.body
    if coding == "gzip":
        body = gzip.decompress(body)
    elif coding:
        body = decode(CODECS[coding], body)
    assert_same(body, content, about)


def check_rows(server, rows, protocol="http1"):
    for prefer, accept, coding in rows:
        for mode in MODES:
            response = server.fetch(
                f"{folder(prefer, mode)}page.html",
                protocol,
                headers=accept_lines(accept),
            )
            from_sidecar = mode == "static" and coding
            content = sidecar_content(coding) if from_sidecar else BODY
            about = f"{mode}, prefer {prefer!r}, {str(accept)[:200]!r}"
            assert_coding(response, coding, content, about)


@pytest.mark.smoke
def test_election(server, protocol):
    assert len(TABLE) >= 60
    check_rows(server, TABLE, protocol)


def test_sidecars_go_before_compression_on_the_fly(server, protocol):
    for codings, accept, coding, from_sidecar in MISSING_SIDECARS:
        response = server.fetch(
            f"/both/{subset_name(codings)}", protocol, accept=accept
        )
        content = sidecar_content(coding) if from_sidecar else BODY
        assert_coding(response, coding, content, f"{codings}, {accept}")


# What the client takes, and what it gets where gzip_static is `always`.
GZIP_ALWAYS = [
    ("gzip, br;q=0.5", "gzip"),
    ("gzip;q=0.5, br", "br"),
    ("gzip, br", "br"),
    ("br", "br"),
    ("gzip;q=0, br;q=0.1", "br"),
    ("gzip;q=0", "gzip"),  # as it says
    (None, "gzip"),
]


def test_gzip_static_always_takes_part(nginx):
    server = nginx(
        server="zstd_static on; brotli_static on; gzip_static always;",
        files={"page.html": BODY, **dict(sidecars("page.html", SUFFIXES))},
    )
    for accept, coding in GZIP_ALWAYS:
        response = server.fetch("/page.html", accept=accept)
        assert_coding(response, coding, sidecar_content(coding), str(accept))


@pytest.mark.parametrize("prefer, coding", [("br", "br"), ("zstd", "zstd")])
def test_what_is_always_served_is_what_is_preferred(nginx, prefer, coding):
    server = nginx(
        server=f"""
            compress_prefer {prefer};
            brotli_static always; zstd_static always;""",
        files={"page.html": BODY, **dict(sidecars("page.html", SUFFIXES))},
    )
    for accept in (None, "deflate"):
        response = server.fetch("/page.html", accept=accept)
        assert_coding(response, coding, sidecar_content(coding), str(accept))


@pytest.mark.parametrize("codings", [["zstd", "gzip"], ["br", "gzip"]])
def test_all_variants_of_a_file_have_the_same_vary(nginx, codings):
    """A cache that got the one of gzip must not take it for all clients."""
    name = subset_name(codings)
    server = nginx(
        server=f"compress_vary on; gzip_vary off; {STATIC}",
        files={name: BODY, **dict(sidecars(name, codings))},
    )
    for accept in ("gzip", *codings, "deflate", None, "gzip, zstd;q=0, br;q=0"):
        response = server.fetch(f"/{name}", accept=accept)
        assert response.header("vary") == "Accept-Encoding", accept


def test_order_of_the_directives_does_not_matter(server):
    for _, accept, coding in TABLE[:20]:
        for number, _ in enumerate(permutations(ALL_ON)):
            response = server.fetch(
                f"/order{number}/page.html", headers=accept_lines(accept)
            )
            about = f"order {number}, {accept!r}"
            assert_coding(response, coding, BODY, about)


def other_filter_modules(binary):
    """Given by --module behind ours, or installed next to NGINX."""
    arguments = " ".join(binary.configure_arguments)
    found = re.search(r"--modules-path=(\S+)", arguments)
    installed = [
        Path(found[1]) / f"ngx_http_{name}_filter_module.so"
        for name in ("image", "xslt")
        if found
    ]
    present = [str(path) for path in installed if path.exists()]
    return [*binary.modules[1:], *present]


@pytest.mark.parametrize("ours", ["first", "last"])
def test_order_of_load_module_does_not_matter(binary, ours):
    others = other_filter_modules(binary)
    if not others:
        pytest.skip("no other dynamic filter module is installed")
    modules = [binary.modules[0], *others]
    if ours == "last":
        modules.reverse()
    reordered = Binary(binary.path, modules, binary.environment)
    server = start(partial(NginxServer, reordered))
    try:
        check_rows(server, TABLE)
    finally:
        server.stop()


# Directives beside `brotli on; zstd on`, what the client takes,
# $compress_coding and $compress_reason: that of the codec that came furthest
# in the checks.
REASONS = [
    ("", "br, zstd", "zstd", "-"),
    ("", "br", "br", "-"),
    ("", None, "-", "no_accept_encoding"),
    ("", "deflate", "-", "not_acceptable"),
    ("brotli off; zstd off;", "br, zstd", "-", "off"),
    ("zstd off;", "br, zstd", "br", "-"),
    ("zstd off;", "zstd", "-", "not_acceptable"),
    ("zstd off; brotli_types text/css;", "br, zstd", "-", "type"),
    ("zstd_types text/css; brotli_bypass 1;", "br, zstd", "-", "bypass"),
    ("brotli_types text/css; zstd_bypass 1;", "br, zstd", "-", "bypass"),
    ("zstd_min_length 1m; brotli_max_length 1;", "zstd", "-", "too_long"),
    ("brotli_min_length 1m; zstd_max_length 1;", "br", "-", "too_long"),
    ("zstd_min_length 1m; brotli_types text/css;", "br", "-", "too_short"),
    ("zstd_bypass 1;", "zstd, br;q=0.1", "br", "-"),
    ("zstd_bypass 1;", "zstd", "-", "not_acceptable"),
    ("zstd_bypass 1;", None, "-", "no_accept_encoding"),
    ("gzip on;", "br;q=0.5, zstd;q=0.5, gzip", "-", "gzip"),
    ("gzip on; compress_prefer gzip;", "br, zstd, gzip", "-", "gzip"),
    ("gzip on; zstd_bypass 1;", "zstd, gzip;q=0.1", "-", "gzip"),
    ("zstd_static on;", "br;q=0.5, zstd", "zstd", "-"),
    ("zstd_static on;", "br, zstd;q=0.5", "zstd", "-"),  # before on the fly
    ("zstd_static on; brotli_bypass 1; zstd off;", "br", "-", "bypass"),
]


def test_coding_and_reason_with_both_codecs(nginx):
    places = "".join(
        f"location /row{number}/ {{ alias html/; {lines} }}"
        for number, (lines, *_) in enumerate(REASONS)
    )
    server = nginx(
        http="log_format tested '$uri $compress_coding $compress_reason';",
        server=f"""
            access_log tested.log tested;
            gzip_types *; brotli on; brotli_types text/plain;
            zstd on; zstd_types text/plain; {places}
        """,
        files={"page.txt": BODY, **dict(sidecars("page.txt", ["zstd"]))},
    )
    expected = []
    for number, (_, accept, coding, reason) in enumerate(REASONS):
        server.fetch(f"/row{number}/page.txt", accept=accept)
        expected.append(f"/row{number}/page.txt {coding} {reason}")
    assert server.log_lines("tested.log", len(expected)) == expected
