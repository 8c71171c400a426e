"""Headers of responses that are compressed on the fly (HTTP rule 3)."""

import pytest

import corpus
from executors import enable
from expectations import assert_encoded, assert_identity
from scripted_upstream import constant, whole_response

BODY = corpus.text(200000)


@pytest.fixture
def server(nginx, codec):
    return nginx(
        http="gzip_vary on;",
        server=f"{enable(codec, types='text/css')}",
        files={"page.html": BODY, "page.txt": BODY},
    )


@pytest.mark.smoke
def test_what_changes_and_what_stays(server, codec, protocol):
    plain = server.fetch("/page.html", protocol)
    response = server.fetch("/page.html", protocol, accept=codec.token)
    assert_encoded(codec, response, BODY)
    assert plain.header("accept-ranges") == "bytes"
    assert response.header("etag") == "W/" + plain.header("etag")
    for name in ("last-modified", "content-type", "server"):
        assert response.header(name) == plain.header(name)


def test_head_has_the_headers_of_get(server, codec, protocol):
    volatile = ("date", "content-length", "transfer-encoding")

    def headers(method):
        response = server.fetch(
            "/page.html", protocol, method=method, accept=codec.token
        )
        assert response.complete
        if method == "HEAD":
            assert response.body == b""
        return sorted(
            pair for pair in response.headers if pair[0] not in volatile
        )

    assert headers("HEAD") == headers("GET")
    assert ("content-encoding", codec.token) in headers("HEAD")


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
def test_if_none_match(server, codec, protocol, form):
    """Case 15: the strong and the weak form give 304."""
    etag = server.fetch("/page.html").header("etag")
    response = server.fetch(
        "/page.html",
        protocol,
        accept=codec.token,
        headers={"If-None-Match": form.format(etag)},
    )
    assert response.status == 304
    assert response.header("content-encoding") is None
    assert response.body == b""


def test_if_none_match_from_a_cache(nginx, upstream, codec, protocol):
    """Case 15."""
    origin = upstream(constant(whole_response(BODY, {"ETag": '"e"'})))
    server = nginx(
        http="proxy_cache_path cache keys_zone=zone:1m;",
        server=f"""{enable(codec)} location / {{
            proxy_cache zone; proxy_cache_valid any 1m;
            proxy_pass {origin.url}; }}""",
    )
    first = server.fetch("/", protocol, accept=codec.token)
    assert_encoded(codec, first, BODY)
    assert first.header("etag") == 'W/"e"'
    for etag in ('"e"', 'W/"e"'):
        response = server.fetch(
            "/", protocol, accept=codec.token, headers={"If-None-Match": etag}
        )
        assert response.status == 304, etag
        assert response.header("content-encoding") is None


def test_if_modified_since(server, codec):
    when = server.fetch("/page.html").header("last-modified")
    response = server.fetch(
        "/page.html", accept=codec.token, headers={"If-Modified-Since": when}
    )
    assert response.status == 304
    assert response.header("content-encoding") is None


def test_range_of_a_compressed_response(server, codec, protocol):
    """The whole, as with gzip: the parts of a coding made on the fly do not
    stay the same."""
    response = server.fetch(
        "/page.html",
        protocol,
        accept=codec.token,
        headers={"Range": "bytes=100-199"},
    )
    assert_encoded(codec, response, BODY)


def test_range_without_the_coding(server):
    response = server.fetch("/page.html", headers={"Range": "bytes=100-199"})
    assert response.status == 206
    assert_identity(response, BODY[100:200])


def test_vary_on_what_was_negotiated(server, codec, protocol):
    """Also when this client was served the original."""
    for accept in (codec.token, "identity", None):
        response = server.fetch("/page.html", protocol, accept=accept)
        assert response.header("vary") == "Accept-Encoding", accept
    response = server.fetch("/page.txt", protocol, accept=codec.token)
    assert response.header("vary") is None


def test_no_vary_without_gzip_vary(nginx, codec):
    server = nginx(server=enable(codec), files={"page.html": BODY})
    response = server.fetch("/page.html", accept=codec.token)
    assert_encoded(codec, response, BODY)
    assert response.header("vary") is None


@pytest.mark.parametrize(
    "gzip_vary, compress_vary, expected",
    [
        ("off", "on", "Accept-Encoding"),
        ("on", "off", None),
        ("on", "on", "Accept-Encoding"),
        ("off", "off", None),
    ],
)
def test_compress_vary(
    nginx, codec, protocol, gzip_vary, compress_vary, expected
):
    server = nginx(
        http=f"gzip_vary {gzip_vary};",
        server=f"compress_vary {compress_vary}; {enable(codec)}",
        files={"page.html": BODY},
    )
    for accept in (codec.token, None):
        response = server.fetch("/page.html", protocol, accept=accept)
        assert response.header("vary") == expected, accept


VARY_LINES = [
    ("Accept-Encoding", ["Accept-Encoding"]),
    ("Cookie, accept-encoding", ["Cookie, accept-encoding"]),
    ("*", ["*"]),
    ("Cookie", ["Cookie", "Accept-Encoding"]),
]


@pytest.mark.parametrize("gzip_vary", ["on", "off"])
@pytest.mark.parametrize("sent, expected", VARY_LINES)
def test_vary_is_not_repeated(
    nginx, upstream, codec, gzip_vary, sent, expected
):
    origin = upstream(constant(whole_response(BODY, {"Vary": sent})))
    server = nginx(
        http=f"gzip_vary {gzip_vary}; compress_vary on;",
        server=f"""
            {enable(codec)}
            location / {{ proxy_pass {origin.url}; }}
            location /own/ {{ alias html/; add_header Vary "{sent}"; }}
        """,
        files={"page.html": BODY},
    )
    for path in ("/", "/own/page.html"):
        for accept in (codec.token, None):
            response = server.fetch(path, accept=accept)
            # NGINX's line comes before those of others, ours after them.
            assert sorted(response.all("vary")) == sorted(expected), path


@pytest.mark.parametrize("gzip_vary", ["on", "off"])
def test_vary_next_to_gzip(nginx, codec, gzip_vary):
    """gzip flags the response as well, when it is asked after this module."""
    server = nginx(
        http=f"gzip_vary {gzip_vary}; compress_vary on;",
        server=f"{enable(codec)} gzip on; gzip_types *; gzip_min_length 1;",
        files={"page.html": BODY},
    )
    for accept in (codec.token, "gzip", f"gzip, {codec.token};q=0.5", None):
        response = server.fetch("/page.html", accept=accept)
        assert response.header("vary") == "Accept-Encoding", accept


@pytest.mark.parametrize(
    "directive, expected",
    [
        ("", 'W/"e"'),
        ("compress_etag weak;", 'W/"e"'),
        ("compress_etag keep;", '"e"'),
        ("compress_etag strip;", None),
    ],
)
def test_compress_etag(nginx, upstream, codec, directive, expected):
    origin = upstream(constant(whole_response(BODY, {"ETag": '"e"'})))
    server = nginx(
        server=f"""{enable(codec)} {directive}
            location / {{ proxy_pass {origin.url}; }}"""
    )
    response = server.fetch("/", accept=codec.token)
    assert response.header("content-encoding") == codec.token
    assert response.header("etag") == expected


@pytest.mark.parametrize(
    "directive, expected",
    [
        ("weak", None),
        ("keep", "no-tag"),
        ("strip", None),
    ],
)
def test_etag_that_is_none(nginx, upstream, codec, directive, expected):
    origin = upstream(constant(whole_response(BODY, {"ETag": "no-tag"})))
    server = nginx(
        server=f"""{enable(codec)} compress_etag {directive};
            location / {{ proxy_pass {origin.url}; }}"""
    )
    response = server.fetch("/", accept=codec.token)
    assert response.header("content-encoding") == codec.token
    assert response.header("etag") == expected
    assert server.fetch("/").header("etag") == "no-tag"


def test_etag_that_is_weak_already(nginx, upstream, codec):
    origin = upstream(constant(whole_response(BODY, {"ETag": 'W/"e"'})))
    server = nginx(
        server=f"{enable(codec)} location / {{ proxy_pass {origin.url}; }}"
    )
    response = server.fetch("/", accept=codec.token)
    assert_encoded(codec, response, BODY)
    assert response.header("etag") == 'W/"e"'
