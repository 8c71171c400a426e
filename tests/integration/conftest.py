"""Options and fixtures of the integration tests.

    /usr/bin/python3 -m pytest tests/integration -n 2
    ... --nginx PATH --module A.so --module B.so --codec br -m smoke
"""

from contextlib import ExitStack
from pathlib import Path

import pytest

from codec_table import CODECS
from http_clients import PROTOCOLS
from nginx_server import Binary, NginxServer
from scripted_upstream import ScriptedUpstream
from zstd_dictionaries import FIRST, DictionaryFile

REPOSITORY = Path(__file__).resolve().parents[2]
DEFAULT_MODULE = "build/release/ngx_http_sidepress_module.so"


def pytest_addoption(parser):
    parser.addoption("--nginx", default="nginx", help="the nginx to test")
    parser.addoption(
        "--module",
        action="append",
        help=f"a module to load; repeatable; default {DEFAULT_MODULE}",
    )
    parser.addoption(
        "--codec",
        action="append",
        choices=sorted(CODECS),
        help="a content coding to test; repeatable; default all",
    )
    parser.addoption(
        "--nginx-env",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="put into the environment of nginx, such as LD_PRELOAD",
    )
    parser.addoption(
        "--planned",
        action="store_true",
        help="also run the tests of what the module does not have yet",
    )


def pytest_collection_modifyitems(config, items):
    skip_what_is_about_other_codecs(config, items)
    if config.getoption("--planned"):
        return
    planned = [item for item in items if item.get_closest_marker("planned")]
    config.hook.pytest_deselected(items=planned)
    items[:] = [item for item in items if item not in planned]


def skip_what_is_about_other_codecs(config, items):
    """Here, since fixtures of a whole file are made before those of a test."""
    chosen = {codec.token for codec in chosen_codecs(config)}
    for item in items:
        for mark in item.iter_markers("codecs"):
            for token in set(mark.args) - chosen:
                reason = f"is about {token}, which --codec leaves out"
                item.add_marker(pytest.mark.skip(reason=reason))


def chosen_codecs(config):
    return [CODECS[name] for name in config.getoption("--codec") or CODECS]


def pytest_generate_tests(metafunc):
    codecs = chosen_codecs(metafunc.config)
    if {"codec", "level"} <= set(metafunc.fixturenames):
        pairs = [(codec, level) for codec in codecs for level in codec.levels]
        names = [f"{codec.token}-{level}" for codec, level in pairs]
        metafunc.parametrize(("codec", "level"), pairs, ids=names)
    elif "codec" in metafunc.fixturenames:
        names = [codec.token for codec in codecs]
        metafunc.parametrize("codec", codecs, ids=names)


@pytest.fixture(params=PROTOCOLS)
def protocol(request):
    return request.param


@pytest.fixture(scope="session")
def binary(request):
    config = request.config
    modules = config.getoption("--module") or [REPOSITORY / DEFAULT_MODULE]
    pairs = [item.partition("=") for item in config.getoption("--nginx-env")]
    return Binary(
        path=config.getoption("--nginx"),
        modules=[str(Path(module).resolve()) for module in modules],
        environment={name: value for name, _, value in pairs},
    )


@pytest.fixture(autouse=True)
def skip_what_is_not_built(request, binary):
    for mark in request.node.iter_markers("needs"):
        option = f"--with-{mark.args[0]}"
        if not binary.has(option):
            pytest.skip(f"nginx was built without {option}")


def server_factory(binary):
    """Yields start(**config); at the end every server must quit cleanly."""
    with ExitStack() as stack:

        def start(**config):
            server = NginxServer(binary, **config)
            stack.callback(server.stop)
            return server

        yield start


@pytest.fixture
def nginx(binary):
    yield from server_factory(binary)


@pytest.fixture(scope="module")
def shared_nginx(binary):
    """For matrices whose cells share one server, and so one worker."""
    yield from server_factory(binary)


def upstream_factory():
    with ExitStack() as stack:

        def start(script):
            result = ScriptedUpstream(script)
            stack.callback(result.close)
            return result

        yield start


@pytest.fixture
def upstream():
    yield from upstream_factory()


@pytest.fixture(scope="module")
def shared_upstream():
    yield from upstream_factory()


@pytest.fixture
def dictionary(tmp_path):
    """What zstd_dict_file names; it may be replaced."""
    result = DictionaryFile(tmp_path / "dictionary")
    result.write(FIRST.as_bytes())
    return result
