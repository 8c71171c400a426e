"""zstd_dict_file and reloads (case 24)."""

import pytest
import zstandard

import corpus
from codec_table import ZSTD
from corpus import KIB, MIB
from crowd import start_concurrently
from executors import EXECUTORS, enable, main_for
from http_response import HeldReader
from process_stats import resident_bytes
from waiting import wait_until
from zstd_dictionaries import (
    DICTIONARY_MAGIC,
    FIRST,
    NESTED,
    NESTED_PATHS,
    PAGE,
    RAW,
    RAW_DICTIONARY,
    SECOND,
    assert_used,
)

pytestmark = pytest.mark.codecs("zstd")


def test_reload_takes_the_new_dictionary(nginx, dictionary):
    server = nginx(
        http=dictionary.line, server=NESTED, files={"page.json": PAGE}
    )
    for data, expected in (
        (SECOND.as_bytes(), SECOND),
        (RAW, RAW_DICTIONARY),
        (FIRST.as_bytes(), FIRST),
    ):
        dictionary.write(data)
        old = server.workers()
        server.reload()
        wait_until(lambda: not set(old) & set(server.workers()))
        for path, _ in NESTED_PATHS:
            response = server.fetch(path, accept="zstd")
            assert_used(response, expected, PAGE, path)


def test_reload_with_a_bad_dictionary_keeps_the_old(nginx, dictionary):
    server = nginx(
        http=dictionary.line, server=NESTED, files={"page.json": PAGE}
    )
    before = server.workers()
    dictionary.write(DICTIONARY_MAGIC + bytes(100))
    server.signal(1)
    wait_until(lambda: "[emerg]" in server.error_log(), what="the refusal")
    assert server.workers() == before
    assert_used(server.fetch("/page.json", accept="zstd"), FIRST, PAGE)
    # This once, [emerg] is what must be there.
    (server.prefix / "error.log").write_text("")


@pytest.mark.parametrize("executor", EXECUTORS)
def test_reload_in_flight(nginx, dictionary, executor):
    """What was begun with the old dictionary ends with it."""
    body = corpus.text(4 * MIB)
    server = nginx(
        main=main_for(executor),
        http=dictionary.line,
        server=enable(ZSTD, executor=executor),
        files={"large.html": body, "page.json": PAGE},
        listen="sndbuf=32k",
    )
    old = server.worker()
    plan = [(protocol, HeldReader()) for protocol in ("http1", "http2") * 4]
    futures = start_concurrently(
        lambda item: server.fetch(
            "/large.html", item[0], accept="zstd", pace=item[1]
        ),
        plan,
    )
    for _, reader in plan:
        assert reader.started.wait(30), "no first byte"
    dictionary.write(SECOND.as_bytes())
    server.reload()
    wait_until(lambda: served_with(server, SECOND), what="the new dictionary")
    assert old in server.workers(), "nothing was in flight"
    for _, reader in plan:
        reader.released.set()
    for future in futures:
        assert_used(future.result(60), FIRST, body)
    assert_used(server.fetch("/page.json", accept="zstd"), SECOND, PAGE)
    wait_until(lambda: old not in server.workers(), 30, "end of the old worker")


def served_with(server, dictionary):
    body = server.fetch("/page.json", accept="zstd").body
    return zstandard.get_frame_parameters(body).dict_id == dictionary.dict_id()


def test_master_does_not_grow_with_reloads(nginx, dictionary):
    """Case 24: 100 KB, digested for each of six levels."""
    dictionary.write(corpus.text(100 * KIB))
    server = nginx(http=dictionary.line, server=NESTED)

    def reload(times):
        for _ in range(times):
            server.reload()
        return resident_bytes(server.master)

    settled = reload(10)
    grown = reload(50) - settled
    # A dictionary that was kept would be 100 KB each time, digested or not.
    assert grown < 2 * MIB, f"{grown / 50:.0f} bytes for each reload"
