"""Case 25: clients that go away, reload and quit with work in flight.

That nothing is left behind shows when the server quits at the end of each
test: see NginxServer.stop.
"""

import os
import random
import signal
import time

import pytest

import corpus
import process_stats
from corpus import KIB, MIB
from crowd import run_concurrently, start_concurrently
from executors import EXECUTORS, enable, main_for
from expectations import assert_encoded
from http1_client import Http1Connection
from http2_client import Http2Connection
from http_response import HeldReader, SlowReader
from scripted_upstream import chunk, chunked_head, constant, whole_response
from waiting import wait_until

LARGE = corpus.text(4 * MIB)
MEDIUM = corpus.text(MIB)
SMALL = corpus.text(256 * KIB)
WIDE = corpus.mixed(3 * MIB)


def start_server(nginx, codec, executor, server=""):
    return nginx(
        main=main_for(executor),
        server=f"""
            location /slow/ {{
                alias html/; {enable(codec, codec.slow_level, executor)}
            }}
            location /fast/ {{
                alias html/; {enable(codec, executor=executor)}
            }}
            {server}
        """,
        files={
            "large.html": LARGE,
            "medium.html": MEDIUM,
            "small.html": SMALL,
            "wide.html": WIDE,
        },
        listen="sndbuf=32k",
    )


def accept(codec):
    return {"accept-encoding": codec.token}


def abort_http1(server, codec, delay, reset):
    connection = Http1Connection(server.http1_port)
    connection.request("/slow/large.html", headers=accept(codec))
    time.sleep(delay)
    connection.abort() if reset else connection.close()


def abort_http2(server, codec, delay, reset):
    with Http2Connection(server.http2_port) as connection:
        stream = connection.request("/slow/large.html", headers=accept(codec))
        time.sleep(delay)
        if reset:
            connection.reset(stream)


@pytest.mark.needs("threads")
@pytest.mark.smoke
def test_200_aborts(nginx, codec):
    server = start_server(nginx, codec, "pool")
    worker = server.worker()
    server.fetch("/fast/small.html", accept=codec.token)
    descriptors = process_stats.open_descriptors(worker)
    rng = random.Random(25)
    plan = [
        (
            rng.choice((abort_http1, abort_http2)),
            rng.uniform(0.05, 0.2),
            rng.random() < 0.5,
        )
        for _ in range(200)
    ]
    run_concurrently(
        lambda item: item[0](server, codec, *item[1:]), plan, clients=20
    )
    response = server.fetch("/fast/small.html", accept=codec.token)
    assert_encoded(codec, response, SMALL)
    assert server.worker() == worker
    wait_until(
        lambda: process_stats.open_descriptors(worker) <= descriptors,
        what="closing of the aborted connections",
    )


@pytest.mark.needs("threads")
def test_clients_that_are_gone_before_their_request_is_read(nginx, codec):
    """Nothing is compressed for them: no event says again that they are."""
    server = start_server(nginx, codec, "pool")
    worker = server.worker()
    os.kill(worker, signal.SIGSTOP)
    for _ in range(20):
        abort_http1(server, codec, delay=0, reset=False)
    os.kill(worker, signal.SIGCONT)
    wait_until(
        lambda: server.error_log().count("prematurely closed") == 20,
        what="the end of all requests",
    )


@pytest.mark.parametrize("executor", EXECUTORS)
def test_aborts_while_the_upstream_sends(nginx, upstream, codec, executor):
    def endless(connection):
        connection.send(chunked_head())
        while True:
            connection.send(chunk(SMALL))
            connection.pause(0.01)

    origin = upstream(endless)
    lines = f"proxy_pass {origin.url}; {enable(codec, executor=executor)}"
    server = start_server(
        nginx,
        codec,
        executor,
        f"""location /on {{ {lines} }}
            location /off {{ {lines} proxy_buffering off; }}""",
    )

    def abort(turn):
        connection = Http1Connection(server.http1_port)
        connection.request(("/on", "/off")[turn % 2], headers=accept(codec))
        connection.receive(10000 * (turn % 5))
        connection.close()

    run_concurrently(abort, range(60), clients=10)
    response = server.fetch("/fast/small.html", accept=codec.token)
    assert_encoded(codec, response, SMALL)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_http2_streams_that_are_reset(nginx, codec, executor):
    """Their neighbours on the same connection come out whole."""
    server = start_server(nginx, codec, executor)
    with Http2Connection(server.http2_port) as connection:
        kept, dropped = [], []
        for turn in range(20):
            path = "/fast/wide.html" if turn % 4 == 0 else "/fast/small.html"
            stream = connection.request(path, headers=accept(codec))
            kept.append((stream, WIDE if turn % 4 == 0 else SMALL))
            victim = "/slow/large.html"
            dropped.append(connection.request(victim, headers=accept(codec)))
        for turn, stream in enumerate(dropped):
            time.sleep(0.01)
            connection.reset(stream)
        for stream, original in kept:
            assert_encoded(codec, connection.response(stream), original)


class Downloads:
    """Responses of which every client has the first bytes and no more."""

    def __init__(self, server, codec, executor):
        places = [("/fast/wide.html", WIDE)]
        if executor == "pool":
            places.append(("/slow/medium.html", MEDIUM))
        self._codec = codec
        self._plan = [
            (protocol, path, original, HeldReader())
            for protocol in ("http1", "http2")
            for path, original in places * 2
        ]
        self._futures = start_concurrently(
            lambda item: server.fetch(
                item[1], item[0], accept=codec.token, pace=item[3]
            ),
            self._plan,
        )
        for *_, reader in self._plan:
            assert reader.started.wait(30), "no first byte"

    def assert_complete(self):
        for *_, reader in self._plan:
            reader.released.set()
        for (_, path, original, _), future in zip(self._plan, self._futures):
            response = future.result(60)
            assert_encoded(self._codec, response, original, path)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_reload_in_flight(nginx, codec, executor):
    server = start_server(nginx, codec, executor)
    old = server.worker()
    downloads = Downloads(server, codec, executor)
    for _ in range(3):
        server.reload()
    response = server.fetch("/fast/small.html", accept=codec.token)
    assert_encoded(codec, response, SMALL)
    downloads.assert_complete()
    wait_until(lambda: old not in server.workers(), 30, "end of the old worker")


@pytest.mark.parametrize("executor", EXECUTORS)
def test_graceful_quit_in_flight(nginx, codec, executor):
    """What was begun is completed."""
    server = start_server(nginx, codec, executor)
    downloads = Downloads(server, codec, executor)
    server.signal(signal.SIGQUIT)
    downloads.assert_complete()
    assert server.wait() == 0


@pytest.mark.parametrize("executor", EXECUTORS)
def test_graceful_quit_while_only_a_task_is_under_way(
    nginx, upstream, codec, executor
):
    """No timer of a client or an upstream keeps the worker alive then."""
    body = corpus.text(3 * MIB)
    source = upstream(constant(whole_response(body)))
    server = nginx(
        main=main_for(executor),
        server=f"""
            location / {{
                proxy_pass {source.url};
                proxy_buffering off;
                {enable(codec, codec.slow_level, executor)}
            }}
        """,
    )
    [future] = start_concurrently(
        lambda _: server.fetch("/", accept=codec.token), [None]
    )
    time.sleep(0.7)
    server.signal(signal.SIGQUIT)
    assert_encoded(codec, future.result(60), body)
    assert server.wait() == 0


@pytest.mark.parametrize("executor", EXECUTORS)
def test_fast_shutdown_in_flight(nginx, codec, executor):
    """TERM: at once, and the log stays clean."""
    server = start_server(nginx, codec, executor)
    futures = start_concurrently(
        lambda _: server.fetch("/slow/large.html", accept=codec.token),
        range(20),
    )
    time.sleep(0.3)
    server.signal(signal.SIGTERM)
    assert server.wait(10) == 0
    for future in futures:
        assert not future.result(10).complete


@pytest.mark.needs("threads")
def test_reloads_and_aborts_together(nginx, codec):
    server = start_server(nginx, codec, "pool")
    rng = random.Random(26)
    plan = [(rng.uniform(0, 0.2), rng.random() < 0.5) for _ in range(60)]
    futures = start_concurrently(
        lambda _: run_concurrently(
            lambda item: abort_http1(server, codec, *item), plan, clients=10
        ),
        [None],
    )
    for _ in range(5):
        server.reload()
        response = server.fetch("/fast/small.html", accept=codec.token)
        assert_encoded(codec, response, SMALL)
    futures[0].result(60)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_slow_client(nginx, codec, protocol, executor):
    """50 KB/s for two seconds, then as fast as it goes."""
    server = start_server(nginx, codec, executor)
    response = server.fetch(
        "/fast/wide.html",
        protocol,
        accept=codec.token,
        pace=SlowReader(bytes_per_second=50 * KIB, seconds=2),
    )
    assert_encoded(codec, response, WIDE)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_client_that_stalls_is_timed_out(nginx, codec, executor):
    """It holds no worker up, and its connection is closed."""
    server = start_server(
        nginx, codec, executor, "send_timeout 1s; reset_timedout_connection on;"
    )
    with Http1Connection(server.http1_port, receive_buffer=4096) as stalled:
        stalled.request("/fast/wide.html", headers=accept(codec))
        time.sleep(0.2)
        response = server.fetch("/fast/small.html", accept=codec.token)
        assert_encoded(codec, response, SMALL)
        time.sleep(2.5)
        result = stalled.response()
    assert not result.complete
