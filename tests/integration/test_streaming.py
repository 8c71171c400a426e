"""Case 18 and HTTP rule 6: what the upstream flushes, the client can decode
at once."""

import statistics
import time

import pytest

import corpus
from corpus import KIB
from executors import EXECUTORS, enable, main_for
from expectations import assert_encoded, assert_same
from scripted_upstream import LAST_CHUNK, chunk, chunked_head

EVENTS = 8
INTERVAL = 0.3

# The rule says 100 ms. The typical event keeps to that; a single one may be
# delayed by a noisy machine, yet never as long as to meet its successor; and
# the best of a few attempts counts.
TYPICAL_SECONDS = 0.1
WORST_SECONDS = 0.25
ATTEMPTS = 3

MODES = {
    "proxy_buffering off": ("proxy_buffering off;", {}),
    "X-Accel-Buffering": ("", {"X-Accel-Buffering": "no"}),
}


def event(number):
    return b"id: %d\ndata: %b\n\n" % (number, corpus.text(80, seed=number))


class EventSource:
    """The script, and when it sent what."""

    def __init__(self, headers):
        self.headers = {"Cache-Control": "no-cache", **headers}
        self.sent_at = []

    def __call__(self, connection):
        self.sent_at = []
        connection.send(
            chunked_head(self.headers, content_type="text/event-stream")
        )
        for number in range(EVENTS):
            self.sent_at.append(time.monotonic())
            connection.send(chunk(event(number)))
            connection.pause(INTERVAL)
        connection.send(LAST_CHUNK)


def decodable_at(codec, response, events):
    """When the last byte of each event could be decoded."""
    decoder, content, times = codec.decoder(), b"", []
    ends = [sum(map(len, events[: n + 1])) for n in range(len(events))]
    for arrived_at, data in response.arrivals:
        content += decoder.feed(data)
        while len(times) < len(ends) and len(content) >= ends[len(times)]:
            times.append(arrived_at)
    assert_same(content, b"".join(events), str(response))
    return times


def is_prompt(delays):
    return (
        statistics.median(delays) < TYPICAL_SECONDS
        and sorted(delays)[-2] < WORST_SECONDS
    )


@pytest.mark.smoke
@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("mode", MODES)
def test_events_arrive_one_by_one(
    nginx, upstream, codec, protocol, executor, mode
):
    lines, headers = MODES[mode]
    source = EventSource(headers)
    origin = upstream(source)
    server = nginx(
        main=main_for(executor),
        server=f"""{enable(codec, executor=executor)}
            location / {{
                proxy_http_version 1.1; {lines} proxy_pass {origin.url};
            }}""",
    )
    events = [event(number) for number in range(EVENTS)]
    measured = []
    for _ in range(ATTEMPTS):
        response = server.fetch("/", protocol, accept=codec.token)
        assert_encoded(codec, response, b"".join(events))
        times = decodable_at(codec, response, events)
        delays = [at - sent for sent, at in zip(source.sent_at, times)]
        if is_prompt(delays):
            return
        measured.append([round(1000 * delay) for delay in delays])
    raise AssertionError(f"delays in ms of each attempt: {measured}")


def test_head_of_a_silent_stream_is_sent(nginx, upstream, codec, protocol):
    """The client learns of the stream before its first event."""

    def script(connection):
        connection.send(chunked_head(content_type="text/event-stream"))
        connection.pause(1.5)
        connection.send(chunk(event(0)) + LAST_CHUNK)

    origin = upstream(script)
    server = nginx(
        server=f"""{enable(codec)}
            location / {{
                proxy_http_version 1.1; proxy_buffering off;
                proxy_pass {origin.url};
            }}"""
    )
    started = time.monotonic()
    response = server.fetch("/", protocol, accept=codec.token)
    assert_encoded(codec, response, event(0))
    assert response.head_at - started < 1, "the head waited for data"


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.planned
def test_slow_upstream_is_not_hidden_by_buffering(
    nginx, upstream, codec, protocol, executor
):
    """compress_flush_after: no buffer carries a flush mark with
    `proxy_buffering on`, yet nothing waits in the encoder for long."""
    body, pause = corpus.text(128 * KIB), 1.5
    sent_at = []

    def script(connection):
        connection.send(chunked_head())
        sent_at.append(time.monotonic())
        connection.send(chunk(body[: 64 * KIB]))
        connection.pause(pause)
        connection.send(chunk(body[64 * KIB :]) + LAST_CHUNK)

    origin = upstream(script)
    server = nginx(
        main=main_for(executor),
        server=f"""{enable(codec, executor=executor)}
            proxy_buffers 8 4k; proxy_http_version 1.1;
            location / {{ proxy_pass {origin.url}; }}""",
    )
    plain = server.fetch("/", protocol)
    assert early_bytes(plain, sent_at[0] + pause / 2) >= 48 * KIB
    response = server.fetch("/", protocol, accept=codec.token)
    assert_encoded(codec, response, body)
    early = early_bytes(response, sent_at[1] + pause / 2, codec.decoder())
    assert early >= 48 * KIB, f"only {early} bytes before the pause ended"


def early_bytes(response, deadline, decoder=None):
    """How much could be decoded by then."""
    early = [data for at, data in response.arrivals if at < deadline]
    return len(decoder.feed(b"".join(early)) if decoder else b"".join(early))
