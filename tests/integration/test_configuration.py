"""What `nginx -t` accepts, refuses, and says.

Every message names the directive, the value, and what is accepted. The
module's own messages have the form

    "DIRECTIVE" must be WHAT_IS_ACCEPTED, got "VALUE"

NGINX's own, such as for flags, carry the same three parts in other words.
"""

import re
from pathlib import Path

import pytest

from configuration_lines import (
    ACCEPTED,
    ACCEPTED_ONLY_AT_HTTP,
    GOOGLE_STYLE,
    PLANNED,
    PLANNED_ONLY_AT_HTTP,
    REFUSED,
    REFUSED_BY_CODEC,
    REFUSED_PLANNED,
)
from marks import planned
from nginx_server import check_config

REPLACED = "ngx_http_brotli_filter_module"


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


@pytest.mark.planned
@pytest.mark.parametrize("line, parts", REFUSED_PLANNED, ids=row_name)
def test_refused_planned(binary, codec, line, parts):
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
    [
        ACCEPTED_ONLY_AT_HTTP,
        planned(PLANNED_ONLY_AT_HTTP),
    ],
    ids=["present", "planned"],
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
        planned(PLANNED, PLANNED_ONLY_AT_HTTP),
    ],
    ids=["present", "planned"],
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


@pytest.mark.planned
def test_warning_about_a_slow_level_on_the_loop(binary):
    status, output = check_config(
        binary, http="gzip_vary on; brotli on; brotli_comp_level 11;"
    )
    assert status == 0
    warnings = [line for line in output.splitlines() if "[warn]" in line]
    assert len(warnings) == 1, output
    assert "brotli_comp_level" in warnings[0]
    assert "brotli_thread_pool" in warnings[0]
