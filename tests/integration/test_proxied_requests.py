"""compress_proxied: requests that came through a proxy.

NGINX's own gzip, with the same parameters, says what is right.
"""

import pytest

import corpus
from executors import enable
from expectations import assert_encoded, assert_identity
from scripted_upstream import whole_response

BODY = corpus.text(20000)
PAST = "Thu, 01 Jan 1998 00:00:00 GMT"
BEFORE_PAST = "Thu, 01 Jan 1997 00:00:00 GMT"
FUTURE = "Thu, 01 Jan 2037 00:00:00 GMT"

# `off` and `any` with others, each condition alone, and all of them.
PARAMETERS = [
    "off",
    "off any",
    "any",
    "any expired",
    "expired",
    "no-cache",
    "no-store",
    "private",
    "no_last_modified",
    "no_etag",
    "auth",
    "expired no-cache no-store private no_last_modified no_etag auth",
]

# Headers of the upstream's response.
RESPONSES = [
    {},
    {"Expires": PAST},
    {"Expires": FUTURE},
    {"Expires": PAST, "Date": BEFORE_PAST},
    {"Expires": PAST, "Date": "yesterday"},
    {"Expires": "0"},
    {"Expires": PAST, "Cache-Control": "public"},
    {"Expires": FUTURE, "Cache-Control": "no-store"},
    {"Cache-Control": "max-age=60"},
    {"Cache-Control": "no-cache"},
    {"Cache-Control": "max-age=0, No-Store"},
    {"Cache-Control": "private,max-age=0"},
    {"Cache-Control": 'private="x"'},
    {"Cache-Control": "privately"},
    {"Last-Modified": PAST},
    {"ETag": '"e"'},
    {"Last-Modified": PAST, "ETag": '"e"'},
]

REQUESTS = [
    {"Via": "1.1 proxy"},
    {"Via": "1.1 proxy", "Authorization": "Basic eDp5"},
    {},
]


@pytest.fixture
def answers(upstream):
    """One upstream; the path says which response it gives."""

    def script(connection):
        headers = RESPONSES[int(connection.path.strip("/"))]
        connection.send(whole_response(BODY, headers))

    return upstream(script)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_means_what_it_means_to_gzip(nginx, answers, codec, parameters):
    server = nginx(
        http=f"gzip_types *; gzip_min_length 1; gzip_proxied {parameters};",
        server=f"""
            proxy_pass_header Date;
            location /gzip/ {{ gzip on; proxy_pass {answers.url}/; }}
            location /ours/ {{
                {enable(codec)} compress_proxied {parameters};
                proxy_pass {answers.url}/;
            }}
        """,
    )
    for number, answer in enumerate(RESPONSES):
        for headers in REQUESTS:
            where = f"{answer} to {headers}"
            options = {"accept": f"{codec.token}, gzip", "headers": headers}
            gzip = server.fetch(f"/gzip/{number}", **options)
            ours = server.fetch(f"/ours/{number}", **options)
            if gzip.header("content-encoding") == "gzip":
                assert_encoded(codec, ours, BODY, where)
            else:
                assert_identity(ours, BODY, where)


@pytest.mark.parametrize(
    "directive, compressed",
    [
        ("", True),
        ("compress_proxied off;", False),
        ("compress_proxied any;", True),
        # Nothing in the response tells that the proxy might keep it.
        ("compress_proxied expired;", True),
        ("compress_proxied expired; expires 1h;", False),
        ("compress_proxied expired; expires -1;", True),
        ("compress_proxied no-cache; add_header Cache-Control x;", False),
    ],
)
def test_files(nginx, codec, protocol, directive, compressed):
    server = nginx(
        server=f"{enable(codec)} {directive}", files={"page.html": BODY}
    )
    options = {"protocol": protocol, "accept": codec.token}
    assert_encoded(codec, server.fetch("/page.html", **options), BODY)
    options["headers"] = {"Via": "1.1 proxy"}
    response = server.fetch("/page.html", **options)
    if compressed:
        assert_encoded(codec, response, BODY)
    else:
        assert_identity(response, BODY)


def test_vary_is_sent_to_proxies_too(nginx, codec):
    """A cache that serves proxies and others must know."""
    server = nginx(
        http="gzip_vary on; compress_proxied off;",
        server=enable(codec),
        files={"page.html": BODY},
    )
    response = server.fetch(
        "/page.html", accept=codec.token, headers={"Via": "1.1 proxy"}
    )
    assert_identity(response, BODY)
    assert response.header("vary") == "Accept-Encoding"


def test_sidecars(nginx, codec):
    """As gzip_static: `always` does not ask who the client is."""
    server = nginx(
        http="compress_proxied off;",
        server=f"""
            {codec.prefix}_static on;
            location /always/ {{ alias html/; {codec.prefix}_static always; }}
        """,
        files={
            "page.html": BODY,
            f"page.html{codec.suffix}": codec.compress(BODY, codec.fast_level),
        },
    )
    for path, headers, coding in (
        ("/page.html", {}, codec.token),
        ("/page.html", {"Via": "1.1 proxy"}, None),
        ("/always/page.html", {"Via": "1.1 proxy"}, codec.token),
    ):
        response = server.fetch(path, accept=codec.token, headers=headers)
        assert response.header("content-encoding") == coding, (path, headers)
