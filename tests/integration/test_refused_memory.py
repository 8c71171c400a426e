"""Refused memory: before the header the response goes out as it is, half-way
it ends at once, as incomplete."""

import os
import shutil
import subprocess

import pytest

import corpus
from corpus import MIB
from executors import EXECUTORS, enable, main_for
from expectations import assert_identity
from nginx_server import Binary, NginxServer
from strict_decode import decode_prefix

BODY = corpus.text(8 * MIB)

# Of no other allocation: an output block of this size and its header. Too
# large to be kept for the next slice, so that each asks for memory.
BLOCK_SIZE = 3 * MIB
GRANTED = 2

SHIM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

void *malloc(size_t size) {
  static void *(*next)(size_t);
  static int granted;
  if (next == NULL) next = dlsym(RTLD_NEXT, "malloc");
  if (size >= %d && size < %d &&
      __atomic_add_fetch(&granted, 1, __ATOMIC_RELAXED) > %d) {
    return NULL;
  }
  return next(size);
}
"""

# Whatever the module asks for itself, and not through NGINX.
SHIM_OF_THE_MODULE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

void *malloc(size_t size) {
  static void *(*next)(size_t);
  if (next == NULL) next = dlsym(RTLD_NEXT, "malloc");
  Dl_info caller;
  if (dladdr(__builtin_return_address(0), &caller) != 0 &&
      strstr(caller.dli_fname, "ngx_http_sidepress_module") != NULL) {
    return NULL;
  }
  return next(size);
}
"""


def compiled(directory, text):
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    source, library = directory / "shim.c", directory / "shim.so"
    source.write_text(text)
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True
    )
    return library


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    text = SHIM % (BLOCK_SIZE + 1, BLOCK_SIZE + 64, GRANTED)
    return compiled(tmp_path_factory.mktemp("shim"), text)


@pytest.fixture(scope="module")
def module_shim(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("shim"), SHIM_OF_THE_MODULE)


def refusing(binary, shim, **config):
    environment = {**binary.environment, "LD_PRELOAD": os.fspath(shim)}
    return NginxServer(
        Binary(binary.path, binary.modules, environment), **config
    )


@pytest.mark.parametrize("executor", EXECUTORS)
def test_the_connection_is_cut(binary, shim, codec, protocol, executor):
    server = refusing(
        binary,
        shim,
        main=main_for(executor),
        server=f"""
            {enable(codec, executor=executor)}
            {codec.prefix}_buffers 4 {BLOCK_SIZE};
        """,
        files={"page.html": BODY},
    )
    try:
        # The client would wait for its own timeout if nothing ended it.
        response = server.fetch(
            "/page.html", protocol, accept=codec.token, timeout=10
        )
    finally:
        server.stop()
    assert not response.complete
    decoded, finished = decode_prefix(codec, response.body)
    assert not finished
    assert len(decoded) < len(BODY)
    assert BODY.startswith(decoded)


def test_without_memory_the_response_goes_out_as_it_is(
    binary, module_shim, codec, protocol
):
    server = refusing(
        binary,
        module_shim,
        http="log_format tested '$compress_coding $compress_reason';",
        server=f"{enable(codec)} access_log tested.log tested;",
        files={"page.html": BODY},
    )
    try:
        response = server.fetch("/page.html", protocol, accept=codec.token)
        assert_identity(response, BODY)
        assert response.header("accept-ranges") == "bytes"
        assert response.header("content-length") == str(len(BODY))
        assert response.header("etag").startswith('"')
        assert server.log_lines("tested.log", 1) == ["- memory"]
    finally:
        server.stop()
