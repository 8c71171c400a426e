"""zstd_dict_file (case 23): where it is used, and what is refused."""

import pytest
import zstandard

import corpus
from codec_table import ZSTD
from corpus import KIB, MIB
from executors import EXECUTORS, enable, main_for
from expectations import assert_encoded, assert_identity
from nginx_server import check_config
from scripted_upstream import LAST_CHUNK, chunk, chunked_head
from zstd_dictionaries import (
    DICTIONARY_MAGIC,
    FIRST,
    NESTED,
    NESTED_PATHS,
    PAGE,
    RAW,
    RAW_DICTIONARY,
    assert_used,
)

pytestmark = pytest.mark.codecs("zstd")

LARGE = corpus.json_records(2 * MIB)


@pytest.mark.parametrize("kind", ["trained", "raw"])
def test_used_at_every_level_of_nesting(nginx, dictionary, protocol, kind):
    """Case 23."""
    expected = FIRST
    if kind == "raw":
        dictionary.write(RAW)
        expected = RAW_DICTIONARY
    server = nginx(
        http=dictionary.line, server=NESTED, files={"page.json": PAGE}
    )
    for path, level in NESTED_PATHS:
        response = server.fetch(path, protocol, accept="zstd")
        assert_used(response, expected, PAGE, path)
        without = zstandard.compress(PAGE, level)
        assert len(response.body) < len(without) * 0.7, path
    for path in ("/off/page.json", "/level/level/level/page.json?off=1"):
        response = server.fetch(path, protocol, accept="zstd")
        assert_identity(response, PAGE, path)


def test_used_where_only_a_location_compresses(nginx, dictionary):
    """Case 23, with the levels on either side."""
    for http, level in (("zstd_comp_level 9;", ""), ("", "zstd_comp_level 9;")):
        server = nginx(
            http=f"{dictionary.line} {http}",
            server=f"""location / {{
                zstd on; zstd_types *; zstd_min_length 1; {level} }}""",
            files={"page.json": PAGE},
        )
        response = server.fetch("/page.json", accept="zstd")
        assert_used(response, FIRST, PAGE)


def test_the_line_may_come_last(nginx, dictionary):
    server = nginx(
        http=f"{enable(ZSTD)} {dictionary.line}", files={"page.json": PAGE}
    )
    assert_used(server.fetch("/page.json", accept="zstd"), FIRST, PAGE)


def test_path_relative_to_the_configuration(binary):
    """As with other files: the message has the full path."""
    _, output = check_config(binary, http="zstd_dict_file absent/dictionary;")
    assert "/sidepress-" in output and "/absent/dictionary" in output, output


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("level", [-5, 3, 19])
def test_large_responses(
    nginx, upstream, dictionary, protocol, executor, level
):
    """Of known and unknown length; recycled encoders must let it go."""
    body = LARGE if level < 19 else LARGE[: 400 * KIB]

    def script(connection):
        connection.send(chunked_head() + chunk(body) + LAST_CHUNK)

    server = nginx(
        main=main_for(executor),
        http=dictionary.line,
        server=f"""
            {enable(ZSTD, level, executor)} zstd_parallel_segment_size 64k;
            location /proxied {{ proxy_pass {upstream(script).url}; }}
        """,
        files={"large.json": body, "page.json": PAGE},
    )
    for _ in range(2):
        for path in ("/large.json", "/proxied"):
            response = server.fetch(path, protocol, accept="zstd")
            assert_used(response, FIRST, body, path)
        response = server.fetch("/page.json", protocol, accept="zstd")
        assert_used(response, FIRST, PAGE)


@pytest.mark.needs("threads")
@pytest.mark.parametrize("kind", ["trained", "none"])
def test_lanes_are_one_frame(nginx, dictionary, protocol, kind):
    """Case 21: only the first lane has the dictionary, and needs it."""
    body = corpus.text(12 * MIB)
    server = nginx(
        main="thread_pool compressors threads=4;",
        http=dictionary.line if kind == "trained" else "",
        server=f"""
            {enable(ZSTD, 9, "pool")} output_buffers 2 4m;
            zstd_parallel_segment_size 4m;
            location /one/ {{ alias html/; zstd_parallel_tasks 1; }}
        """,
        files={"large.html": body},
    )
    several, one = (
        server.fetch(path, protocol, accept="zstd")
        for path in ("/large.html", "/one/large.html")
    )
    for response in (several, one):
        if kind == "trained":
            assert_used(response, FIRST, body)
        else:
            assert_encoded(ZSTD, response, body)
    assert several.body != one.body, "one lane; is libzstd a shared library?"


def damaged(data):
    """Its tables, which follow the magic and the number, make no sense."""
    return data[:8] + bytes(255 - byte for byte in data[8:200]) + data[200:]


# What is there instead of a dictionary, and what the message says.
REFUSED = {
    "missing": (None, "readable file"),
    "directory": ("directory", "readable file"),
    "empty": (b"", "readable file"),
    "17 MiB": (bytes(17 * MIB), "16m"),
    "7 bytes": (b"1234567", "shorter than 8 bytes"),
    "magic only": (DICTIONARY_MAGIC + b"1234", "damaged"),
    "damaged": (damaged(FIRST.as_bytes()), "damaged"),
    "cut off": (FIRST.as_bytes()[:40], "damaged"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_refused(binary, tmp_path, kind):
    content, reason = REFUSED[kind]
    path = tmp_path / "dictionary"
    if content == "directory":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    status, output = check_config(
        binary, http=f"zstd on; zstd_dict_file {path};"
    )
    assert status != 0, output
    (line,) = [line for line in output.splitlines() if "[emerg]" in line]
    assert '"zstd_dict_file" must be ' in line
    assert f'got "{path}"' in line
    assert reason in line


def test_only_once_and_only_in_http(binary, dictionary):
    for config, reason in (
        ({"http": dictionary.line * 2}, "is duplicate"),
        ({"server": dictionary.line}, "is not allowed here"),
        ({"http": "zstd_dict_file;"}, "invalid number of arguments"),
        ({"http": 'zstd_dict_file "";'}, "must be a readable file"),
    ):
        status, output = check_config(binary, **config)
        assert status != 0 and '"zstd_dict_file"' in output, config
        assert reason in output, output
