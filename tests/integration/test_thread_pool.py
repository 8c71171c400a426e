"""Thread pools of every kind: full, shared with file reading, absent."""

import gzip
import time

import pytest

import corpus
from corpus import KIB, MIB
from crowd import run_concurrently
from executors import enable
from expectations import assert_encoded, assert_identity
from http1_client import Http1Connection
from http_response import SlowReader
from scripted_upstream import constant, whole_response

pytestmark = pytest.mark.needs("threads")

LARGE = corpus.mixed(2 * MIB)


def problem_lines(server):
    return [
        line
        for line in server.error_log().splitlines()
        if any(f"[{level}]" in line for level in ("warn", "error"))
    ]


@pytest.mark.parametrize("threads, queue", [(1, 1), (2, 4)])
def test_full_queue(nginx, codec, threads, queue):
    """Case 26: 50 concurrent large responses are all valid; one log line."""
    body = corpus.text(600 * KIB)
    server = nginx(
        main=f"thread_pool tight threads={threads} max_queue={queue};",
        server=f"""{enable(codec, 9)} {codec.prefix}_thread_pool tight;
            output_buffers 2 256k;""",
        files={"page.html": body},
    )

    def exchange(turn):
        protocol = ("http1", "http2")[turn % 2]
        response = server.fetch("/page.html", protocol, accept=codec.token)
        if response.header("content-encoding"):
            assert_encoded(codec, response, body)
        else:
            assert_identity(response, body)

    run_concurrently(exchange, range(50), clients=50)
    lines = problem_lines(server)
    assert len(lines) <= 1, f"{len(lines)} lines, first:\n" + lines[0]


def test_the_shortest_queue_takes_the_count_of_threads(nginx, codec):
    """Starting a worker must not overflow a queue that users made short."""
    server = nginx(
        main="thread_pool compressors threads=1 max_queue=1;",
        server=enable(codec, executor="pool"),
        files={"page.html": corpus.text(MIB)},
    )
    response = server.fetch("/page.html", accept=codec.token)
    assert_encoded(codec, response, corpus.text(MIB))
    time.sleep(0.3)
    assert "overflow" not in server.error_log()


def test_waiting_for_a_thread_is_not_the_fault_of_the_client(nginx, codec):
    """Its turn may come later than send_timeout, which is about the client."""
    body = corpus.text(MIB)
    server = nginx(
        main="thread_pool compressors threads=1;",
        server=f"""
            send_timeout 1s;
            {enable(codec, codec.slow_level, executor="pool")}
        """,
        files={"page.html": body},
    )

    def exchange(turn):
        protocol = ("http1", "http2")[turn % 2]
        response = server.fetch("/page.html", protocol, accept=codec.token)
        assert_encoded(codec, response, body)

    run_concurrently(exchange, range(10), clients=10)


FILE_READING = {
    "threads": "aio threads; sendfile on;",
    "threads, no sendfile": "aio threads; sendfile off;",
    "threads of the same pool": "aio threads=compressors;",
    "directio": "directio 4k; directio_alignment 512;",
    "directio and threads": "aio threads; directio 64k; output_buffers 2 32k;",
    "sendfile": "sendfile on; sendfile_max_chunk 16k; tcp_nopush on;",
    "read ahead": "sendfile on; read_ahead 128k; postpone_output 8k;",
}


@pytest.mark.smoke
@pytest.mark.parametrize("reading", FILE_READING)
def test_ways_of_reading_a_file(nginx, codec, protocol, reading):
    server = nginx(
        main="thread_pool compressors threads=2;",
        server=f"""
            {FILE_READING[reading]}
            location /pool/ {{
                alias html/; {enable(codec, executor="pool")}
            }}
            location /loop/ {{ alias html/; {enable(codec)} }}
        """,
        files={"page.html": LARGE},
    )
    for path in ("/pool/page.html", "/loop/page.html"):
        response = server.fetch(path, protocol, accept=codec.token)
        assert_encoded(codec, response, LARGE, path)


def test_sidecar_read_by_threads(nginx, codec, protocol):
    server = nginx(
        server=f"aio threads; sendfile on; {codec.prefix}_static on;",
        files={
            "page.html": LARGE,
            f"page.html{codec.suffix}": codec.compress(LARGE, 1),
        },
    )
    response = server.fetch("/page.html", protocol, accept=codec.token)
    assert response.complete
    assert response.body == codec.compress(LARGE, 1)


def test_proxied_through_a_temporary_file(nginx, upstream, codec, protocol):
    """The client is slower than the upstream; buffers come from a file."""
    origin = upstream(constant(whole_response(LARGE)))
    server = nginx(
        main="thread_pool compressors threads=2;",
        server=f"""
            {enable(codec, executor="pool")}
            {codec.prefix}_buffers 2 8k;
            aio threads; aio_write on; sendfile on;
            proxy_buffers 4 4k; proxy_busy_buffers_size 8k;
            location / {{ proxy_pass {origin.url}; }}
        """,
        listen="sndbuf=32k",
    )
    response = server.fetch(
        "/",
        protocol,
        accept=codec.token,
        pace=SlowReader(bytes_per_second=200 * KIB, seconds=1),
    )
    assert_encoded(codec, response, LARGE)


def test_pool_and_gzip_in_one_location(nginx, codec):
    """Case 28."""
    server = nginx(
        main="thread_pool compressors threads=2;",
        server=f"""{enable(codec, executor="pool")}
            gzip on; gzip_types *; aio threads;""",
        files={"page.html": LARGE},
    )

    def exchange(turn):
        accept = ("gzip", codec.token)[turn % 2]
        response = server.fetch("/page.html", accept=accept)
        if accept == "gzip":
            assert response.complete
            assert gzip.decompress(response.body) == LARGE
        else:
            assert_encoded(codec, response, LARGE)

    run_concurrently(exchange, range(20), clients=10)


def test_pool_off_in_a_location(nginx, codec):
    server = nginx(
        main="thread_pool compressors threads=2;",
        http=f"{codec.prefix}_thread_pool compressors;",
        server=f"""
            {enable(codec)}
            location /off/ {{ alias html/; {codec.prefix}_thread_pool off; }}
        """,
        files={"page.html": LARGE},
    )
    for path in ("/page.html", "/off/page.html"):
        response = server.fetch(path, accept=codec.token)
        assert_encoded(codec, response, LARGE, path)


@pytest.mark.parametrize("workers", [2])
def test_several_workers(nginx, codec, workers):
    server = nginx(
        workers=workers,
        main="thread_pool compressors threads=2;",
        server=enable(codec, executor="pool"),
        files={"page.html": LARGE},
    )

    def exchange(_):
        response = server.fetch("/page.html", accept=codec.token)
        assert_encoded(codec, response, LARGE)

    run_concurrently(exchange, range(20), clients=10)


def test_many_requests_on_one_connection(nginx, codec):
    body = corpus.text(70000)
    server = nginx(
        main="thread_pool compressors threads=2;",
        server=f'{enable(codec, executor="pool")} keepalive_requests 1000;',
        files={"page.html": body},
    )
    with Http1Connection(server.http1_port) as connection:
        for turn in range(100):
            connection.request(
                "/page.html", headers={"Accept-Encoding": codec.token}
            )
            assert_encoded(codec, connection.response(), body, f"turn {turn}")
