"""A response whose memory is refused half-way ends at once, as incomplete."""

import os
import shutil
import subprocess

import pytest

import corpus
from corpus import MIB
from executors import EXECUTORS, enable, main_for
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


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    directory = tmp_path_factory.mktemp("shim")
    source = directory / "shim.c"
    source.write_text(SHIM % (BLOCK_SIZE + 1, BLOCK_SIZE + 64, GRANTED))
    library = directory / "shim.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True
    )
    return library


@pytest.mark.parametrize("executor", EXECUTORS)
def test_the_connection_is_cut(binary, shim, codec, protocol, executor):
    refusing = Binary(
        binary.path,
        binary.modules,
        {**binary.environment, "LD_PRELOAD": os.fspath(shim)},
    )
    server = NginxServer(
        refusing,
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
