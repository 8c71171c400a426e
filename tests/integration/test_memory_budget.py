"""compress_memory bounds what a worker holds (case 30)."""

import threading

import pytest

import corpus
import process_stats
from corpus import MIB
from crowd import run_concurrently
from executors import EXECUTORS, enable, main_for
from expectations import assert_encoded, assert_identity

pytestmark = pytest.mark.planned

CLIENTS = 60
BODY = corpus.mixed(2 * MIB)
BUDGET = 64 * MIB

# What NGINX itself, its connections and the allocator's slack may add.
ALLOWANCE = 96 * MIB


class PeakMemory:
    """Watches a process from a thread."""

    def __init__(self, pid):
        self.peak = 0
        self._pid = pid
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()

    def _watch(self):
        while not self._done.wait(0.02):
            resident = process_stats.resident_bytes(self._pid)
            self.peak = max(self.peak, resident)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_crowd_at_a_hungry_level(nginx, codec, executor):
    """Nobody fails; who finds no room is served the original."""
    server = nginx(
        main=main_for(executor),
        http=f"compress_memory {BUDGET // MIB}m;",
        server=enable(codec, 9, executor),
        files={"page.html": BODY},
    )
    encoded = []

    def exchange(turn):
        protocol = ("http1", "http2")[turn % 2]
        response = server.fetch("/page.html", protocol, accept=codec.token)
        if response.header("content-encoding"):
            encoded.append(turn)
            assert_encoded(codec, response, BODY)
        else:
            assert_identity(response, BODY)

    with PeakMemory(server.worker()) as memory:
        run_concurrently(exchange, range(2 * CLIENTS), CLIENTS)
    assert encoded, "nothing was compressed"
    assert memory.peak < BUDGET + ALLOWANCE, f"{memory.peak / MIB:.0f} MiB"


def test_smallest_budget_still_serves(nginx, codec, protocol):
    server = nginx(
        http="compress_memory 64k;",
        server=enable(codec, 9),
        files={"page.html": BODY},
    )
    response = server.fetch("/page.html", protocol, accept=codec.token)
    if response.header("content-encoding"):
        assert_encoded(codec, response, BODY)
    else:
        assert_identity(response, BODY)


def test_idle_encoders_are_given_back(nginx, codec):
    """release_all: after a crowd, the worker is about as small as before."""
    server = nginx(
        http=f"{codec.prefix}_retention_policy release_all;",
        server=enable(codec, 9),
        files={"page.html": BODY},
    )
    worker = server.worker()
    before = process_stats.resident_bytes(worker)

    def exchange(_):
        response = server.fetch("/page.html", accept=codec.token)
        assert_encoded(codec, response, BODY)

    run_concurrently(exchange, range(40), clients=20)
    after = process_stats.resident_bytes(worker)
    assert after - before < 32 * MIB, f"{(after - before) / MIB:.0f} MiB more"
