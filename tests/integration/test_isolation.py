"""Many responses at once, of both codecs and gzip: each is its own and no
other's (case 28).

Every body bears its number all along, so that no piece of one passes for a
piece of another.
"""

import gzip
import random
from collections import Counter
from dataclasses import dataclass

import pytest

import corpus
from codec_table import BROTLI, CODECS, ZSTD
from corpus import KIB, MIB
from crowd import run_concurrently
from executors import enable
from expectations import assert_same
from http1_client import Http1Connection
from http2_client import Http2Connection
from strict_decode import decode

pytestmark = [
    pytest.mark.codecs("br", "zstd"),
    pytest.mark.needs("threads"),
]

RESPONSES = 10_000
HTTP1_CONNECTIONS, HTTP2_CONNECTIONS = 26, 6
STREAMS_AT_ONCE = 12

SMALL_BODIES, LARGE_BODIES = 1000, 12
LARGE_SHARE = 1 / 80

# Levels of the two codecs, all of which make the smallest body smaller, and the
# longest body that comes here: the highest levels would take all the time.
PLACES = {
    "fastest": (1, 1, 2 * MIB),
    "usual": (5, 3, 2 * MIB),
    "thorough": (9, 12, 64 * KIB),
    "best": (11, 19, 2 * KIB),
}
SOURCES = ("file", "proxied", "streamed")
ACCEPTS = [
    ("br", "br"),
    ("zstd", "zstd"),
    ("gzip, br;q=0.9, zstd;q=0.9", "gzip"),
    ("br;q=0.5, zstd", "zstd"),
    ("br, zstd;q=0.5", "br"),
    (None, None),
]
ACCEPT_WEIGHTS = (6, 6, 1, 3, 3, 1)


def body(number, size):
    rng = random.Random(number)
    source = (corpus.text, corpus.json_records)[number % 2](2 * MIB)
    start = rng.randrange(MIB // 2)
    mark = b"<%06d>" % number
    return mark.join(
        source[at : at + 92] for at in range(start, start + size, 100)
    )


def bodies():
    """{name: content}; sizes from 200 bytes to 60 KB, most of them small."""
    rng = random.Random(27)
    for number in range(SMALL_BODIES):
        size = int(200 * 300 ** rng.random())
        yield f"small{number}.html", body(number, size)
    for number in range(LARGE_BODIES):
        size = rng.randrange(300 * KIB, 1536 * KIB)
        yield f"large{number}.html", body(SMALL_BODIES + number, size)


@dataclass(frozen=True)
class Exchange:
    path: str
    accept: str
    coding: str
    original: bytes

    def check(self, response):
        about = f"{self.path}, {self.accept}: {response}"
        assert response.status == 200 and response.complete, about
        coding = response.header("content-encoding")
        assert coding == self.coding, about
        content = response.body
        if coding == "gzip":
            content = gzip.decompress(content)
        elif coding:
            content = decode(CODECS[coding], content)
        assert_same(content, self.original, about)

    @property
    def headers(self):
        return {"accept-encoding": self.accept} if self.accept else {}


def plan(files):
    rng = random.Random(28)
    small = [name for name in files if name.startswith("small")]
    large = [name for name in files if name.startswith("large")]
    for _ in range(RESPONSES):
        name = rng.choice(large if rng.random() < LARGE_SHARE else small)
        places = [
            place
            for place, (*_, longest) in PLACES.items()
            if len(files[name]) <= longest
        ]
        place, source = rng.choice(places), rng.choice(SOURCES)
        accept, coding = rng.choices(ACCEPTS, ACCEPT_WEIGHTS)[0]
        path = f"/{place}/{source}/{name}"
        yield Exchange(path, accept, coding, files[name])


def start(nginx, tmp_path, files):
    """What is streamed has no length: a filter of the upstream drops it."""
    upstream = f"unix:{tmp_path}/upstream"
    places = "".join(
        f"""
        location /{place}/ {{
            {enable(BROTLI, brotli_level, executor="pool")}
            {enable(ZSTD, zstd_level, executor="pool")}
            gzip on; gzip_types *; gzip_min_length 1;
            location /{place}/file/ {{ alias html/; }}
            location /{place}/proxied/ {{ proxy_pass http://{upstream}:/; }}
            location /{place}/streamed/ {{
                proxy_pass http://{upstream}:/streamed/; }}
        }}"""
        for place, (brotli_level, zstd_level, _) in PLACES.items()
    )
    return nginx(
        main="thread_pool compressors threads=2;",
        http=f"""
            server {{
                listen {upstream}; root html; access_log off;
                location /streamed/ {{
                    alias html/; sub_filter never-there ""; }}
            }}
        """,
        server=f"access_log off; keepalive_requests 10000; {places}",
        files=files,
    )


def over_http1(server, exchanges):
    with Http1Connection(server.http1_port) as connection:
        for exchange in exchanges:
            connection.request(exchange.path, headers=exchange.headers)
            exchange.check(connection.response())


def over_http2(server, exchanges):
    """So many streams share the connection at any time."""
    with Http2Connection(server.http2_port) as connection:
        waiting = []
        for exchange in [*exchanges, *[None] * STREAMS_AT_ONCE]:
            if len(waiting) == STREAMS_AT_ONCE or exchange is None:
                first, stream = waiting.pop(0)
                first.check(connection.response(stream))
            if exchange is not None:
                stream = connection.request(
                    exchange.path, headers=exchange.headers
                )
                waiting.append((exchange, stream))


def test_each_response_is_its_own(nginx, tmp_path):
    files = dict(bodies())
    server = start(nginx, tmp_path, files)
    exchanges = list(plan(files))
    codings = Counter(exchange.coding for exchange in exchanges)
    assert min(codings["br"], codings["zstd"]) > RESPONSES / 4

    clients = [over_http1] * HTTP1_CONNECTIONS
    clients += [over_http2] * HTTP2_CONNECTIONS
    run_concurrently(
        lambda turn: clients[turn](server, exchanges[turn :: len(clients)]),
        range(len(clients)),
        clients=len(clients),
    )
