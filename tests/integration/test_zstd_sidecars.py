"""FILE.zst as other tools make it: which are served, and what is said of those
that browsers would not decode.
"""

import gzip
import struct
from email import message_from_bytes

import pytest
import zstandard

import corpus
from codec_table import ZSTD
from corpus import MIB
from expectations import assert_encoded, assert_identity, assert_same
from strict_decode import decode

pytestmark = pytest.mark.codecs("zstd")

PAGE = corpus.text(20000)
LARGE = corpus.pages(9 * MIB)


def piped(data, exponent=11, mantissa=0):
    """A frame of a tool that reads a pipe: it tells the window and no length.

    The window is 2^(10 + exponent) and `mantissa` eighths more.
    """
    encoder = zstandard.ZstdCompressor().compressobj()
    frame = bytearray(encoder.compress(data) + encoder.flush())
    assert frame[4] == 0, "the window is not the next byte"
    frame[5] = exponent << 3 | mantissa
    return bytes(frame)


def one_segment(data):
    """A frame of a tool that knows the length: the window is as large."""
    frame = zstandard.ZstdCompressor(
        compression_params=zstandard.ZstdCompressionParameters.from_level(
            1, window_log=24, source_size=len(data)
        )
    ).compress(data)
    assert zstandard.get_frame_parameters(frame).window_size == len(data)
    return frame


def skippable(data, number=0):
    return struct.pack("<II", 0x184D2A50 + number, len(data)) + data


GOOD_FRAME = zstandard.compress(PAGE, 3)

# Content of the file, of its sidecar, and what the warning says.
NOT_ZSTD = "does not begin with a zstd frame"
TOO_WIDE = "window is larger than 8 MiB"
TOO_SHORT = "ends within its frame header"
BAD = {
    "text": (PAGE, PAGE, NOT_ZSTD),
    "gzip": (PAGE, gzip.compress(PAGE), NOT_ZSTD),
    "wrong magic": (PAGE, b"\x28\xb5\x2f\xfc" + GOOD_FRAME[4:], NOT_ZSTD),
    "magic of 0.7": (PAGE, b"\x27\xb5\x2f\xfd" + GOOD_FRAME[4:], NOT_ZSTD),
    "reserved bit": (PAGE, GOOD_FRAME[:4] + b"\x08" + GOOD_FRAME[5:], NOT_ZSTD),
    "skippable": (PAGE, skippable(b"who made it") + GOOD_FRAME, NOT_ZSTD),
    "skippable 15": (PAGE, skippable(b"", 15) + GOOD_FRAME, NOT_ZSTD),
    "dictionary": (PAGE, b"\x37\xa4\x30\xec" + GOOD_FRAME[4:], NOT_ZSTD),
    "empty": (PAGE, b"", TOO_SHORT),
    "one byte": (PAGE, GOOD_FRAME[:1], TOO_SHORT),
    "magic only": (PAGE, GOOD_FRAME[:4], TOO_SHORT),
    "half a header": (PAGE, GOOD_FRAME[:6], TOO_SHORT),
    "window of 9 MiB": (PAGE, piped(PAGE, 13, 1), TOO_WIDE),
    "window of 16 MiB": (PAGE, piped(PAGE, 14), TOO_WIDE),
    "window of 128 MiB": (PAGE, piped(PAGE, 17), TOO_WIDE),
    "largest window": (PAGE, piped(PAGE, 31, 7), TOO_WIDE),
    "one segment of 9 MiB": (LARGE, one_segment(LARGE), TOO_WIDE),
}

GOOD = {
    "usual": (PAGE, GOOD_FRAME),
    "of a pipe": (PAGE, piped(PAGE)),
    "window of 8 MiB": (PAGE, piped(PAGE, 13)),
    "one segment of 8 MiB": (LARGE[: 8 * MIB], one_segment(LARGE[: 8 * MIB])),
    "level 22": (PAGE, zstandard.compress(PAGE, 22)),
    "checksum": (
        PAGE,
        zstandard.ZstdCompressor(write_checksum=True).compress(PAGE),
    ),
    "of nothing": (b"", zstandard.compress(b"")),
    "9 MiB": (LARGE, zstandard.compress(LARGE, 1)),
}

# Directives beside `zstd_static on`, and the coding that is served instead.
FALLBACKS = [
    ("", "zstd, gzip", None),
    ("zstd on;", "zstd, gzip", "zstd"),
    ("gzip on;", "zstd, gzip", "gzip"),
    ("open_file_cache max=100;", "zstd", None),
]


def start(nginx, content, sidecar, lines="", mode="on"):
    return nginx(
        server=f"zstd_static {mode}; {lines}",
        files={"page.html": content, "page.html.zst": sidecar},
    )


def warnings(server):
    lines = server.error_log().splitlines()
    assert not [line for line in lines if "[error]" in line], lines
    return [line for line in lines if "[warn]" in line]


def assert_original(response, coding, original):
    if coding == "zstd":
        assert_encoded(ZSTD, response, original)
    elif coding == "gzip":
        assert response.header("content-encoding") == "gzip"
        assert_same(gzip.decompress(response.body), original)
    else:
        assert_identity(response, original)


@pytest.mark.parametrize("kind", BAD)
def test_bad_sidecar_is_passed_over(nginx, protocol, kind):
    original, sidecar, reason = BAD[kind]
    server = start(nginx, original, sidecar)
    for _ in range(3):
        response = server.fetch("/page.html", protocol, accept="zstd")
        assert response.status == 200
        assert_identity(response, original)
    (line,) = warnings(server)
    assert f'{server.html}/page.html.zst" is not served: ' in line
    assert reason in line


@pytest.mark.parametrize("lines, accept, coding", FALLBACKS)
def test_what_is_served_instead(nginx, protocol, lines, accept, coding):
    original, sidecar, _ = BAD["window of 128 MiB"]
    server = start(nginx, original, sidecar, lines)
    for _ in range(20):
        response = server.fetch("/page.html", protocol, accept=accept)
        assert_original(response, coding, original)
    assert len(warnings(server)) == 1


@pytest.mark.needs("http_gzip_static_module")
def test_the_next_sidecar_is_served_instead(nginx):
    original, sidecar, _ = BAD["window of 16 MiB"]
    server = nginx(
        server="zstd_static on; brotli_static on; gzip_static on;",
        files={
            "page.html": original,
            "page.html.zst": sidecar,
            "page.html.gz": gzip.compress(original),
        },
    )
    response = server.fetch("/page.html", accept="zstd, br, gzip")
    assert_original(response, "gzip", original)


def test_always_does_not_serve_a_bad_one(nginx):
    original, sidecar, _ = BAD["skippable"]
    server = start(nginx, original, sidecar, mode="always")
    for accept in (None, "zstd", "gzip"):
        assert_identity(server.fetch("/page.html", accept=accept), original)
    assert len(warnings(server)) == 1


def test_no_vary_for_a_bad_one(nginx):
    original, sidecar, _ = BAD["text"]
    server = start(nginx, original, sidecar, "compress_vary on;")
    for accept in (None, "zstd"):
        response = server.fetch("/page.html", accept=accept)
        assert response.header("vary") is None


@pytest.mark.parametrize("kind", GOOD)
def test_good_sidecar_is_served(nginx, protocol, kind):
    original, sidecar = GOOD[kind]
    server = start(nginx, original, sidecar)
    response = server.fetch("/page.html", protocol, accept="zstd")
    assert response.header("content-encoding") == "zstd"
    assert_same(response.body, sidecar)
    assert_same(decode(ZSTD, response.body), original)
    assert not warnings(server)


def test_sidecar_that_is_mended_is_served(nginx):
    """With what was said of it before, nothing of it is kept."""
    original, sidecar, _ = BAD["window of 16 MiB"]
    server = start(nginx, original, sidecar)
    assert_identity(server.fetch("/page.html", accept="zstd"), original)
    (server.html / "page.html.zst").write_bytes(GOOD_FRAME)
    assert server.fetch("/page.html", accept="zstd").body == GOOD_FRAME


RANGES = [
    ("bytes=0-0", slice(0, 1)),
    ("bytes=0-99", slice(0, 100)),
    ("bytes=5-17", slice(5, 18)),
    ("bytes=100-", slice(100, None)),
    ("bytes=-100", slice(-100, None)),
    ("bytes=0-999999", slice(None)),
]


def fetch_range(server, protocol, value):
    response = server.fetch(
        "/page.html", protocol, accept="zstd", headers={"Range": value}
    )
    assert response.status == 206 and response.complete, value
    assert response.header("content-encoding") == "zstd", value
    return response


@pytest.mark.parametrize("mode", ["on", "always"])
def test_ranges(nginx, protocol, mode):
    """Case 12."""
    server = start(nginx, PAGE, GOOD_FRAME, "zstd on;", mode)
    for value, part in RANGES:
        response = fetch_range(server, protocol, value)
        assert_same(response.body, GOOD_FRAME[part], value)
        total = response.header("content-range").rpartition("/")[2]
        assert int(total) == len(GOOD_FRAME), value
    response = server.fetch(
        "/page.html", protocol, accept="zstd", headers={"Range": "bytes=99999-"}
    )
    assert response.status == 416


def test_several_ranges_make_the_whole(nginx, protocol):
    server = start(nginx, PAGE, GOOD_FRAME)
    response = fetch_range(server, protocol, "bytes=0-99,100-4999,5000-")
    kind = response.header("content-type")
    message = message_from_bytes(
        f"Content-Type: {kind}\n\n".encode() + response.body
    )
    parts = [part.get_payload(decode=True) for part in message.get_payload()]
    assert len(parts) == 3
    assert_same(decode(ZSTD, b"".join(parts)), PAGE)
