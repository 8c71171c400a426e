"""compress_thread_priority: only threads that do nothing but compress."""

import time

import pytest

import corpus
from corpus import KIB
from crowd import run_concurrently
from executors import enable
from process_stats import SCHED_IDLE, thread_priorities
from waiting import wait_until

pytestmark = pytest.mark.needs("threads")

THREADS = 3

# Enough to be worth a thread, yet little, since a thread that runs only when
# the machine is idle may get few turns.
BODY = corpus.text(100 * KIB)


def start(nginx, codec, priority, pool="compressors", server=""):
    return nginx(
        main=f"thread_pool {pool} threads={THREADS};",
        http=f"compress_thread_priority {priority};",
        server=f"""
            {enable(codec)}
            {codec.prefix}_thread_pool {pool};
            {server}
        """,
        files={"page.html": BODY, "plain/page.png": BODY},
    )


def lowered(server):
    """Priorities of the threads that are not as they were made."""
    found = thread_priorities(server.worker()).values()
    return [(nice, policy) for nice, policy in found if nice or policy]


def exercise(server, codec):
    """Until every thread of the pool has had work."""

    def exchange(_):
        assert server.fetch("/page.html", accept=codec.token).complete

    run_concurrently(exchange, range(4 * THREADS), clients=2 * THREADS)


def lowered_after_work(server, codec):
    def all_threads():
        exercise(server, codec)
        found = lowered(server)
        return found if len(found) == THREADS else None

    return wait_until(all_threads, 60, f"lowering of {THREADS} threads")


def test_idle(nginx, codec):
    server = start(nginx, codec, "idle")
    for _, policy in lowered_after_work(server, codec):
        assert policy == SCHED_IDLE


def test_low(nginx, codec):
    server = start(nginx, codec, "low")
    for nice, policy in lowered_after_work(server, codec):
        assert nice > 0
        assert policy != SCHED_IDLE


def test_normal(nginx, codec):
    server = start(nginx, codec, "normal")
    exercise(server, codec)
    time.sleep(0.2)
    assert lowered(server) == []


@pytest.mark.parametrize("priority", ["low", "idle"])
def test_never_the_default_pool(nginx, codec, priority):
    server = start(nginx, codec, priority, pool="default")
    exercise(server, codec)
    time.sleep(0.2)
    assert lowered(server) == []


@pytest.mark.parametrize("priority", ["low", "idle"])
def test_never_a_pool_that_reads_files(nginx, codec, priority):
    """Whichever location it is that says so."""
    server = start(
        nginx,
        codec,
        priority,
        server="location /plain/ { aio threads=compressors; }",
    )
    exercise(server, codec)
    time.sleep(0.2)
    assert lowered(server) == []


def test_the_loop_keeps_its_priority(nginx, codec):
    server = start(nginx, codec, "idle")
    exercise(server, codec)
    stat = open(f"/proc/{server.worker()}/stat").read()
    fields = stat.rpartition(")")[2].split()
    assert (fields[16], fields[38]) == ("0", "0")


def test_other_pools_keep_theirs(nginx, codec):
    """Five threads read files, three compress: three are lowered."""
    server = nginx(
        main="thread_pool readers threads=5; thread_pool c threads=3;",
        http="compress_thread_priority idle;",
        server=f"""
            {enable(codec)} {codec.prefix}_thread_pool c;
            aio threads=readers; sendfile on;
        """,
        files={"page.html": BODY},
    )
    lowered_after_work(server, codec)
    assert len(thread_priorities(server.worker())) >= 8
