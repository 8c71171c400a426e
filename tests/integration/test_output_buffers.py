"""Case 1: sizes around the blocks in which a file is read."""

import pytest

import corpus
from conftest import chosen_codecs
from corpus import MIB
from executors import EXECUTORS, enable, main_for
from expectations import assert_encoded

SIZES = (131071, 131072, 131073, 262143, 262144, 262145)
SIZES += (MIB - 1, MIB, MIB + 1)

BUFFERS = {"512k": "1 512k", "32k": "1 32k", "128k": "2 128k", "5k": "3 5000"}


@pytest.fixture(scope="module", params=EXECUTORS)
def server(request, shared_nginx):
    locations = "\n".join(
        f"location /{codec.token}/{level}/{name}/ {{"
        f" alias html/; output_buffers {buffers};"
        f" {enable(codec, level, request.param)} }}"
        for codec in chosen_codecs(request.config)
        for level in codec.levels
        for name, buffers in BUFFERS.items()
    )
    return shared_nginx(
        main=main_for(request.param),
        server=locations,
        files={f"{size}.html": corpus.pages(size) for size in SIZES},
    )


@pytest.mark.parametrize("buffers", BUFFERS)
def test_every_size(server, codec, level, buffers):
    for size in SIZES:
        path = f"/{codec.token}/{level}/{buffers}/{size}.html"
        response = server.fetch(path, accept=codec.token)
        assert_encoded(codec, response, corpus.pages(size), path)
