"""Every level x size x source x executor x protocol decodes to the original.

All locations of one executor live in one server, so that one worker runs
every level in turn and recycled encoders are part of the test.
"""

import pytest

import corpus
from conftest import chosen_codecs
from corpus import MIB
from executors import EXECUTORS, enable, main_for
from expectations import (
    assert_encoded,
    assert_encoded_if_smaller,
    assert_identity,
)
from scripted_upstream import chunk, chunked_head, whole_response
from scripted_upstream import LAST_CHUNK

SIZES = (0, 1, 19, 20, 21, 4095, 4096, 4097, 65535, 65536, 65537)
SIZES += (131071, 131072, 131073, MIB - 1, MIB, MIB + 1, 5 * MIB)

KINDS = {"mixed": corpus.mixed, "pages": corpus.pages}

SOURCES = {
    "file": "alias html/;",
    "proxied": "proxy_pass {upstream}/sized/;",
    "unbuffered": "proxy_pass {upstream}/chunked/; proxy_buffering off;",
}

ETAG = '"strong"'


def serve_corpus(connection):
    """/sized/KIND/SIZE.html or /chunked/KIND/SIZE.html"""
    _, framing, kind, name = connection.path.split("/")
    body = KINDS[kind](int(name.partition(".")[0]))
    headers = {"ETag": ETAG, "Accept-Ranges": "bytes"}
    if framing == "sized":
        connection.send(whole_response(body, headers))
        return
    connection.send(chunked_head(headers))
    for start in range(0, len(body), 50000):
        connection.send(chunk(body[start : start + 50000]))
    connection.send(LAST_CHUNK)


def locations(codecs, executor, upstream_url):
    return "\n".join(
        f"location /{codec.token}/{level}/{source}/ {{"
        f" {enable(codec, level, executor)} proxy_http_version 1.1;"
        f" {handler.format(upstream=upstream_url)} }}"
        for codec in codecs
        for level in codec.levels
        for source, handler in SOURCES.items()
    )


@pytest.fixture(scope="module")
def shared_files():
    return {
        f"{kind}/{size}.html": make(size)
        for kind, make in KINDS.items()
        for size in SIZES
    }


@pytest.fixture(scope="module", params=EXECUTORS)
def server(request, shared_nginx, shared_upstream, shared_files):
    upstream = shared_upstream(serve_corpus)
    codecs = chosen_codecs(request.config)
    return shared_nginx(
        main=main_for(request.param),
        server=locations(codecs, request.param, upstream.url),
        files=shared_files,
    )


def check(response, codec, level, source, original, where):
    unknown_length = source == "unbuffered"
    if not original:
        if not (unknown_length and response.header("content-encoding")):
            assert_identity(response, b"", where)
            return
    if unknown_length:
        assert_encoded(codec, response, original, where)
    else:
        assert_encoded_if_smaller(codec, level, response, original, where)


@pytest.mark.parametrize("source", SOURCES)
def test_every_size(server, codec, level, source, protocol):
    kind = "pages" if level >= codec.slow_from else "mixed"
    for size in SIZES:
        path = f"/{codec.token}/{level}/{source}/{kind}/{size}.html"
        response = server.fetch(path, protocol, accept=codec.token)
        check(response, codec, level, source, KINDS[kind](size), path)


@pytest.mark.smoke
def test_sample_of_sizes(server, codec, protocol):
    """One level per kind of encoder, few sizes: the part of the matrix that
    is affordable under sanitizers."""
    for level in {codec.levels[0], codec.levels[1], codec.fast_level, 9}:
        for source in SOURCES:
            for size in (0, 1, 21, 4097, 65537, MIB + 1):
                path = f"/{codec.token}/{level}/{source}/mixed/{size}.html"
                response = server.fetch(path, protocol, accept=codec.token)
                original = corpus.mixed(size)
                check(response, codec, level, source, original, path)
