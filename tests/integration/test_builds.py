"""NGINX built without what others take for granted (case 27)."""

import pytest

import corpus
from executors import enable
from expectations import assert_encoded, assert_identity
from nginx_server import check_config

BODY = corpus.text(100000)


@pytest.fixture
def without_threads(binary):
    if binary.has("--with-threads"):
        pytest.skip("nginx was built with threads")


@pytest.fixture
def without_gzip(binary):
    if not binary.has("--without-http_gzip_module"):
        pytest.skip("nginx was built with gzip")


@pytest.mark.no_threads
@pytest.mark.usefixtures("without_threads")
def test_works_without_threads(nginx, codec, protocol):
    server = nginx(
        server=f"{enable(codec)} {codec.prefix}_thread_pool off;",
        files={"page.html": BODY},
    )
    response = server.fetch("/page.html", protocol, accept=codec.token)
    assert_encoded(codec, response, BODY)


@pytest.mark.no_threads
@pytest.mark.usefixtures("without_threads")
def test_pool_without_threads_is_a_clear_error(binary, codec):
    line = f"{codec.prefix}_thread_pool compressors;"
    status, output = check_config(binary, http=line)
    assert status != 0
    assert f"{codec.prefix}_thread_pool" in output
    assert "--with-threads" in output


@pytest.mark.no_gzip
@pytest.mark.usefixtures("without_gzip")
def test_works_without_gzip(nginx, codec, protocol):
    server = nginx(server=enable(codec), files={"page.html": BODY})
    for accept in (codec.token, f"gzip, {codec.token};q=0.5"):
        response = server.fetch("/page.html", protocol, accept=accept)
        assert_encoded(codec, response, BODY, accept)
    for accept in ("gzip", None):
        response = server.fetch("/page.html", protocol, accept=accept)
        assert_identity(response, BODY, str(accept))


@pytest.mark.no_gzip
@pytest.mark.usefixtures("without_gzip")
def test_sidecar_without_gzip(nginx, codec, protocol):
    data = codec.compress(BODY, codec.fast_level)
    server = nginx(
        server=f"{codec.prefix}_static on;",
        files={"page.html": BODY, f"page.html{codec.suffix}": data},
    )
    response = server.fetch("/page.html", protocol, accept=codec.token)
    assert response.header("content-encoding") == codec.token
    assert response.body == data
    assert_identity(server.fetch("/page.html", protocol), BODY)


@pytest.mark.no_gzip
@pytest.mark.usefixtures("without_gzip")
def test_vary_without_gzip(nginx, codec):
    server = nginx(
        server=f"{enable(codec)} compress_vary on;", files={"page.html": BODY}
    )
    response = server.fetch("/page.html", accept=codec.token)
    assert response.header("vary") == "Accept-Encoding"
    assert server.fetch("/page.html").header("vary") == "Accept-Encoding"


@pytest.mark.no_gzip
@pytest.mark.usefixtures("without_gzip")
def test_vary_of_a_sidecar_without_gzip(nginx, codec, protocol):
    server = nginx(
        server=f"compress_vary on; {codec.prefix}_static on;",
        files={"page.html": BODY, f"page.html{codec.suffix}": b"any"},
    )
    for accept in (codec.token, None):
        response = server.fetch("/page.html", protocol, accept=accept)
        assert response.header("vary") == "Accept-Encoding", accept
