"""What `nginx -t` accepts, refuses, and says.

Every message names the directive, the value, and what is accepted. The
module's own messages have the form

    "DIRECTIVE" must be WHAT_IS_ACCEPTED, got "VALUE"

NGINX's own, such as for flags, carry the same three parts in other words.
"""

import re
from pathlib import Path

import pytest

from nginx_server import check_config

REPLACED = "ngx_http_brotli_filter_module"

# Line, and parts of the message besides directive and value.
# PREFIX stands for the directive prefix of a codec.
REFUSED = [
    ("PREFIX maybe", ["on", "off"]),
    ("PREFIX_static sometimes", ["on", "off", "always"]),
    ("PREFIX_min_length -1", []),
    ("PREFIX_min_length x", []),
    ("PREFIX_max_length x", []),
    ("PREFIX_buffers 0 8k", []),
    ("PREFIX_buffers x 8k", []),
    ("PREFIX_buffers 16 x", []),
    ("PREFIX_buffers 16 0", []),
    ("PREFIX_reuse_memory maybe", ["on", "off"]),
    (
        "PREFIX_retention_policy sometimes",
        ["aggressive", "current_config", "release_all", "bounded"],
    ),
    ("PREFIX_retention_policy bounded x", []),
    ("PREFIX_parallel_segment_size 63k", ["64k", "16m"]),
    ("PREFIX_parallel_segment_size 17m", ["64k", "16m"]),
    ("PREFIX_parallel_segment_size x", ["64k", "16m"]),
    ("PREFIX_parallel_tasks 0", ["1", "1024"]),
    ("PREFIX_parallel_tasks 1025", ["1", "1024"]),
    ("PREFIX_parallel_tasks x", ["1", "1024"]),
    ("PREFIX_parallel_compressors 1025", ["0", "1024"]),
    ("PREFIX_parallel_compressors x", ["0", "1024"]),
    ("PREFIX_idle_encoders 1025", ["0", "1024"]),
    ("PREFIX_idle_encoders -1", ["0", "1024"]),
    ("compress_prefer lz4", ["br", "zstd", "gzip"]),
    ("compress_memory x", ["off"]),
    ("compress_thread_priority high", ["normal", "low", "idle"]),
    ("compress_vary maybe", ["on", "off"]),
    ("compress_proxied sometimes", []),
    ("compress_flush_after x", ["off"]),
    ("compress_statuses 204", []),
    ("compress_statuses 200 205", []),
    ("compress_statuses 206", []),
    ("compress_statuses 304", []),
    ("compress_statuses 101", []),
    ("compress_statuses 99", []),
    ("compress_statuses 1000", []),
    ("compress_statuses x", []),
    ("compress_no_transform maybe", ["on", "off"]),
    ("compress_etag gone", ["weak", "keep", "strip"]),
]

# Bounds that belong to one codec.
REFUSED_BROTLI = [
    ("brotli_comp_level -1", ["0", "11"]),
    ("brotli_comp_level 12", ["0", "11"]),
    ("brotli_comp_level x", ["0", "11"]),
    ("brotli_comp_level 6x", ["0", "11"]),
    ("brotli_window 3m", ["power of two", "1k", "16m"]),
    ("brotli_window 512", ["1k", "16m"]),
    ("brotli_window 32m", ["1k", "16m"]),
    ("brotli_window 0", ["1k", "16m"]),
    ("brotli_window x", ["1k", "16m"]),
]

REFUSED_BY_CODEC = {"br": REFUSED_BROTLI}

ACCEPTED = """
    PREFIX on;
    PREFIX_static always;
    PREFIX_types text/plain text/css application/json *;
    PREFIX_min_length 0;
    PREFIX_max_length 100m;
    PREFIX_buffers 16 8k;
    PREFIX_reuse_memory off;
    PREFIX_retention_policy bounded 16m;
    PREFIX_bypass $http_x $arg_y;
    PREFIX_thread_pool compressors;
    PREFIX_parallel_segment_size 64k;
    PREFIX_parallel_tasks 1024;
"""

ACCEPTED_FOR_ALL_CODECS = """
    compress_prefer PREFER gzip;
    compress_vary on;
    compress_proxied expired no-cache no-store private auth;
    compress_flush_after 50ms;
    compress_statuses 200 201 404 500;
    compress_no_transform on;
    compress_etag keep;
"""

ACCEPTED_ONLY_AT_HTTP = """
    PREFIX_idle_encoders 0;
    PREFIX_parallel_compressors 1024;
"""

ACCEPTED_FOR_ALL_CODECS_ONLY_AT_HTTP = """
    compress_memory off;
    compress_thread_priority idle;
"""

GOOGLE_STYLE = """
    brotli on;
    brotli_static on;
    brotli_types text/plain text/css application/javascript
        application/json image/svg+xml font/ttf;
    brotli_buffers 16 8k;
    brotli_comp_level 6;
    brotli_window 1m;
    brotli_min_length 256;
"""


def filled(text, codec):
    return text.replace("PREFIX", codec.prefix).replace("PREFER", codec.token)


def error_line(output):
    (line,) = [line for line in output.splitlines() if "[emerg]" in line]
    return line


def assert_refused(binary, line, parts, **config):
    directive, *values = line.split()
    status, output = check_config(binary, http=f"{line};", **config)
    assert status != 0, f"accepted: {line}"
    message = error_line(output)
    assert "unknown directive" not in message, message
    assert f'"{directive}"' in message, message
    if "buffers" not in directive:
        # Alone, or as the end of all the values: got "bounded x".
        assert re.search(rf'[" ]{re.escape(values[-1])}"', message), message
    for part in parts:
        assert re.search(rf"\b{re.escape(part)}\b", message), (part, message)
    own_form = re.search(r'" must be .+, got "', message)
    own_words = re.search(r'invalid value ".*" in ".*" directive', message)
    assert own_form or own_words, message


def row_name(item):
    return item if isinstance(item, str) else ""


@pytest.mark.smoke
@pytest.mark.parametrize("line, parts", REFUSED, ids=row_name)
def test_refused(binary, codec, line, parts):
    assert_refused(binary, filled(line, codec), parts)


def test_refused_by_this_codec(binary, codec):
    for line, parts in REFUSED_BY_CODEC[codec.token]:
        assert_refused(binary, line, parts)


def test_exact_message(binary):
    _, output = check_config(binary, http="brotli_window 3m;")
    expected = '"brotli_window" must be a power of two between 1k and 16m'
    assert expected + ', got "3m"' in error_line(output)


def test_wrong_number_of_values(binary, codec):
    for line in ("PREFIX_buffers 16", "PREFIX_comp_level", "PREFIX_window 1 2"):
        status, output = check_config(binary, http=filled(line, codec) + ";")
        assert status != 0
        assert f'"{filled(line, codec).split()[0]}"' in error_line(output)


def test_repeated_directive(binary, codec):
    line = f"{codec.prefix}_comp_level 1;"
    status, output = check_config(binary, http=line + line)
    assert status != 0
    assert "is duplicate" in error_line(output)


@pytest.mark.parametrize(
    "lines",
    [ACCEPTED_ONLY_AT_HTTP, ACCEPTED_FOR_ALL_CODECS_ONLY_AT_HTTP],
    ids=["of the codec", "for all codecs"],
)
def test_directives_of_the_http_level(binary, codec, lines):
    for line in filled(lines, codec).strip().splitlines():
        status, output = check_config(binary, server=line)
        assert status != 0, line
        assert "is not allowed here" in error_line(output)


@pytest.mark.needs("threads")
def test_unknown_thread_pool(binary, codec):
    """Case 27."""
    line = f"{codec.prefix}_thread_pool absent"
    status, output = check_config(binary, http=f"{line};")
    assert status != 0
    message = error_line(output)
    assert "absent" in message
    assert (
        f"{codec.prefix}_thread_pool" in message
        or 'unknown thread pool "absent"' in message
    ), message


@pytest.mark.needs("threads")
@pytest.mark.parametrize(
    "lines, http_lines",
    [
        (ACCEPTED, ACCEPTED_ONLY_AT_HTTP),
        (ACCEPTED_FOR_ALL_CODECS, ACCEPTED_FOR_ALL_CODECS_ONLY_AT_HTTP),
    ],
    ids=["of the codec", "for all codecs"],
)
def test_accepted_at_every_level(binary, codec, lines, http_lines):
    lines, http_lines = filled(lines, codec), filled(http_lines, codec)
    main = "thread_pool compressors threads=2;"
    for config in (
        {"http": lines + http_lines},
        {"server": lines},
        {"server": f"location / {{ {lines} }}"},
        {"server": f"location / {{ if ($arg_x) {{ {codec.prefix} on; }} }}"},
    ):
        status, output = check_config(binary, main=main, **config)
        assert status == 0, output


def test_every_level_and_window(binary):
    for level in range(12):
        config = f"brotli_comp_level {level}; brotli_thread_pool off;"
        status, output = check_config(binary, http=config)
        assert status == 0, output
    for exponent in range(10, 25):
        status, output = check_config(
            binary, http=f"brotli_window {2 ** exponent};"
        )
        assert status == 0, output


def test_configuration_written_for_the_module_that_is_replaced(binary):
    for where in ("http", "server"):
        status, output = check_config(binary, **{where: GOOGLE_STYLE})
        assert status == 0, output


def test_rough_values_that_that_module_accepts(binary):
    for line in ("brotli_window 512k", "brotli_min_length 0"):
        status, output = check_config(binary, http=f"{line};")
        assert status == 0, output


@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_loaded_next_to_the_module_that_is_replaced(binary, first):
    arguments = " ".join(binary.configure_arguments)
    found = re.search(r"--modules-path=(\S+)", arguments)
    theirs = Path(found[1] if found else "") / f"{REPLACED}.so"
    if not theirs.exists() or str(theirs) in binary.modules:
        pytest.skip("the module that is replaced is not installed")
    modules = [*binary.modules, theirs]
    if first == "theirs":
        modules.reverse()
    status, output = check_config(binary, modules=modules)
    assert status != 0
    assert REPLACED in error_line(output)


def test_no_warning_about_a_plain_configuration(binary, codec):
    status, output = check_config(
        binary, http="gzip_vary on;", server=f"{codec.prefix} on;"
    )
    assert status == 0
    assert "[warn]" not in output, output


def test_warning_about_a_slow_level_on_the_loop(binary):
    status, output = check_config(
        binary, http="gzip_vary on; brotli on; brotli_comp_level 11;"
    )
    assert status == 0
    warnings = [line for line in output.splitlines() if "[warn]" in line]
    assert len(warnings) == 1, output
    assert "brotli_comp_level" in warnings[0]
    assert "brotli_thread_pool" in warnings[0]
