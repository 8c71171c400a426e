"""Case 10 and HTTP rule 1: who is served which coding.

The rows speak of one codec as CODEC, so that they hold for every codec.
"""

import pytest

import corpus
from executors import enable
from expectations import assert_encoded, assert_identity
from http1_client import Http1Connection

BODY = corpus.text(20000)

CHOSEN = [
    "CODEC",
    "CODEC;q=1",
    "CODEC;q=0.001",
    "CODEC;q=1.000",
    "CODEC ; q=0.5",
    "CODEC;Q=0.5",
    "CODEC;level=1",
    "CODEC;level=1;q=0.5",
    "identity, CODEC",
    "identity;q=0.5, CODEC",
    ",, CODEC ,",
    "deflate,CODEC",
    "x-unknown;q=1, CODEC;q=0.5",
    "*;q=0, CODEC",
    "gzip;x=y, CODEC",
    "compress;q=x, CODEC",
]

NOT_CHOSEN = [
    "",
    "*",
    "*;q=1",
    "*;q=0",
    "identity",
    "CODECx",
    "xCODEC",
    "x-CODEC",
    "CODEC-x",
    "CODEC/1",
    "CODEC;q=0",
    "CODEC;q=0.",
    "CODEC;q=0.0",
    "CODEC;q=0.000",
    "CODEC;Q=0",
    "CODEC; q=0",
    "CODEC;q=x",
    "CODEC;q=",
    "CODEC;q=2",
    "CODEC;q=1.001",
    "CODEC;q=0.0001",
    "CODEC;q=-1",
    "CODEC;q= 1x",
    "CODEC;level=1;q=0",
    'deflate;x="a, CODEC"',
    'deflate;x="\\", CODEC"',
]


@pytest.fixture
def server(nginx, codec):
    return nginx(
        server=f"""
            {enable(codec)}
            location /gzip/ {{
                alias html/; gzip on; gzip_min_length 1; gzip_types *;
            }}
        """,
        files={"page.html": BODY},
    )


@pytest.mark.smoke
def test_list_members_that_select_the_codec(server, codec, protocol):
    for row in CHOSEN:
        accept = row.replace("CODEC", codec.token)
        response = server.fetch("/page.html", protocol, accept=accept)
        assert_encoded(codec, response, BODY, repr(accept))


@pytest.mark.smoke
def test_list_members_that_do_not_select_the_codec(server, codec, protocol):
    for row in NOT_CHOSEN:
        accept = row.replace("CODEC", codec.token)
        response = server.fetch("/page.html", protocol, accept=accept)
        assert_identity(response, BODY, repr(accept))


def test_coding_names_ignore_case(server, codec):
    response = server.fetch("/page.html", accept=codec.token.upper())
    assert_encoded(codec, response, BODY)


def test_absent_header(server, protocol):
    assert_identity(server.fetch("/page.html", protocol), BODY)


def raw_accept(server, header_lines):
    with Http1Connection(server.http1_port) as connection:
        lines = ["GET /page.html HTTP/1.1", "Host: localhost", *header_lines]
        connection.send("\r\n".join([*lines, "", ""]).encode())
        return connection.response()


def test_tab_counts_as_white_space(server, codec):
    """RFC 9110 5.6.3: OWS is SP and HTAB."""
    token = codec.token
    for value in (f"\t{token}", f"gzip,\t{token}\t;\tq=1", f"\t{token};\tq=1"):
        response = raw_accept(server, [f"Accept-Encoding:{value}"])
        assert_encoded(codec, response, BODY, repr(value))
    response = raw_accept(server, [f"Accept-Encoding: {token}\t;\tq=0"])
    assert_identity(response, BODY)


def test_two_header_lines_form_one_list(server, codec, protocol):
    for values in (("identity", codec.token), (codec.token, "identity")):
        lines = [("accept-encoding", value) for value in values]
        response = server.fetch("/page.html", protocol, headers=lines)
        assert_encoded(codec, response, BODY, str(values))


@pytest.mark.parametrize(
    "row, expected",
    [
        ("gzip;q=1, CODEC;q=0.5", "gzip"),
        ("CODEC;q=0.5, gzip;q=1", "gzip"),
        ("gzip;q=0.5, CODEC;q=0.501", "CODEC"),
        ("gzip, CODEC", "CODEC"),
        ("CODEC;q=0.5, gzip;q=0.5", "CODEC"),
        ("gzip;q=0, CODEC;q=0.1", "CODEC"),
        ("gzip;q=0.1, CODEC;q=0", "gzip"),
        ("gzip", "gzip"),
        ("gzip, *;q=0", "gzip"),
    ],
)
def test_gzip_takes_part_when_it_is_on(server, codec, row, expected):
    accept = row.replace("CODEC", codec.token)
    response = server.fetch("/gzip/page.html", accept=accept)
    coding = expected.replace("CODEC", codec.token)
    assert response.header("content-encoding") == coding, accept


@pytest.mark.parametrize(
    "http, server, location",
    [
        ("", "gzip on;", ""),
        ("gzip on;", "", ""),
        ("", "", "gzip on;"),
        ("gzip_types text/css;", "gzip on;", ""),
        ("gzip_types application/x-other;", "gzip on; gzip_types *;", ""),
        ("gzip_types *;", "", "gzip on;"),
        ("", "gzip_types text/css;", "gzip on;"),
    ],
)
def test_gzip_types_at_every_level(nginx, codec, http, server, location):
    """text/html is always among them, also by default."""
    server = nginx(
        http=http,
        server=f"{enable(codec)} {server} location / {{ {location} }}",
        files={"page.html": BODY},
    )
    accept = f"gzip;q=1, {codec.token};q=0.5"
    response = server.fetch("/page.html", accept=accept)
    assert response.header("content-encoding") == "gzip"


def test_gzip_does_not_take_part_when_it_is_off(server, codec):
    accept = f"gzip;q=1, {codec.token};q=0.5"
    response = server.fetch("/page.html", accept=accept)
    assert_encoded(codec, response, BODY)


@pytest.mark.parametrize(
    "condition",
    [
        "gzip_min_length 1000000;",
        "gzip_types application/x-other;",
        'gzip_disable "client";',
        "gzip_proxied off;",
    ],
)
def test_gzip_takes_part_only_when_its_conditions_hold(
    nginx, codec, condition
):
    http = "" if "min_length" in condition else "gzip_min_length 1;"
    server = nginx(
        http=http,
        server=f"{enable(codec)} gzip on; {condition}",
        files={"page.txt": BODY},
    )
    response = server.fetch(
        "/page.txt",
        accept=f"gzip;q=1, {codec.token};q=0.5",
        headers={"User-Agent": "client", "Via": "1.1 proxy"},
    )
    assert_encoded(codec, response, BODY)


def test_prefer_breaks_ties(nginx, codec):
    """compress_prefer: the client's weights come first."""
    server = nginx(
        http=f"compress_prefer gzip {codec.token};",
        server=f"{enable(codec)} gzip on; gzip_types *;",
        files={"page.html": BODY},
    )
    for accept, coding in (
        (f"{codec.token}, gzip", "gzip"),
        (f"{codec.token}, gzip;q=0.9", codec.token),
    ):
        response = server.fetch("/page.html", accept=accept)
        assert response.header("content-encoding") == coding, accept


def test_prefer_is_inherited_until_it_is_set_again(nginx, codec):
    server = nginx(
        http="compress_prefer gzip;",
        server=f"""
            {enable(codec)} gzip on; gzip_types *;
            location /again/ {{ alias html/; compress_prefer {codec.token}; }}
        """,
        files={"page.html": BODY},
    )
    accept = f"gzip, {codec.token}"
    for path, coding in (("/", "gzip"), ("/again/", codec.token)):
        response = server.fetch(f"{path}page.html", accept=accept)
        assert response.header("content-encoding") == coding, path


@pytest.mark.needs("http_gzip_static_module")
@pytest.mark.parametrize(
    "prefer, expected", [("gzip CODEC", "gzip"), ("CODEC gzip", "CODEC")]
)
def test_prefer_among_sidecars(nginx, codec, prefer, expected):
    """The client's weights come first here too."""
    token = codec.token
    server = nginx(
        http=f"compress_prefer {prefer.replace('CODEC', token)};",
        server=f"{codec.prefix}_static on; gzip_static on;",
        files={
            "page.html": BODY,
            "page.html.gz": b"not looked at",
            f"page.html{codec.suffix}": codec.compress(BODY, codec.fast_level),
        },
    )
    for accept, coding in (
        (f"{token}, gzip", expected.replace("CODEC", token)),
        (f"{token};q=0.5, gzip;q=0.6", "gzip"),
        (f"{token};q=0.6, gzip;q=0.5", token),
    ):
        response = server.fetch("/page.html", accept=accept)
        assert response.header("content-encoding") == coding, accept
