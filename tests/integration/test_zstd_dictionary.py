"""zstd_dict_file (cases 23 and 24)."""

import json
import random

import pytest
import zstandard

import corpus
from codec_table import ZSTD
from corpus import KIB, MIB
from crowd import start_concurrently
from executors import EXECUTORS, enable, main_for
from expectations import assert_encoded, assert_identity, assert_same
from http_response import HeldReader
from nginx_server import check_config
from process_stats import resident_bytes
from scripted_upstream import LAST_CHUNK, chunk, chunked_head
from waiting import wait_until

pytestmark = pytest.mark.codecs("zstd")

MAGIC = b"\x37\xa4\x30\xec"


def record(seed):
    """A small answer of an API: the names repeat, the values do not."""
    rng = random.Random(seed)
    return json.dumps(
        {
            "identifier": rng.randrange(10**9),
            "display_name": f"user {rng.randrange(10**6)}",
            "preferences": {"language": rng.choice(["en", "de", "fr"])},
            "permissions": rng.sample(["read", "write", "delete"], 2),
            "last_seen_at": f"2024-0{rng.randint(1, 9)}-11T10:00:00Z",
            "links": {"self": f"https://api.example.org/{rng.randrange(999)}"},
        }
    ).encode()


def trained(seed=0, size=4 * KIB):
    samples = [record(seed + number) for number in range(2000)]
    return zstandard.train_dictionary(size, samples)


FIRST = trained()
SECOND = trained(seed=100000)
RAW = b"".join(record(seed) for seed in range(20))
RAW_DICTIONARY = zstandard.ZstdCompressionDict(
    RAW, dict_type=zstandard.DICT_TYPE_RAWCONTENT
)

PAGE = record(-1)
LARGE = corpus.json_records(2 * MIB)


def decoded(data, dictionary=None):
    """The one frame that `data` is."""
    decoder = zstandard.ZstdDecompressor(
        dict_data=dictionary, max_window_size=8 * MIB
    ).decompressobj()
    content = decoder.decompress(data)
    assert decoder.eof and not decoder.unused_data
    return content


def assert_used(response, dictionary, original, about=""):
    about = f"{about}: {response}"
    assert response.status == 200 and response.complete, about
    assert response.header("content-encoding") == "zstd", about
    assert_same(decoded(response.body, dictionary), original, about)
    header = zstandard.get_frame_parameters(response.body)
    assert header.dict_id == dictionary.dict_id(), about
    with pytest.raises(zstandard.ZstdError):
        decoded(response.body)


NESTED = """
    zstd on; zstd_types *; zstd_min_length 1;
    location /plain/ { alias html/; }
    location /level/ {
        alias html/; zstd_comp_level 7;
        location /level/level/ {
            alias html/; zstd_comp_level -3;
            location /level/level/level/ {
                alias html/; zstd_comp_level 15;
                if ($arg_off) { zstd off; }
            }
        }
    }
    location /off/ {
        alias html/; zstd off;
        location /off/on/ {
            alias html/; zstd on;
            location /off/on/level/ { alias html/; zstd_comp_level 19; }
        }
        location /off/if/ { alias html/; if ($arg_on) { zstd on; } }
    }
"""

NESTED_PATHS = [
    ("/page.json", 1),
    ("/plain/page.json", 1),
    ("/level/page.json", 7),
    ("/level/level/page.json", -3),
    ("/level/level/level/page.json", 15),
    ("/off/on/page.json", 1),
    ("/off/on/level/page.json", 19),
    ("/off/if/page.json?on=1", 1),
]


class Dictionary:
    """A file outside of the server's directory, to be replaced."""

    def __init__(self, path):
        self._path = path

    @property
    def line(self):
        return f"zstd_dict_file {self._path};"

    def write(self, data):
        """As deployments do: the name is moved onto the new file."""
        new = self._path.with_suffix(".new")
        new.write_bytes(data)
        new.rename(self._path)


@pytest.fixture
def dictionary(tmp_path):
    result = Dictionary(tmp_path / "dictionary")
    result.write(FIRST.as_bytes())
    return result


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
    "magic only": (MAGIC + b"1234", "damaged"),
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
    dictionary.write(MAGIC + bytes(100))
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
