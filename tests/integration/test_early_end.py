"""Case 3 and HTTP rule 7: an upstream that ends before its time."""

import time

import pytest

import corpus
import process_stats
from executors import EXECUTORS, enable, main_for
from expectations import assert_encoded
from http2_client import Http2Connection
from scripted_upstream import chunk, chunked_head, response_head
from strict_decode import decode_prefix

SENT = 16384

# The connection is cut as soon as the upstream's end is known; the fault that
# this looks for lasts for a minute or for ever. Between them is room for noise.
PROMPT_SECONDS = 5
IDLE_SECONDS = 1
IDLE_CPU_SECONDS = 0.05

SIZES = (1, 100, SENT, SENT + 1, 300000)
SLOW_SIZES = (100, 300000)


def promise_more(size):
    def script(connection):
        head = response_head({"Content-Length": size + 1})
        connection.send(head + corpus.text(size))

    return script


def drop_the_last_chunk(size):
    def script(connection):
        connection.send(chunked_head() + chunk(corpus.text(size)))

    return script


def break_a_chunk(size):
    def script(connection):
        whole = chunk(corpus.text(size + 1))
        connection.send(chunked_head() + whole[:-3])

    return script


def reset_the_connection(size):
    def script(connection):
        head = response_head({"Content-Length": size + 1})
        connection.send(head + corpus.text(size))
        connection.pause(0.2)
        connection.reset()

    return script


def stall(size):
    def script(connection):
        head = response_head({"Content-Length": size + 1})
        connection.send(head + corpus.text(size))
        connection.pause(2)

    return script


ENDINGS = (promise_more, drop_the_last_chunk, break_a_chunk)
ENDINGS += (reset_the_connection, stall)

# NGINX itself may drop what these leave in a buffer that is not full.
LOSSY_ENDINGS = (reset_the_connection, stall)


@pytest.fixture(params=EXECUTORS)
def server_for(request, nginx, upstream, codec):
    def start(script):
        origin = upstream(script)
        return nginx(
            main=main_for(request.param),
            server=f"""
                {enable(codec, executor=request.param)}
                proxy_http_version 1.1;
                proxy_read_timeout 1s;
                location /on {{ proxy_pass {origin.url}; }}
                location /off {{
                    proxy_pass {origin.url}; proxy_buffering off;
                }}
            """,
            files={"page.html": corpus.text(50000)},
        )

    return start


@pytest.mark.smoke
@pytest.mark.parametrize("buffering", ["on", "off"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_came_is_sent_and_the_end_is_not(
    server_for, codec, protocol, ending, buffering
):
    for size in SLOW_SIZES if ending is stall else SIZES:
        server = server_for(ending(size))
        where = f"{ending.__name__}, {size} bytes"
        plain = server.fetch(f"/{buffering}", protocol, timeout=15)
        started = time.monotonic()
        response = server.fetch(
            f"/{buffering}", protocol, accept=codec.token, timeout=15
        )
        seconds = response.ended_at - started
        assert not response.complete, f"{where}: {response}"
        assert seconds < PROMPT_SECONDS, f"{where}: {seconds:.1f} s"
        assert response.header("content-encoding") == codec.token, where
        content, finished = decode_prefix(codec, response.body)
        assert not finished, f"{where}: an end mark"
        assert corpus.text(size).startswith(content), where
        assert len(content) >= len(plain.body), (
            f"{where}: {len(content)} bytes, but {len(plain.body)}"
            " without compression"
        )
        if ending not in LOSSY_ENDINGS:
            assert len(content) == size, where


@pytest.mark.parametrize("buffering", ["on", "off"])
@pytest.mark.parametrize("ending", [promise_more, drop_the_last_chunk])
def test_worker_is_well_and_idle_afterwards(
    server_for, codec, protocol, ending, buffering
):
    server = server_for(ending(SENT))
    worker = server.worker()
    for _ in range(5):
        server.fetch(f"/{buffering}", protocol, accept=codec.token, timeout=15)
    before = process_stats.cpu_seconds(worker)
    time.sleep(IDLE_SECONDS)
    spent = process_stats.cpu_seconds(worker) - before
    assert spent <= IDLE_CPU_SECONDS, f"{spent} s of CPU while idle"
    response = server.fetch("/page.html", protocol, accept=codec.token)
    assert_encoded(codec, response, corpus.text(50000))
    assert server.worker() == worker


def test_keep_alive_neighbour_is_not_disturbed(server_for, codec):
    """HTTP/2: the stream is reset, the connection goes on."""
    server = server_for(promise_more(SENT))
    accept = {"accept-encoding": codec.token}
    with Http2Connection(server.http2_port, timeout=15) as connection:
        cut = connection.request("/on", headers=accept)
        assert not connection.response(cut).complete
        whole = connection.request("/page.html", headers=accept)
        response = connection.response(whole)
    assert_encoded(codec, response, corpus.text(50000))
