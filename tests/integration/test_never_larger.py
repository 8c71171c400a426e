"""P7: a response of known, small length is compressed before its header is
sent. It states its real length, and goes out as it is when compression gains
nothing. Whatever else is never held back.
"""

import time

import pytest

import corpus
from corpus import KIB, MIB
from executors import EXECUTORS, enable, main_for
from expectations import assert_encoded, assert_identity, assert_same
from http1_client import Http1Connection
from scripted_upstream import (
    LAST_CHUNK,
    chunk,
    chunked_head,
    constant,
    response_head,
    whole_response,
)

# Cheap enough at a fast level to be compressed where the filter runs.
SMALL_SIZES = (300, 600, 1000, 2000)
NOISE_SIZES = (20, 21, 64, 100, 500, 1000, 2000)
SOURCES = ("file", "upstream")
PAUSE = 1.5


def text_path(size):
    return f"/text-{size}.html"


def noise_path(size):
    return f"/noise-{size}.html"


BODIES = {
    **{text_path(size): corpus.text(size) for size in SMALL_SIZES},
    **{noise_path(size): corpus.noise(size) for size in NOISE_SIZES},
}


def answer(connection):
    """As NGINX would answer from a file."""
    body = BODIES[connection.path]
    headers = {"ETag": f'"{len(body)}"', "Accept-Ranges": "bytes"}
    connection.send(whole_response(body, headers))


@pytest.fixture(params=SOURCES)
def server(request, nginx, upstream, codec):
    """Serves BODIES, and logs what became of each response."""
    return start(
        nginx,
        codec,
        f"proxy_pass {upstream(answer).url};"
        if request.param == "upstream"
        else "",
    )


def start(nginx, codec, location, executor="loop"):
    return nginx(
        main=main_for(executor),
        http="""
            gzip_vary on;
            log_format tested '$compress_coding $compress_reason';
        """,
        server=f"""
            {enable(codec, executor=executor)}
            access_log tested.log tested;
            proxy_http_version 1.1;
            location / {{ {location} }}
        """,
        files={path.strip("/"): body for path, body in BODIES.items()},
    )


def assert_states_its_length(response):
    assert response.header("content-length") == str(len(response.body))
    assert response.header("transfer-encoding") is None


def test_compressed_response_states_its_length(server, codec, protocol):
    for size in SMALL_SIZES:
        path = text_path(size)
        response = server.fetch(path, protocol, accept=codec.token)
        assert_encoded(codec, response, BODIES[path], path)
        assert_states_its_length(response)
        assert len(response.body) < size
        assert response.header("vary") == "Accept-Encoding"
    lines = server.log_lines("tested.log", len(SMALL_SIZES))
    assert set(lines) == {f"{codec.token} -"}


@pytest.mark.parametrize("executor", EXECUTORS)
def test_what_does_not_become_smaller_goes_out_as_it_is(
    nginx, codec, protocol, executor
):
    server = start(nginx, codec, "", executor)
    for size in NOISE_SIZES:
        path = noise_path(size)
        plain = server.fetch(path, protocol)
        response = server.fetch(path, protocol, accept=codec.token)
        assert_identity(response, BODIES[path], path)
        assert_states_its_length(response)
        assert response.header("etag").startswith('"')
        for name in ("etag", "accept-ranges", "last-modified"):
            assert response.header(name) == plain.header(name), name
        # Another client may be served the coding all the same.
        assert response.header("vary") == "Accept-Encoding"
    lines = server.log_lines("tested.log", 2 * len(NOISE_SIZES))
    assert lines[1::2] == ["- not_smaller"] * len(NOISE_SIZES)


def test_headers_of_an_upstream_stay_when_nothing_is_gained(
    nginx, upstream, codec, protocol
):
    server = start(nginx, codec, f"proxy_pass {upstream(answer).url};")
    for size in NOISE_SIZES:
        path = noise_path(size)
        response = server.fetch(path, protocol, accept=codec.token)
        assert_identity(response, BODIES[path], path)
        assert_states_its_length(response)
        assert response.header("etag") == f'"{size}"'
        assert response.header("accept-ranges") == "bytes"
    lines = server.log_lines("tested.log", len(NOISE_SIZES))
    assert lines == ["- not_smaller"] * len(NOISE_SIZES)


def test_many_on_one_connection(server, codec):
    """What was held for one response never shows in the next."""
    with Http1Connection(server.http1_port, timeout=20) as connection:
        for path, body in list(BODIES.items()) * 5:
            connection.request(path, headers={"Accept-Encoding": codec.token})
            response = connection.response()
            assert_states_its_length(response)
            if path.startswith("/text"):
                assert_encoded(codec, response, body, path)
            else:
                assert_identity(response, body, path)


def test_http_1_0(server, codec):
    """Without chunks, a length is what keeps the connection open."""
    headers = {"Accept-Encoding": codec.token, "Connection": "keep-alive"}
    with Http1Connection(server.http1_port, timeout=20) as connection:
        for path in (text_path(2000), noise_path(2000)) * 2:
            connection.request(path, headers=headers, version="1.0")
            response = connection.response()
            assert_states_its_length(response)
            assert response.header("connection") == "keep-alive"
            if path.startswith("/text"):
                assert_encoded(codec, response, BODIES[path], path)
            else:
                assert_identity(response, BODIES[path], path)


def test_head_claims_no_other_length_than_get(server, codec, protocol):
    """There is no body to compress: no length is better than a wrong one."""
    for path in BODIES:
        options = {"protocol": protocol, "accept": codec.token}
        whole = server.fetch(path, **options)
        head = server.fetch(path, method="HEAD", **options)
        assert head.complete and head.body == b""
        length = head.header("content-length")
        if length is None:
            continue
        coding = head.header("content-encoding")
        assert coding == whole.header("content-encoding"), path
        assert length == whole.header("content-length"), path


@pytest.mark.parametrize("size", [300, 2000])
def test_error_page(nginx, codec, protocol, size):
    server = nginx(
        server=f"""{enable(codec)}
            location / {{ return 404 "{'a' * size}"; }}"""
    )
    response = server.fetch("/", protocol, accept=codec.token)
    assert response.status == 404 and response.complete
    assert response.header("content-encoding") == codec.token
    assert_states_its_length(response)


def test_range_of_what_is_not_compressed(nginx, codec, protocol):
    """The range, or the whole; the bytes are those of the file."""
    server = start(nginx, codec, "")
    body = BODIES[noise_path(1000)]
    response = server.fetch(
        noise_path(1000),
        protocol,
        accept=codec.token,
        headers={"Range": "bytes=100-199"},
    )
    assert response.status in (200, 206)
    assert_identity(
        response, body[100:200] if response.status == 206 else body
    )
    assert_states_its_length(response)


def test_body_that_comes_in_pieces(nginx, upstream, codec, protocol):
    """Held until it is whole, and no longer."""
    body = corpus.text(2000)

    def script(connection):
        connection.send(response_head({"Content-Length": len(body)}))
        for start_at in range(0, len(body), 500):
            connection.pause(0.05)
            connection.send(body[start_at : start_at + 500])
        connection.pause(PAUSE)

    server = start(nginx, codec, f"proxy_pass {upstream(script).url};")
    started = time.monotonic()
    response = server.fetch("/", protocol, accept=codec.token)
    assert_encoded(codec, response, body)
    assert_states_its_length(response)
    assert response.ended_at - started < PAUSE, "it waited for the close"


class HalfAndHalf:
    """Sends a head with half of the body, and the rest after a pause."""

    def __init__(self, head, body, frame=lambda data: data, end=b""):
        half = len(body) // 2
        self._first = head + frame(body[:half])
        self._second = frame(body[half:]) + end

    def __call__(self, connection):
        connection.send(self._first)
        connection.pause(PAUSE)
        connection.send(self._second)


def assert_head_came_early(response, started):
    assert response.head_at - started < PAUSE / 2, "the head was held"


def decoded_early(codec, response, started):
    """How many bytes could be decoded before the pause ended."""
    deadline = started + PAUSE / 2
    early = [data for at, data in response.arrivals if at < deadline]
    return len(codec.decoder().feed(b"".join(early)))


@pytest.mark.parametrize("size", [1000, 200 * KIB])
def test_unknown_length_is_not_held(nginx, upstream, codec, protocol, size):
    body = corpus.text(size)
    script = HalfAndHalf(chunked_head(), body, chunk, LAST_CHUNK)
    server = start(
        nginx, codec, f"proxy_buffering off; proxy_pass {upstream(script).url};"
    )
    started = time.monotonic()
    response = server.fetch("/", protocol, accept=codec.token)
    assert_encoded(codec, response, body)
    assert_head_came_early(response, started)
    assert decoded_early(codec, response, started) == size // 2
    assert response.header("content-length") is None


def test_noise_of_unknown_length_is_not_held(nginx, upstream, codec, protocol):
    """Nobody can know: it is streamed, and a little larger."""
    body = corpus.noise(1000)
    script = HalfAndHalf(chunked_head(), body, chunk, LAST_CHUNK)
    server = start(
        nginx, codec, f"proxy_buffering off; proxy_pass {upstream(script).url};"
    )
    started = time.monotonic()
    response = server.fetch("/", protocol, accept=codec.token)
    assert_encoded(codec, response, body)
    assert_head_came_early(response, started)


def test_event_stream_of_known_length_is_not_held(
    nginx, upstream, codec, protocol
):
    """In any case, with parameters."""
    body = b"data: %b\n\n" % corpus.text(1000)
    head = response_head(
        {"Content-Length": len(body)},
        content_type="Text/Event-Stream; charset=utf-8",
    )
    script = HalfAndHalf(head, body)
    server = start(
        nginx, codec, f"proxy_buffering off; proxy_pass {upstream(script).url};"
    )
    started = time.monotonic()
    response = server.fetch("/", protocol, accept=codec.token)
    assert_encoded(codec, response, body)
    assert_head_came_early(response, started)
    assert decoded_early(codec, response, started) == len(body) // 2


def test_flush_ends_the_wait(nginx, upstream, codec, protocol):
    """What the upstream flushes is decodable at once, also when its length
    is known and small (HTTP rule 6)."""
    body = corpus.text(2000)
    head = response_head({"Content-Length": len(body)})
    script = HalfAndHalf(head, body)
    server = start(
        nginx, codec, f"proxy_buffering off; proxy_pass {upstream(script).url};"
    )
    started = time.monotonic()
    response = server.fetch("/", protocol, accept=codec.token)
    assert_encoded(codec, response, body)
    assert_head_came_early(response, started)
    assert decoded_early(codec, response, started) == len(body) // 2


@pytest.mark.parametrize("executor", EXECUTORS)
def test_large_response_is_not_held(
    nginx, upstream, codec, protocol, executor
):
    body = corpus.text(5 * MIB)
    head = response_head({"Content-Length": len(body)})
    script = HalfAndHalf(head, body)
    server = start(
        nginx, codec, f"proxy_pass {upstream(script).url};", executor
    )
    started = time.monotonic()
    response = server.fetch("/", protocol, accept=codec.token)
    assert_encoded(codec, response, body)
    assert_head_came_early(response, started)
    assert response.header("content-length") is None


def test_large_noise_is_sent_whole(nginx, upstream, codec, protocol):
    """Too long to be held, and so it is compressed, for what that is worth."""
    body = corpus.noise(5 * MIB)
    script = constant(whole_response(body))
    server = start(nginx, codec, f"proxy_pass {upstream(script).url};")
    response = server.fetch("/", protocol, accept=codec.token)
    assert_encoded(codec, response, body)


@pytest.mark.parametrize("content", [corpus.text, corpus.noise])
@pytest.mark.parametrize("sent", [0, 1, 500, 999])
def test_upstream_that_ends_too_early(
    nginx, upstream, codec, protocol, content, sent
):
    """Held or not, half a response never passes for a whole one."""
    head = response_head({"Content-Length": 1000})
    script = constant(head + content(1000)[:sent])
    server = start(nginx, codec, f"proxy_pass {upstream(script).url};")
    started = time.monotonic()
    response = server.fetch("/", protocol, accept=codec.token, timeout=20)
    assert not (response.status == 200 and response.complete), str(response)
    assert time.monotonic() - started < 5


def test_client_that_leaves_while_the_response_is_held(
    nginx, upstream, codec
):
    """Nothing leaks, nothing is written to who is gone; the next is served."""
    body = corpus.text(2000)
    head = response_head({"Content-Length": len(body)})
    script = HalfAndHalf(head, body)
    server = start(nginx, codec, f"proxy_pass {upstream(script).url};")
    with Http1Connection(server.http1_port) as connection:
        connection.request("/", headers={"Accept-Encoding": codec.token})
        time.sleep(PAUSE / 3)
        connection.abort()
    response = server.fetch("/", accept=codec.token)
    assert_encoded(codec, response, body)
    assert_states_its_length(response)


@pytest.mark.needs("http_sub_module")
def test_filters_above_see_the_content(nginx, codec):
    """sub_filter clears the length, and so what it made is not held."""
    server = nginx(
        server=f"""{enable(codec)}
            sub_filter_types *; sub_filter_once off; sub_filter a bb;""",
        files={"page.html": b"a" * 500},
    )
    response = server.fetch("/page.html", accept=codec.token)
    assert response.complete
    assert response.header("content-encoding") == codec.token
    assert_same(codec.decoder().feed(response.body), b"bb" * 500)
