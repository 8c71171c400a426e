"""What only Zstandard has: frame headers, windows, levels below 1."""

import pytest
import zstandard

import corpus
from codec_table import ZSTD
from corpus import KIB, MIB
from executors import enable
from expectations import assert_encoded, assert_same
from nginx_server import check_config
from scripted_upstream import chunk, chunked_head, whole_response
from scripted_upstream import LAST_CHUNK
from strict_decode import decode

pytestmark = pytest.mark.codecs("zstd")

LARGEST_WINDOW = 8 * MIB
UNKNOWN = zstandard.CONTENTSIZE_UNKNOWN

# About a frame's field of the length: one byte up to 255 (a frame of one
# segment), two up to 65791, four above.
LENGTHS = [100, 255, 256, 65791, 65792, 300000]

WINDOW_LINES = {
    "plain": "",
    "long": "zstd_long on;",
    "window": "zstd_window_log 23;",
    "both": "zstd_long on; zstd_window_log 23;",
}

SMALL = corpus.text(200 * KIB)


def repeated_at(distance):
    """1 MiB that does not compress, twice; between, what is cheap to do."""
    unique = corpus.noise(MIB)
    return unique + corpus.pages(distance - MIB, seed=2) + unique


def serve(bodies):
    """/chunked/NAME without a length, /whole/NAME with one."""

    def script(connection):
        _, kind, name = connection.path.split("/")
        body = bodies[name]
        if kind == "whole":
            connection.send(whole_response(body))
        else:
            data = chunked_head() + chunk(body) + LAST_CHUNK
            connection.send(data)

    return script


def frame(response):
    return zstandard.get_frame_parameters(response.body)


def start(nginx, origin, lines):
    """One location for each item of {name: directives}."""
    places = "".join(
        f"""location /{name}/ {{
            proxy_pass {origin.url}/; {directives} }}"""
        for name, directives in lines.items()
    )
    return nginx(server=enable(ZSTD) + places)


def level_line(level):
    return f"zstd_comp_level {level};"


@pytest.mark.parametrize("level", [-5, 1, 3, 12, 19])
def test_length_in_the_frame_header(nginx, upstream, protocol, level):
    """It is there when NGINX knows it; decoders then check it."""
    line = b"smaller "
    bodies = {str(length): (line * length)[:length] for length in LENGTHS}
    origin = upstream(serve(bodies))
    server = nginx(
        server=f"""
            {enable(ZSTD, level)}
            location /proxied/ {{ proxy_pass {origin.url}/; }}
        """,
        files=bodies,
    )
    for name, body in bodies.items():
        for path, expected in (
            (f"/{name}", len(body)),
            (f"/proxied/whole/{name}", len(body)),
            (f"/proxied/chunked/{name}", UNKNOWN),
        ):
            response = server.fetch(path, protocol, accept="zstd")
            assert_encoded(ZSTD, response, body, path)
            assert frame(response).content_size == expected, path


def test_no_length_when_another_filter_changes_it(nginx, protocol):
    page = corpus.json_records(100 * KIB)
    server = nginx(
        server=f"""
            {enable(ZSTD)} sub_filter_types *; sub_filter_once off;
            sub_filter user somebody;
        """,
        files={"page.html": page},
    )
    response = server.fetch("/page.html", protocol, accept="zstd")
    assert_encoded(ZSTD, response, page.replace(b"user", b"somebody"))
    assert frame(response).content_size == UNKNOWN


@pytest.mark.parametrize("lines", WINDOW_LINES)
def test_window_at_every_level(nginx, upstream, lines):
    """Case 20. The length is not known, so the level alone decides."""
    origin = upstream(serve({"small": SMALL}))
    levels = {
        f"level{level}": level_line(level) + WINDOW_LINES[lines]
        for level in range(-5, 23)
        if level != 0
    }
    server = start(nginx, origin, levels)
    for name in levels:
        response = server.fetch(f"/{name}/chunked/small", accept="zstd")
        assert_encoded(ZSTD, response, SMALL, name)
        assert frame(response).window_size <= LARGEST_WINDOW, name
        if lines != "plain":
            assert frame(response).window_size == LARGEST_WINDOW, name


@pytest.mark.parametrize(
    "level, distance",
    [(-5, 11 * MIB), (3, 11 * MIB), (19, 8 * MIB + 64 * KIB)],
)
def test_nothing_reaches_back_beyond_8_mib(nginx, upstream, level, distance):
    """Case 20, with a body that invites to it."""
    body = repeated_at(distance)
    origin = upstream(serve({"body": body}))
    server = start(
        nginx,
        origin,
        {name: level_line(level) + WINDOW_LINES[name] for name in WINDOW_LINES},
    )
    names = WINDOW_LINES if level < 19 else ("both",)
    for name in names:
        response = server.fetch(f"/{name}/chunked/body", accept="zstd")
        assert_encoded(ZSTD, response, body, name)
        assert len(response.body) > 2 * MIB, name


def test_length_around_the_largest_window(nginx, protocol):
    """A frame of one segment has its length as its window."""
    bodies = {
        f"{length}.html": corpus.pages(length)
        for length in (8 * MIB - 1, 8 * MIB, 8 * MIB + 1, 12 * MIB)
    }
    server = nginx(
        server=f"{enable(ZSTD)} zstd_long on; zstd_window_log 23;", files=bodies
    )
    for name, body in bodies.items():
        response = server.fetch(f"/{name}", protocol, accept="zstd")
        assert_encoded(ZSTD, response, body, name)
        assert frame(response).content_size == len(body)
        assert frame(response).window_size <= LARGEST_WINDOW, name


def test_long_finds_what_is_far_behind(nginx, upstream):
    body = repeated_at(6 * MIB)
    origin = upstream(serve({"body": body}))
    server = start(nginx, origin, WINDOW_LINES)
    plain, long = (
        server.fetch(f"/{name}/chunked/body", accept="zstd")
        for name in ("plain", "long")
    )
    for response in (plain, long):
        assert_encoded(ZSTD, response, body)
    assert len(plain.body) - len(long.body) > 0.9 * MIB


def test_window_log(nginx, upstream):
    bodies = {"body": corpus.text(3 * MIB)}
    origin = upstream(serve(bodies))
    lines = {f"log{log}": f"zstd_window_log {log};" for log in range(10, 24)}
    server = start(nginx, origin, lines)
    for log in range(10, 24):
        response = server.fetch(f"/log{log}/chunked/body", accept="zstd")
        assert_encoded(ZSTD, response, bodies["body"], str(log))
        assert frame(response).window_size == 1 << log
        response = server.fetch(f"/log{log}/whole/body", accept="zstd")
        assert_encoded(ZSTD, response, bodies["body"], str(log))
        assert frame(response).window_size <= max(1 << log, 3 * MIB)
        if log < 21:
            assert frame(response).window_size == 1 << log


def test_levels_take_effect(nginx, upstream):
    """Below 1 as well: the lower, the larger."""
    body = corpus.json_records(500 * KIB)
    origin = upstream(serve({"body": body}))
    levels = (-131072, -1000, -50, -5, -1, 1, 19)
    server = start(nginx, origin, {f"level{n}": level_line(n) for n in levels})
    sizes = []
    for level in levels:
        path = f"/level{level}/chunked/body"
        response = server.fetch(path, accept="zstd")
        assert_encoded(ZSTD, response, body, path)
        sizes.append(len(response.body))
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes[2:])) == len(sizes[2:]), sizes


def block_sizes(data):
    """As the headers of a frame's blocks say; RFC 8878 section 3.1.1.2."""
    at, last = zstandard.frame_header_size(data), False
    while not last:
        header = int.from_bytes(data[at : at + 3], "little")
        last, kind, size = header & 1, header >> 1 & 3, header >> 3
        yield size
        at += 3 + (1 if kind == 1 else size)
    assert at == len(data)


@pytest.mark.parametrize("target", ["1340", "4k", "128k"])
def test_target_cblock_size(binary, nginx, target):
    """Old libraries do not have it: a warning says so, and nothing else."""
    lines = f"{enable(ZSTD)} zstd_target_cblock_size {target};"
    status, output = check_config(binary, server=lines)
    warnings = [line for line in output.splitlines() if "[warn]" in line]
    assert status == 0, output
    assert len(warnings) <= 1, output
    assert all('"zstd_target_cblock_size"' in line for line in warnings)

    # libzstd 1.5.4 takes seconds per MiB to find blocks of 128k.
    body = SMALL
    server = nginx(server=lines, files={"page.html": body})
    response = server.fetch("/page.html", accept="zstd")
    assert_encoded(ZSTD, response, body)
    if target == "4k" and not warnings:
        sizes = sorted(block_sizes(response.body))
        assert sizes[len(sizes) // 2] < 8 * KIB


def test_one_frame_of_bytes_that_do_not_compress(nginx, upstream):
    """Raw blocks stay within the window's block size, which is small here."""
    body = corpus.noise(300 * KIB)
    origin = upstream(serve({"body": body}))
    server = start(nginx, origin, {"small": "zstd_window_log 10;"})
    response = server.fetch("/small/chunked/body", accept="zstd")
    assert response.header("content-encoding") == "zstd"
    assert_same(decode(ZSTD, response.body), body)
    assert max(block_sizes(response.body)) <= KIB


def decoded_length(data):
    """Without holding the content."""
    reader = zstandard.ZstdDecompressor(
        max_window_size=LARGEST_WINDOW
    ).stream_reader(data)
    length = 0
    while piece := reader.read(4 * MIB):
        assert piece.count(0) == len(piece)
        length += len(piece)
    return length


def test_more_than_4_gib(nginx):
    """Case 29."""
    size = 2**32 + 12345
    server = nginx(
        http="log_format tested $zstd_ratio;",
        server=f"{enable(ZSTD, -5)} access_log tested.log tested;",
        files={"zeros.html": b""},
    )
    with open(server.html / "zeros.html", "r+b") as sparse:
        sparse.truncate(size)
    response = server.fetch("/zeros.html", accept="zstd", timeout=300)
    assert response.status == 200 and response.complete
    assert frame(response).content_size == size
    assert frame(response).window_size <= LARGEST_WINDOW
    assert decoded_length(response.body) == size
    thousandths = size * 1000 // len(response.body)
    expected = f"{thousandths // 1000}.{thousandths % 1000:03}"
    assert server.log_lines("tested.log", 1) == [expected]
