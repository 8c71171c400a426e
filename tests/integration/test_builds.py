"""NGINX built without what others take for granted (case 27), and the module
built with one codec of the two.
"""

import re
import subprocess
from pathlib import Path

import pytest

import corpus
from codec_table import CODECS
from executors import enable
from expectations import assert_encoded, assert_identity
from nginx_server import check_config

BODY = corpus.text(100000)


@pytest.fixture
def without_threads(binary):
    if binary.has("--with-threads"):
        pytest.skip("nginx was built with threads")


@pytest.fixture
def without_gzip(binary):
    if not binary.has("--without-http_gzip_module"):
        pytest.skip("nginx was built with gzip")


@pytest.mark.no_threads
@pytest.mark.usefixtures("without_threads")
def test_works_without_threads(nginx, codec, protocol):
    server = nginx(
        server=f"{enable(codec)} {codec.prefix}_thread_pool off;",
        files={"page.html": BODY},
    )
    response = server.fetch("/page.html", protocol, accept=codec.token)
    assert_encoded(codec, response, BODY)


@pytest.mark.no_threads
@pytest.mark.usefixtures("without_threads")
def test_pool_without_threads_is_a_clear_error(binary, codec):
    line = f"{codec.prefix}_thread_pool compressors;"
    status, output = check_config(binary, http=line)
    assert status != 0
    assert f"{codec.prefix}_thread_pool" in output
    assert "--with-threads" in output


@pytest.mark.no_gzip
@pytest.mark.usefixtures("without_gzip")
def test_works_without_gzip(nginx, codec, protocol):
    server = nginx(server=enable(codec), files={"page.html": BODY})
    for accept in (codec.token, f"gzip, {codec.token};q=0.5"):
        response = server.fetch("/page.html", protocol, accept=accept)
        assert_encoded(codec, response, BODY, accept)
    for accept in ("gzip", None):
        response = server.fetch("/page.html", protocol, accept=accept)
        assert_identity(response, BODY, str(accept))


@pytest.mark.no_gzip
@pytest.mark.usefixtures("without_gzip")
def test_sidecar_without_gzip(nginx, codec, protocol):
    data = codec.compress(BODY, codec.fast_level)
    server = nginx(
        server=f"{codec.prefix}_static on;",
        files={"page.html": BODY, f"page.html{codec.suffix}": data},
    )
    response = server.fetch("/page.html", protocol, accept=codec.token)
    assert response.header("content-encoding") == codec.token
    assert response.body == data
    assert_identity(server.fetch("/page.html", protocol), BODY)


@pytest.mark.no_gzip
@pytest.mark.usefixtures("without_gzip")
def test_vary_without_gzip(nginx, codec):
    server = nginx(
        server=f"{enable(codec)} compress_vary on;", files={"page.html": BODY}
    )
    response = server.fetch("/page.html", accept=codec.token)
    assert response.header("vary") == "Accept-Encoding"
    assert server.fetch("/page.html").header("vary") == "Accept-Encoding"


@pytest.mark.no_gzip
@pytest.mark.usefixtures("without_gzip")
def test_vary_of_a_sidecar_without_gzip(nginx, codec, protocol):
    server = nginx(
        server=f"compress_vary on; {codec.prefix}_static on;",
        files={
            "page.html": BODY,
            f"page.html{codec.suffix}": codec.compress(BODY, codec.levels[0]),
        },
    )
    for accept in (codec.token, None):
        response = server.fetch("/page.html", protocol, accept=accept)
        assert response.header("vary") == "Accept-Encoding", accept


# What every codec has, with a value that is accepted.
DIRECTIVES = [
    "PREFIX on",
    "PREFIX_static on",
    "PREFIX_types *",
    "PREFIX_comp_level 1",
    "PREFIX_min_length 1",
    "PREFIX_max_length 1m",
    "PREFIX_bypass 0",
    "PREFIX_buffers 16 8k",
    "PREFIX_thread_pool off",
    "PREFIX_parallel_tasks 2",
    "PREFIX_idle_encoders 1",
    "PREFIX_reuse_memory off",
]
OWN_DIRECTIVES = {
    "br": ["brotli_window 1m"],
    "zstd": ["zstd_long on", "zstd_window_log 20", "zstd_dict_file /dev/null"],
}


@pytest.fixture
def absent(binary, codec):
    """The codec that was left out."""
    absent = [
        other
        for other in CODECS.values()
        if check_config(binary, http=f"{other.prefix} off;")[0] != 0
    ]
    if not absent:
        pytest.skip("the module was built with all codecs")
    assert codec not in absent, "--codec names a codec that is not built in"
    return absent[0]


@pytest.mark.one_codec
def test_directives_of_the_absent_codec_are_unknown(binary, absent):
    own = OWN_DIRECTIVES[absent.token]
    for line in [*DIRECTIVES, *own]:
        line = line.replace("PREFIX", absent.prefix)
        status, output = check_config(binary, http=f"{line};")
        assert status != 0, line
        assert f'unknown directive "{line.split()[0]}"' in output, output


@pytest.mark.one_codec
def test_variable_of_the_absent_codec_is_unknown(binary, absent):
    name = f"{absent.prefix}_ratio"
    line = f"location / {{ return 200 ${name}; }}"
    status, output = check_config(binary, server=line)
    assert status != 0
    assert f'unknown "{name}" variable' in output


@pytest.mark.one_codec
def test_module_names(binary, codec, absent):
    """Those of the absent codec are free for the module that has them."""
    listing = subprocess.run(
        ["readelf", "--string-dump=.rodata", binary.modules[0]],
        check=True,
        capture_output=True,
        text=True,
        errors="replace",
    ).stdout
    names = set(re.findall(r"ngx_http_\w+_module", listing))
    for kind in ("filter", "static"):
        assert f"ngx_http_{codec.prefix}_{kind}_module" in names
        assert f"ngx_http_{absent.prefix}_{kind}_module" not in names


@pytest.mark.one_codec
def test_next_to_the_module_that_has_the_absent_codec(binary, codec, absent):
    arguments = " ".join(binary.configure_arguments)
    found = re.search(r"--modules-path=(\S+)", arguments)
    theirs = [
        Path(found[1] if found else "", f"ngx_http_{absent.prefix}_{kind}.so")
        for kind in ("filter_module", "static_module")
    ]
    if not all(path.exists() for path in theirs):
        pytest.skip(f"no other module for {absent.token} is installed")
    for modules in ([*binary.modules, *theirs], [*theirs, *binary.modules]):
        status, output = check_config(
            binary,
            modules=modules,
            http=f"{codec.prefix} on; {absent.prefix} on;",
        )
        assert status == 0, output


@pytest.mark.one_codec
def test_works_with_one_codec(nginx, codec, absent, protocol):
    """compress_prefer may name the other one, as a configuration for all
    builds does.
    """
    data = codec.compress(BODY, codec.fast_level)
    server = nginx(
        http=f"compress_prefer {absent.token} {codec.token};",
        server=f"{enable(codec)} {codec.prefix}_static on;",
        files={
            "page.html": BODY,
            "sidecar.html": BODY,
            f"sidecar.html{codec.suffix}": data,
            f"page.html{absent.suffix}": b"not looked at",
        },
    )
    accept = f"{absent.token}, {codec.token};q=0.5"
    response = server.fetch("/page.html", protocol, accept=accept)
    assert_encoded(codec, response, BODY)
    response = server.fetch("/sidecar.html", protocol, accept=accept)
    assert response.body == data
    response = server.fetch("/page.html", protocol, accept=absent.token)
    assert_identity(response, BODY)
