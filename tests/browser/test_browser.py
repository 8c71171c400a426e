"""A browser takes what the module sends, in both codings and protocols."""

import hashlib
import os
import re

import pytest

import corpus
import page
from codec_table import CODECS
from corpus import MIB
from executors import POOL_MAIN, enable, main_for

LARGE = corpus.text(4 * MIB)

# At these levels a response of this size is worth several lanes.
LANE_LEVELS = {"br": 6, "zstd": 12}


def preferring(codec):
    """Chromium likes br and zstd equally, so the server chooses."""
    others = " ".join(token for token in CODECS if token != codec.token)
    order = f"compress_prefer {codec.token} {others} gzip;"
    return "gzip on; gzip_vary on;" + order


def compressing(codec, executor, level_of=None):
    levels = level_of or {}
    both = [
        enable(each, levels.get(each.token), executor)
        for each in CODECS.values()
    ]
    return preferring(codec) + "".join(both)


def load_page(tab, server):
    tab.load(f"https://127.0.0.1:{server.http2_port}/page.html")
    assert tab.evaluate("outcome") == page.OUTCOME


def assert_came_encoded(responses, codec, protocol, files):
    assert set(responses) == set(files)
    for name, content in files.items():
        response = responses[name]
        about = f"{name}: {response}"
        assert response.failure is None, about
        assert response.status == 200, about
        assert response.protocol == protocol, about
        assert response.headers["content-encoding"] == codec.token, about
        assert response.headers["vary"] == "Accept-Encoding", about
        assert 0 < response.wire_bytes < len(content), about


@pytest.mark.parametrize("executor", ["pool", "loop"])
def test_page(nginx, tab, codec, protocol, executor):
    server = nginx(
        compressing(codec, executor), main=main_for(executor), files=page.FILES
    )
    load_page(tab, server)
    responses = tab.responses(page.FILES)
    assert_came_encoded(responses, codec, protocol, page.FILES)


def test_sidecars(nginx, tab, codec, protocol):
    sidecars = {
        name + each.suffix: each.compress(content, each.fast_level)
        for name, content in page.FILES.items()
        for each in CODECS.values()
    }
    server = nginx(
        compressing(codec, "loop") + "brotli_static on; zstd_static on;",
        files={**page.FILES, **sidecars},
    )
    load_page(tab, server)
    responses = tab.responses(page.FILES)
    assert_came_encoded(responses, codec, protocol, page.FILES)
    for name, response in responses.items():
        length = str(len(sidecars[name + codec.suffix]))
        assert response.headers["content-length"] == length, name


@pytest.mark.needs("threads")
@pytest.mark.needs("debug")
@pytest.mark.skipif(os.cpu_count() < 2, reason="one processor, one lane")
def test_several_lanes(nginx, tab, codec, protocol):
    files = {**page.FILES, "large.txt": LARGE}
    server = nginx(
        compressing(codec, "pool", LANE_LEVELS),
        main=POOL_MAIN + "error_log threads.log debug_core;",
        files=files,
    )
    load_page(tab, server)
    log = server.prefix / "threads.log"
    before = len(log.read_bytes())
    digest = tab.evaluate("sha256('large.txt')")
    assert digest == hashlib.sha256(LARGE).hexdigest()
    assert_came_encoded(tab.responses(files), codec, protocol, files)
    most = tasks_at_one_time(log.read_bytes()[before:].decode())
    assert most >= 2, "one lane made the whole response"


def tasks_at_one_time(log):
    """Most tasks of the pool that had begun and not ended. A lane has at most
    one, and only one response is being made.
    """
    pool = '"compressors"'
    steps = re.findall(
        rf"(added to|complete) ?(?:task #\d+ in)? thread pool {pool}", log
    )
    most = now = 0
    for step in steps:
        now += 1 if step == "added to" else -1
        most = max(most, now)
    return most
