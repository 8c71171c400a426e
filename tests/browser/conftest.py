"""Options and fixtures of the browser tests.

    /usr/bin/python3 -m pytest tests/browser -k zstd
    ... --nginx PATH --module FILE
"""

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
DEFAULT_MODULE = REPOSITORY / "build/release/ngx_http_sidepress_module.so"

# One way of running NGINX for both suites.
sys.path.append(str(REPOSITORY / "tests/integration"))

from chromium import Chromium  # noqa: E402
from codec_table import CODECS  # noqa: E402
from nginx_server import Binary, NginxServer  # noqa: E402
from tab import Tab  # noqa: E402

# What Chromium calls a protocol, and the switches that make it speak that one
# to a server that offers both.
PROTOCOLS = {"h2": [], "http/1.1": ["--disable-http2"]}


def pytest_addoption(parser):
    parser.addoption("--nginx", default="nginx", help="the nginx to test")
    parser.addoption(
        "--module",
        default=str(DEFAULT_MODULE),
        help="the module to load; default %(default)s",
    )


@pytest.fixture(params=CODECS)
def codec(request):
    return CODECS[request.param]


@pytest.fixture(scope="session", params=PROTOCOLS)
def protocol(request):
    return request.param


@pytest.fixture(scope="session")
def binary(request):
    module = Path(request.config.getoption("--module")).resolve()
    assert module.exists(), f"{module} is missing: run scripts/build"
    return Binary(request.config.getoption("--nginx"), [str(module)])


@pytest.fixture(autouse=True)
def skip_what_is_not_built(request, binary):
    for mark in request.node.iter_markers("needs"):
        option = f"--with-{mark.args[0]}"
        if not binary.has(option):
            pytest.skip(f"nginx was built without {option}")


@pytest.fixture(scope="session")
def tls(tmp_path_factory):
    """Directives: Chromium takes zstd and br over TLS only."""
    folder = tmp_path_factory.mktemp("tls")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-nodes", "-subj", "/CN=localhost"]
        + ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        + ["-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
        timeout=60,
    )
    return f"ssl_certificate {certificate}; ssl_certificate_key {key};"


@pytest.fixture
def nginx(binary, tls):
    """start(**config); at the end every server must quit cleanly."""
    with ExitStack() as stack:

        def start(server, **config):
            started = NginxServer(
                binary, server=tls + server, listen="ssl", **config
            )
            stack.callback(started.stop)
            return started

        yield start


@pytest.fixture(scope="session")
def browser(protocol):
    with Chromium(PROTOCOLS[protocol]) as started:
        yield started


@pytest.fixture
def tab(browser):
    """A tab with an empty cache of its own."""
    with Tab(browser) as opened:
        yield opened
