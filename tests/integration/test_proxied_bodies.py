"""Bodies from an upstream in every cut (cases 4, 5, 8, 9)."""

import random

import pytest

import corpus
from corpus import KIB, MIB
from executors import EXECUTORS, enable, main_for
from expectations import assert_encoded, assert_identity
from http1_client import Http1Connection
from scripted_upstream import (
    LAST_CHUNK,
    chunk,
    chunked_head,
    constant,
    response_head,
    whole_response,
)

BODY = corpus.mixed(MIB)


@pytest.fixture(params=EXECUTORS)
def executor(request):
    return request.param


def proxy_server(nginx, codec, executor, script, lines="", level=None):
    """/buffered and /unbuffered lead to the script."""
    return nginx(
        main=main_for(executor),
        server=f"""
            {enable(codec, level, executor)}
            {lines}
            proxy_http_version 1.1;
            location /buffered {{ proxy_pass {script.url}; }}
            location /unbuffered {{
                proxy_pass {script.url}; proxy_buffering off;
            }}
        """,
    )


PATHS = ("/buffered", "/unbuffered")


@pytest.mark.smoke
def test_many_chunks_and_few_small_buffers(
    nginx, upstream, codec, executor, protocol
):
    """Case 4: 300 chunks of random size, and of one byte."""

    def script(connection):
        rng = random.Random(4)
        connection.send(chunked_head())
        at = 0
        for turn in range(300):
            size = 1 if turn % 3 == 0 else rng.randrange(1, 6000)
            connection.send(chunk(BODY[at : at + size]))
            at += size
        connection.send(chunk(BODY[at:]) + LAST_CHUNK)

    server = proxy_server(
        nginx,
        codec,
        executor,
        upstream(script),
        f"{codec.prefix}_buffers 2 4k;",
    )
    for path in PATHS:
        response = server.fetch(path, protocol, accept=codec.token)
        assert_encoded(codec, response, BODY, path)


@pytest.mark.parametrize("size", [0, 1, 100, 4096, 60000])
def test_data_and_end_at_once(nginx, upstream, codec, executor, size):
    """Case 5: head, data and end arrive in one piece, so that the last data
    is flushed and is the end as well."""
    body = corpus.text(size)
    framed = chunk(body) + LAST_CHUNK if body else LAST_CHUNK
    answers = (
        ("sized", whole_response(body)),
        ("chunked", chunked_head() + framed),
        ("closed", response_head({"Connection": "close"}) + body),
    )
    for name, answer in answers:
        origin = upstream(constant(answer))
        server = proxy_server(nginx, codec, executor, origin)
        for path in PATHS:
            response = server.fetch(path, accept=codec.token, timeout=20)
            if response.header("content-encoding"):
                assert_encoded(codec, response, body, name + path)
            else:
                assert size <= 1, f"{name}{path}: {response}"
                assert_identity(response, body, name + path)


@pytest.mark.parametrize("piece", [1, 100, 64 * KIB])
def test_unbuffered_in_writes_of(
    nginx, upstream, codec, executor, protocol, piece
):
    """Case 8: 1 MB; every arrival is flushed to the client."""
    body = BODY if piece > 1 else BODY[: 256 * KIB]

    def script(connection):
        connection.send(response_head({"Content-Length": len(body)}))
        connection.send_in_pieces(body, piece)

    server = proxy_server(nginx, codec, executor, upstream(script))
    for path in PATHS:
        response = server.fetch(path, protocol, accept=codec.token)
        assert_encoded(codec, response, body, path)


def test_flush_at_every_level(nginx, upstream, codec, level, executor):
    body = corpus.mixed(100 * KIB)

    def script(connection):
        connection.send(response_head({"Content-Length": len(body)}))
        for start in range(0, len(body), 10000):
            connection.send(body[start : start + 10000])
            connection.pause(0.005)

    server = proxy_server(
        nginx, codec, executor, upstream(script), level=level
    )
    response = server.fetch("/unbuffered", accept=codec.token)
    assert_encoded(codec, response, body)


@pytest.mark.parametrize("size", [0, 1])
def test_bodies_of_none_and_one_byte(
    nginx, upstream, codec, level, protocol, size
):
    """Case 9: from a file, `return 200` and an upstream, twice each."""
    body = b"x" * size
    origin = upstream(constant(whole_response(body)))
    server = nginx(
        server=f"""
            {enable(codec, level)}
            location /returned {{ return 200 "{body.decode()}"; }}
            location /proxied {{ proxy_pass {origin.url}; }}
            location /unbuffered {{
                proxy_pass {origin.url}; proxy_buffering off;
            }}
        """,
        files={"file.html": body},
    )
    for path in ("/file.html", "/returned", "/proxied", "/unbuffered") * 2:
        response = server.fetch(path, protocol, accept=codec.token, timeout=20)
        if size and response.header("content-encoding"):
            assert_encoded(codec, response, body, path)
        else:
            assert_identity(response, body, path)


def test_head_through_a_proxy(nginx, upstream, codec, executor, protocol):
    def script(connection):
        head = response_head({"Content-Length": len(BODY)})
        connection.send(head if connection.method == "HEAD" else head + BODY)

    server = proxy_server(nginx, codec, executor, upstream(script))
    for path in PATHS:
        head = server.fetch(path, protocol, method="HEAD", accept=codec.token)
        assert head.complete and head.body == b"", path
        assert head.header("content-encoding") == codec.token, path
        response = server.fetch(path, protocol, accept=codec.token)
        assert_encoded(codec, response, BODY, path)


@pytest.mark.parametrize("buffers", ["1 1k", "2 4k", "32 4k", "16 8k", "1 1m"])
def test_output_buffers_of_any_shape(
    nginx, upstream, codec, executor, buffers
):
    server = proxy_server(
        nginx,
        codec,
        executor,
        upstream(constant(whole_response(BODY))),
        f"{codec.prefix}_buffers {buffers};",
    )
    for path in PATHS:
        response = server.fetch(path, accept=codec.token)
        assert_encoded(codec, response, BODY, path)


def test_http_1_0_client(nginx, upstream, codec, executor):
    """No chunks there: the end of the connection ends the body."""
    script = upstream(constant(whole_response(BODY)))
    server = proxy_server(nginx, codec, executor, script)
    for path in PATHS:
        with Http1Connection(server.http1_port) as connection:
            connection.request(
                path, headers={"Accept-Encoding": codec.token}, version="1.0"
            )
            response = connection.response()
        if response.header("content-encoding"):
            assert_encoded(codec, response, BODY, path)
        else:
            assert_identity(response, BODY, path)
