"""Case 21: several encoders work on one response, or many on many."""

import random

import pytest

import corpus
from corpus import KIB, MIB
from crowd import run_concurrently
from executors import enable
from expectations import (
    assert_encoded,
    assert_encoded_if_smaller,
    assert_identity,
)
from scripted_upstream import chunk, chunked_head, whole_response
from scripted_upstream import LAST_CHUNK

pytestmark = pytest.mark.needs("threads")

LARGE = corpus.mixed(5 * MIB)
THREADS = 4
SEGMENT = 64 * KIB


def parallel(codec, level=None, tasks=4, segment="64k"):
    return f"""
        {enable(codec, level, "pool")}
        {codec.prefix}_parallel_tasks {tasks};
        {codec.prefix}_parallel_segment_size {segment};
    """


def serve_large(connection):
    if connection.path.startswith("/sized"):
        connection.send(whole_response(LARGE))
        return
    connection.send(chunked_head())
    for start in range(0, len(LARGE), 300000):
        connection.send(chunk(LARGE[start : start + 300000]))
    connection.send(LAST_CHUNK)


@pytest.fixture
def main():
    return f"thread_pool compressors threads={THREADS};"


@pytest.mark.parametrize("source", ["file", "sized", "chunked", "unbuffered"])
def test_large_response_is_one_stream(
    nginx, upstream, codec, protocol, source, main
):
    """assert_encoded refuses a second stream and any byte after the first."""
    origin = upstream(serve_large)
    server = nginx(
        main=main,
        server=f"""
            {parallel(codec)}
            output_buffers 2 512k;
            proxy_http_version 1.1; proxy_buffers 16 64k;
            location /sized {{ proxy_pass {origin.url}; }}
            location /chunked {{ proxy_pass {origin.url}; }}
            location /unbuffered {{
                proxy_pass {origin.url}; proxy_buffering off;
            }}
        """,
        files={"file": LARGE},
    )
    for _ in range(2):
        response = server.fetch(f"/{source}", protocol, accept=codec.token)
        assert_encoded(codec, response, LARGE)


@pytest.mark.smoke
@pytest.mark.parametrize("tasks", [1, 2, 4, 1024])
def test_sizes_around_the_segment(nginx, codec, protocol, main, tasks):
    sizes = [
        count * SEGMENT + offset
        for count in (1, 2, 4, 5)
        for offset in (-1, 0, 1)
    ]
    server = nginx(
        main=main,
        server=f"{parallel(codec, 9, tasks)} output_buffers 1 1m;",
        files={f"{size}.html": corpus.text(size) for size in sizes},
    )
    for size in sizes:
        path = f"/{size}.html"
        response = server.fetch(path, protocol, accept=codec.token)
        assert_encoded(codec, response, corpus.text(size), path)


def test_every_level(nginx, codec, level, main):
    body = corpus.pages(MIB + 1)
    server = nginx(
        main=main,
        server=f"{parallel(codec, level)} output_buffers 1 1m;",
        files={"page.html": body},
    )
    response = server.fetch("/page.html", accept=codec.token)
    assert_encoded(codec, response, body)


def test_flushes_inside_segments(nginx, upstream, codec, main):
    body = corpus.mixed(700 * KIB)

    def script(connection):
        rng = random.Random(21)
        connection.send(chunked_head())
        at = 0
        while at < len(body):
            size = rng.choice((1, 100, 10000, SEGMENT, 3 * SEGMENT))
            connection.send(chunk(body[at : at + size]))
            at += size
            connection.pause(rng.choice((0, 0, 0.01)))
        connection.send(LAST_CHUNK)

    origin = upstream(script)
    server = nginx(
        main=main,
        server=f"""{parallel(codec, 9)} proxy_http_version 1.1;
            location / {{ proxy_pass {origin.url}; proxy_buffering off; }}""",
    )
    response = server.fetch("/", accept=codec.token)
    assert_encoded(codec, response, body)


@pytest.mark.smoke
def test_crowd_of_mixed_requests(nginx, codec, main):
    """32 connections, 500 responses; each decodes to its own original."""
    sizes = [1000, 10000, 60000, 200000, MIB]
    bodies = {f"{size}.html": corpus.mixed(size, seed=size) for size in sizes}
    levels = [codec.levels[0], codec.levels[1], codec.fast_level, 9]
    server = nginx(
        main=main,
        server="\n".join(
            f"location /{level}/ {{ alias html/; {parallel(codec, level)} }}"
            for level in levels
        )
        + f"location /loop/ {{ alias html/; {enable(codec)} }}",
        files=bodies,
    )
    rng = random.Random(32)
    plan = [
        (
            rng.choice([*levels, "loop"]),
            rng.choices(list(bodies), weights=[8, 8, 4, 2, 1])[0],
            rng.choice(("http1", "http2")),
            rng.random() < 0.9,
        )
        for _ in range(500)
    ]

    def exchange(item):
        place, name, protocol, compressed = item
        accept = codec.token if compressed else None
        response = server.fetch(f"/{place}/{name}", protocol, accept=accept)
        if compressed:
            level = codec.fast_level if place == "loop" else place
            assert_encoded_if_smaller(
                codec, level, response, bodies[name], str(item)
            )
        else:
            assert_identity(response, bodies[name], str(item))

    run_concurrently(exchange, plan, clients=32)
