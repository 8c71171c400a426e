"""Which responses are compressed at all (HTTP rule 2)."""

import pytest

import corpus
from executors import EXECUTORS, enable, main_for
from expectations import (
    assert_encoded,
    assert_identity,
    assert_not_smaller,
    assert_same,
)
from http1_client import Http1Connection
from scripted_upstream import (
    LAST_CHUNK,
    chunk,
    chunked_head,
    constant,
    response_head,
    whole_response,
)
from strict_decode import decode

BODY = corpus.text(20000)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_error_pages_at_every_level(nginx, codec, level, executor):
    """Case 2: a 404 and a 403 page, many on one connection."""
    server = nginx(
        main=main_for(executor),
        server=f"""
            {enable(codec, level, executor)}
            location /forbidden {{ deny all; }}
            location /own {{ return 404; error_page 404 /page.html; }}
            location = /page.html {{ internal; }}
        """,
        files={"page.html": BODY},
    )
    expected = {
        path: server.fetch(path).body
        for path in ("/absent", "/forbidden", "/own")
    }
    assert expected["/own"] == BODY
    with Http1Connection(server.http1_port, timeout=20) as connection:
        for path, original in list(expected.items()) * 5:
            connection.request(path, headers={"Accept-Encoding": codec.token})
            response = connection.response()
            assert response.complete, f"{path}: {response}"
            if response.header("content-encoding") is None:
                assert_not_smaller(codec, level, response, original, path)
                continue
            assert response.header("content-encoding") == codec.token, path
            assert_same(decode(codec, response.body), original, path)


@pytest.mark.parametrize(
    "status, has_body",
    [
        ("204 No Content", False),
        ("205 Reset Content", False),
        ("206 Partial Content", True),
        ("304 Not Modified", False),
    ],
)
def test_status_that_is_never_compressed(
    nginx, upstream, codec, protocol, status, has_body
):
    """Case 16: untouched, and no body invented."""
    headers = {"ETag": '"strong"'}
    if status.startswith("206"):
        headers["Content-Range"] = f"bytes 0-{len(BODY) - 1}/50000"
    if has_body or status.startswith("205"):
        headers["Content-Length"] = len(BODY) if has_body else 0
    body = BODY if has_body else b""
    origin = upstream(constant(response_head(headers, status) + body))
    server = nginx(
        server=f"{enable(codec)} location / {{ proxy_pass {origin.url}; }}"
    )
    response = server.fetch("/", protocol, accept=codec.token)
    assert response.status == int(status[:3])
    assert_identity(response, body)
    assert response.header("etag") == '"strong"'


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd", "x-other"])
def test_encoded_by_the_upstream_already(
    nginx, upstream, codec, protocol, coding
):
    """Case 16."""
    answer = whole_response(BODY, {"Content-Encoding": coding, "ETag": '"e"'})
    origin = upstream(constant(answer))
    server = nginx(
        server=f"{enable(codec)} location / {{ proxy_pass {origin.url}; }}"
    )
    response = server.fetch("/", protocol, accept=f"{codec.token}, {coding}")
    assert response.complete
    assert response.header("content-encoding") == coding
    assert response.header("etag") == '"e"'
    assert_same(response.body, BODY)


@pytest.mark.parametrize(
    "types, content_type, compressed",
    [
        ("text/css", "text/html", True),
        ("text/css", "Text/HTML; charset=utf-8", True),
        ("text/css", "text/css;charset=utf-8", True),
        ("text/css", "TEXT/CSS", True),
        ("text/css", "text/plain", False),
        ("text/css", "text/cssx", False),
        ("*", "application/x-anything", True),
        ("*", "image/png", True),
        ("application/json text/xml", "text/xml", True),
    ],
)
def test_types(nginx, upstream, codec, types, content_type, compressed):
    """Case 17: as gzip_types."""
    answer = whole_response(BODY, content_type=content_type)
    origin = upstream(constant(answer))
    server = nginx(
        server=f"""{enable(codec, types=types)}
            location / {{ proxy_pass {origin.url}; }}"""
    )
    response = server.fetch("/", accept=codec.token)
    if compressed:
        assert_encoded(codec, response, BODY)
    else:
        assert_identity(response, BODY)
    assert response.header("content-type") == content_type


def test_response_without_a_type(nginx, upstream, codec):
    origin = upstream(constant(whole_response(BODY, content_type=None)))
    for types in ("text/css", "*"):
        server = nginx(
            server=f"""{enable(codec, types=types)}
                location / {{ proxy_pass {origin.url}; }}"""
        )
        response = server.fetch("/", accept=codec.token)
        if response.header("content-encoding"):
            assert types == "*"
            assert_encoded(codec, response, BODY)
        else:
            assert_identity(response, BODY)


def test_autoindex_in_xml(nginx, codec):
    """Case 17."""
    files = {f"list/{n:04}.html": b"x" for n in range(100)}
    server = nginx(
        server=f"""{enable(codec, types="text/xml")}
            location /list/ {{ autoindex on; autoindex_format xml; }}""",
        files=files,
    )
    plain = server.fetch("/list/")
    assert plain.header("content-type").startswith("text/xml")
    response = server.fetch("/list/", accept=codec.token)
    assert_encoded(codec, response, plain.body)


@pytest.mark.parametrize(
    "length, compressed", [(99, False), (100, True), (500, True), (501, False)]
)
def test_length_limits(nginx, codec, length, compressed):
    """min_length and max_length are compared with the Content-Length."""
    server = nginx(
        server=f"""{enable(codec)}
            location /limited/ {{
                alias html/;
                {codec.prefix}_min_length 100;
                {codec.prefix}_max_length 500;
            }}""",
        files={"page.html": b"a" * length},
    )
    response = server.fetch("/limited/page.html", accept=codec.token)
    if compressed:
        assert_encoded(codec, response, b"a" * length)
    else:
        assert_identity(response, b"a" * length)


def test_default_min_length_is_20(nginx, codec):
    server = nginx(
        server=f"{codec.prefix} on;",
        files={"19.html": b"a" * 19, "20.html": b"a" * 20},
    )
    assert_identity(server.fetch("/19.html", accept=codec.token), b"a" * 19)
    response = server.fetch("/20.html", accept=codec.token)
    assert_encoded(codec, response, b"a" * 20)


def test_off_by_default(nginx, codec):
    server = nginx(files={"page.html": BODY})
    assert_identity(server.fetch("/page.html", accept=codec.token), BODY)


@pytest.mark.parametrize(
    "value, compressed", [("", True), ("0", True), ("1", False), ("x", False)]
)
def test_bypass(nginx, codec, value, compressed):
    server = nginx(
        server=f"{enable(codec)} {codec.prefix}_bypass $arg_first $arg_skip;",
        files={"page.html": BODY},
    )
    path = f"/page.html?skip={value}"
    response = server.fetch(path, accept=codec.token)
    if compressed:
        assert_encoded(codec, response, BODY)
    else:
        assert_identity(response, BODY)


def test_statuses(nginx, codec):
    server = nginx(
        server=f"""
            {enable(codec)}
            location /default {{ return 500 "{'a' * 1000}"; }}
            location /chosen {{
                compress_statuses 200 500; return 500 "{'a' * 1000}";
            }}
            location /left_out {{
                compress_statuses 200 500; return 404 "{'a' * 1000}";
            }}
        """,
    )
    for path, coding in (
        ("/default", None),
        ("/chosen", codec.token),
        ("/left_out", None),
    ):
        response = server.fetch(path, accept=codec.token)
        assert response.header("content-encoding") == coding, path


def test_statuses_are_inherited_until_they_are_set_again(nginx, codec):
    text = "a" * 1000
    server = nginx(
        http="compress_statuses 404;",
        server=f"""
            {enable(codec)}
            location /inherited {{ return 404 "{text}"; }}
            location /again {{ compress_statuses 418; return 418 "{text}"; }}
            location /others {{ compress_statuses 418; return 404 "{text}"; }}
        """,
    )
    for path, coding in (
        ("/inherited", codec.token),
        ("/again", codec.token),
        ("/others", None),
    ):
        response = server.fetch(path, accept=codec.token)
        assert response.header("content-encoding") == coding, path


def test_no_transform(nginx, upstream, codec):
    answer = whole_response(
        BODY, {"Cache-Control": "max-age=1, No-Transform"}
    )
    origin = upstream(constant(answer))
    server = nginx(
        server=f"""
            {enable(codec)}
            location /ignored {{ proxy_pass {origin.url}; }}
            location /honoured {{
                compress_no_transform on; proxy_pass {origin.url};
            }}
        """
    )
    assert_encoded(codec, server.fetch("/ignored", accept=codec.token), BODY)
    assert_identity(server.fetch("/honoured", accept=codec.token), BODY)


def test_no_transform_on_any_line_of_any_origin(nginx, upstream, codec):
    """Several lines of Cache-Control; lines of NGINX's own directives."""
    lines = b"Cache-Control: max-age=1\r\nCache-Control: no-transform\r\n"
    head = chunked_head().removesuffix(b"\r\n") + lines + b"\r\n"
    origin = upstream(constant(head + chunk(BODY) + LAST_CHUNK))
    server = nginx(
        server=f"""
            {enable(codec)} compress_no_transform on; proxy_http_version 1.1;
            location /lines {{ proxy_pass {origin.url}; }}
            location /own/ {{
                alias html/; expires 1h;
                add_header Cache-Control no-transform;
            }}
            location /other/ {{
                alias html/; add_header Cache-Control "no-transformation";
            }}
        """,
        files={"page.html": BODY},
    )
    for path in ("/lines", "/own/page.html"):
        assert_identity(server.fetch(path, accept=codec.token), BODY, path)
    response = server.fetch("/other/page.html", accept=codec.token)
    assert_encoded(codec, response, BODY)
