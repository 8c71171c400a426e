"""Sidecars: FILE.br and the like (HTTP rule 4)."""

import gzip

import pytest

import corpus
from codec_table import CODECS
from expectations import assert_identity, assert_same
from strict_decode import decode

PAGE = corpus.text(20000)


def sidecar(codec, content=PAGE):
    return codec.compress(content, codec.fast_level)


def static_server(
    nginx,
    codec,
    server="",
    files=None,
    mode="on",
    vary="gzip_vary on",
    **config,
):
    everything = {
        "page.html": PAGE,
        f"page.html{codec.suffix}": sidecar(codec),
        "alone.html": PAGE,
        **(files or {}),
    }
    return nginx(
        server=f"{codec.prefix}_static {mode}; {vary}; {server}",
        files=everything,
        **config,
    )


def assert_sidecar(codec, response, content=PAGE, where=""):
    about = f"{where}: {response}"
    assert response.status == 200 and response.complete, about
    assert response.header("content-encoding") == codec.token, about
    assert response.header("content-length") == str(len(response.body)), about
    assert_same(decode(codec, response.body), content, about)


@pytest.mark.smoke
def test_sidecar_or_original(nginx, codec, protocol):
    server = static_server(nginx, codec)
    response = server.fetch("/page.html", protocol, accept=codec.token)
    assert_sidecar(codec, response)
    assert response.header("content-type") == "text/html"
    for accept in ("gzip", None, f"{codec.token};q=0"):
        response = server.fetch("/page.html", protocol, accept=accept)
        assert_identity(response, PAGE, str(accept))
    response = server.fetch("/alone.html", protocol, accept=codec.token)
    assert_identity(response, PAGE)


def test_always(nginx, codec):
    server = static_server(nginx, codec, mode="always")
    for accept in (codec.token, "gzip", None):
        assert_sidecar(codec, server.fetch("/page.html", accept=accept))
    assert_identity(server.fetch("/alone.html"), PAGE)


def test_head(nginx, codec, protocol):
    server = static_server(nginx, codec)
    get, head = (
        server.fetch("/page.html", protocol, method=method, accept=codec.token)
        for method in ("GET", "HEAD")
    )
    assert head.body == b""
    assert [pair for pair in head.headers if pair[0] != "date"] == [
        pair for pair in get.headers if pair[0] != "date"
    ]


def test_other_methods_fall_through(nginx, codec):
    server = static_server(nginx, codec)
    response = server.fetch("/page.html", method="POST", accept=codec.token)
    assert response.status == 405
    assert response.header("content-encoding") is None


def test_not_compressed_again(nginx, codec):
    server = static_server(nginx, codec, f"{codec.prefix} on; gzip on;")
    for accept in (codec.token, f"gzip, {codec.token}"):
        response = server.fetch("/page.html", accept=accept)
        assert_sidecar(codec, response, where=accept)


@pytest.mark.parametrize("mode", ["on", "always"])
def test_ranges(nginx, codec, protocol, mode):
    """Case 12."""
    server = static_server(nginx, codec, mode=mode)
    data = sidecar(codec)
    whole = server.fetch("/page.html", protocol, accept=codec.token)
    assert whole.header("accept-ranges") == "bytes"
    wanted = {"Range": "bytes=0-99"}
    part = server.fetch(
        "/page.html", protocol, accept=codec.token, headers=wanted
    )
    assert part.status == 206
    assert part.header("content-range") == f"bytes 0-99/{len(data)}"
    assert part.header("content-encoding") == codec.token
    assert part.body == data[:100]


def test_if_range(nginx, codec):
    """Case 12: with the sidecar's ETag, which is not the original's."""
    server = static_server(nginx, codec)
    own = server.fetch("/page.html", accept=codec.token).header("etag")
    other = server.fetch("/page.html").header("etag")
    assert own != other
    for etag, status in ((own, 206), (other, 200)):
        response = server.fetch(
            "/page.html",
            accept=codec.token,
            headers={"Range": "bytes=0-99", "If-Range": etag},
        )
        assert response.status == status, etag


def test_conditional_requests(nginx, codec):
    server = static_server(nginx, codec)
    etag = server.fetch("/page.html", accept=codec.token).header("etag")
    response = server.fetch(
        "/page.html", accept=codec.token, headers={"If-None-Match": etag}
    )
    assert response.status == 304


def test_gzip_when_there_is_no_sidecar(nginx, codec, protocol):
    """Case 11."""
    server = static_server(nginx, codec, "gzip on; gzip_min_length 1;")
    for accept in ("gzip", f"gzip, {codec.token}"):
        response = server.fetch("/alone.html", protocol, accept=accept)
        assert response.header("content-encoding") == "gzip", accept
        assert gzip.decompress(response.body) == PAGE


def test_gzip_for_a_client_that_does_not_take_the_sidecar(nginx, codec):
    """Case 11."""
    server = static_server(nginx, codec, "gzip on; gzip_min_length 1;")
    response = server.fetch("/page.html", accept="gzip")
    assert response.header("content-encoding") == "gzip"
    assert gzip.decompress(response.body) == PAGE


@pytest.mark.parametrize(
    "vary", ["gzip_vary on", "gzip_vary off; compress_vary on"]
)
def test_vary_only_where_a_variant_can_be_chosen(nginx, codec, protocol, vary):
    """Case 13."""
    server = static_server(nginx, codec, vary=vary, files={"image.png": PAGE})
    for accept in (codec.token, None):
        for path, expected in (
            ("/page.html", "Accept-Encoding"),
            ("/alone.html", None),
            ("/image.png", None),
        ):
            response = server.fetch(path, protocol, accept=accept)
            assert response.header("vary") == expected, (path, accept)


def test_no_vary_when_it_is_off(nginx, codec):
    server = static_server(nginx, codec, vary="gzip_vary on; compress_vary off")
    for accept in (codec.token, None):
        response = server.fetch("/page.html", accept=accept)
        assert response.header("vary") is None, accept


@pytest.mark.parametrize("server_lines", ["", "open_file_cache max=100;"])
def test_sidecar_is_a_directory(nginx, codec, server_lines):
    """Case 14."""
    server = static_server(
        nginx,
        codec,
        server_lines,
        files={f"alone.html{codec.suffix}/inside": b""},
    )
    assert_falls_through(server, codec)


@pytest.mark.parametrize("server_lines", ["", "open_file_cache max=100;"])
def test_sidecar_is_a_broken_link(nginx, codec, server_lines):
    """Case 14: a link to itself cannot be opened even by root."""
    server = static_server(nginx, codec, server_lines)
    link = server.html / f"alone.html{codec.suffix}"
    link.symlink_to(link)
    assert_falls_through(server, codec)


@pytest.mark.parametrize("server_lines", ["", "open_file_cache max=100;"])
def test_sidecar_is_not_readable(nginx, codec, server_lines):
    """Case 14."""
    server = static_server(nginx, codec, server_lines, user="nobody")
    path = server.html / f"alone.html{codec.suffix}"
    path.write_bytes(sidecar(codec))
    path.chmod(0)
    assert_falls_through(server, codec)


@pytest.mark.parametrize(
    "server_lines",
    [
        "disable_symlinks on from=$document_root;",
        "disable_symlinks on from=$document_root; open_file_cache max=100;",
        "disable_symlinks if_not_owner;",
    ],
)
def test_disable_symlinks(nginx, codec, server_lines):
    """Case 14: real sidecars are served; forbidden links fall through."""
    server = static_server(nginx, codec, server_lines)
    assert_sidecar(codec, server.fetch("/page.html", accept=codec.token))
    if "if_not_owner" not in server_lines:
        link = server.html / f"alone.html{codec.suffix}"
        link.symlink_to(server.html / f"page.html{codec.suffix}")
        assert_falls_through(server, codec)


def assert_falls_through(server, codec):
    for turn in range(100):
        response = server.fetch("/alone.html", accept=codec.token)
        assert response.status == 200, f"request {turn}: {response}"
        assert_identity(response, PAGE, f"request {turn}")
    lines = server.error_log().splitlines()
    errors = [line for line in lines if "[error]" in line or "[crit]" in line]
    assert len(errors) <= 1, "\n".join(errors[:5])


def test_open_file_cache(nginx, codec):
    """Case 14: stable with a cache in front."""
    server = static_server(
        nginx, codec, "open_file_cache max=100; open_file_cache_errors on;"
    )
    for turn in range(100):
        response = server.fetch("/page.html", accept=codec.token)
        assert_sidecar(codec, response, where=f"request {turn}")
        assert_identity(server.fetch("/page.html"), PAGE)
        response = server.fetch("/alone.html", accept=codec.token)
        assert_identity(response, PAGE, f"request {turn}")


def test_empty_sidecar(nginx, codec, protocol):
    files = {"empty.html": b"", f"empty.html{codec.suffix}": b""}
    server = static_server(nginx, codec, files=files)
    response = server.fetch("/empty.html", protocol, accept=codec.token)
    assert response.status == 200 and response.complete
    assert response.body == b""


@pytest.mark.needs("http_gzip_static_module")
def test_several_sidecars(nginx, codec):
    """The same election as on the fly."""
    rivals = [other for other in CODECS.values() if other is not codec]
    server = static_server(
        nginx,
        codec,
        "gzip_static on;"
        + "".join(f"{other.prefix}_static on;" for other in rivals),
        files={"page.html.gz": gzip.compress(PAGE)},
    )
    for accept, expected in (
        ("gzip", "gzip"),
        (codec.token, codec.token),
        (f"gzip, {codec.token}", codec.token),
        (f"gzip;q=0.5, {codec.token}", codec.token),
        (f"gzip;q=1, {codec.token};q=0.5", "gzip"),
        (f"gzip;q=0, {codec.token};q=0.5", codec.token),
    ):
        response = server.fetch("/page.html", accept=accept)
        assert response.header("content-encoding") == expected, accept


@pytest.mark.needs("http_gzip_static_module")
def test_missing_sidecar_falls_through_to_the_next_coding(nginx, codec):
    server = static_server(
        nginx,
        codec,
        "gzip_static on;",
        files={"alone.html.gz": gzip.compress(PAGE)},
    )
    accept = f"{codec.token}, gzip"
    response = server.fetch("/alone.html", accept=accept)
    assert response.header("content-encoding") == "gzip"
