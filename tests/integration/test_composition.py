"""Compression comes after the filters that build the page (HTTP rule 5)."""

import gzip

import pytest

import corpus
from executors import EXECUTORS, enable, main_for
from expectations import assert_encoded, assert_identity, assert_same
from scripted_upstream import constant, whole_response
from strict_decode import decode

BODY = corpus.text(100 * 1024)

CHARSET_MAP = "charset_map windows-1251 utf-8 { C0 D090; C1 D091; }"


def assert_as_uncompressed(server, codec, path, protocol="http1"):
    """Returns what both clients see."""
    plain = server.fetch(path, protocol)
    assert_identity(plain)
    response = server.fetch(path, protocol, accept=codec.token)
    assert_encoded(codec, response, plain.body, path)
    return plain.body


@pytest.mark.smoke
@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize(
    "filters",
    [
        "sub_filter NEVER_MATCHES x;",
        "sub_filter NEVER_MATCHES x; sub_filter_once off;",
        "sub_filter e EEE; sub_filter_once off;",
        "add_before_body /head; add_after_body /foot;",
        "ssi on;",
        "charset utf-8; source_charset windows-1251; override_charset on;",
        "ssi on; sub_filter NEVER_MATCHES x; add_after_body /foot;",
    ],
)
def test_filters_that_send_data_less_buffers(
    nginx, codec, protocol, executor, filters
):
    """Case 6: from a file, and proxied with and without buffering."""
    server = nginx(
        http=CHARSET_MAP,
        main=main_for(executor),
        server=f"""
            {enable(codec, executor=executor)}
            location /head {{ return 200 "head"; }}
            location /foot {{ return 200 "foot"; }}
            location /plain/ {{ alias html/; {codec.prefix} off; }}
            location /file/ {{ alias html/; {filters} }}
            location /proxied/ {{
                proxy_pass http://127.0.0.1:$server_port/plain/;
                {filters}
            }}
        """.replace("http://127.0.0.1:$server_port", "http://unix:own.sock:")
        + "listen unix:own.sock;",
        files={"page.html": BODY},
    )
    for path in ("/file/page.html", "/proxied/page.html"):
        body = assert_as_uncompressed(server, codec, path, protocol)
        assert len(body) >= len(BODY)


@pytest.mark.parametrize("mode", ["on", "always"])
def test_empty_sidecar_inside_ssi(nginx, codec, protocol, mode):
    """Case 7: the log is checked for `zero size buf` when nginx stops."""
    page = b'before<!--#include virtual="/empty.txt" -->after'
    server = nginx(
        server=f"""
            ssi on;
            location = /empty.txt {{ {codec.prefix}_static {mode}; }}
            location /compressed/ {{ alias html/; {enable(codec)} }}
        """,
        files={
            "page.html": page,
            "empty.txt": b"",
            f"empty.txt{codec.suffix}": b"",
        },
    )
    response = server.fetch("/page.html", protocol, accept=codec.token)
    assert_identity(response, b"beforeafter")
    path = "/compressed/page.html"
    response = server.fetch(path, protocol, accept=codec.token)
    assert response.complete
    assert_encoded(codec, response, b"beforeafter")


@pytest.mark.parametrize("executor", EXECUTORS)
def test_ssi_page_of_parts_that_compress(
    nginx, upstream, codec, protocol, executor
):
    """Case 22: composed first, compressed once."""
    parts = {f"part{n}.html": corpus.text(30000, seed=n) for n in (1, 2)}
    remote = corpus.json_records(70000)
    origin = upstream(constant(whole_response(remote)))
    page = (
        b'<p>1</p><!--#include virtual="/parts/part1.html" -->'
        b'<p>2</p><!--#include virtual="/remote" -->'
        b'<p>3</p><!--#include virtual="/parts/part2.html" --><p>end</p>'
    )
    server = nginx(
        main=main_for(executor),
        server=f"""
            {enable(codec, executor=executor)}
            ssi on;
            location /remote {{ proxy_pass {origin.url}; }}
            location /footed/ {{
                alias html/; add_after_body /parts/foot.html;
            }}
        """,
        files={
            "page.html": page,
            "parts/foot.html": b"the footer",
            **{f"parts/{name}": body for name, body in parts.items()},
        },
    )
    whole = b"<p>1</p>%b<p>2</p>%b<p>3</p>%b<p>end</p>" % (
        parts["part1.html"],
        remote,
        parts["part2.html"],
    )
    response = server.fetch("/page.html", protocol, accept=codec.token)
    assert_encoded(codec, response, whole)
    response = server.fetch("/footed/page.html", protocol, accept=codec.token)
    assert_encoded(codec, response, whole + b"the footer")


def test_ssi_includes_a_part_twice(nginx, codec, protocol):
    page = b'<!--#include virtual="/part.html" -->' * 20
    server = nginx(
        server=f"{enable(codec)} ssi on;",
        files={"page.html": page, "part.html": BODY},
    )
    response = server.fetch("/page.html", protocol, accept=codec.token)
    assert_encoded(codec, response, BODY * 20)


@pytest.mark.needs("http_gunzip_module")
def test_gunzipped_first(nginx, upstream, codec):
    """A client of one coding only, an upstream of gzip only."""
    answer = whole_response(gzip.compress(BODY), {"Content-Encoding": "gzip"})
    origin = upstream(constant(answer))
    server = nginx(
        server=f"""{enable(codec)} gunzip on;
            location / {{ proxy_pass {origin.url}; }}"""
    )
    response = server.fetch("/", accept=codec.token)
    assert_encoded(codec, response, BODY)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_every_filter_that_compresses_is_on(nginx, codec, protocol, executor):
    """Case 28: no filter clears another's buffered bit."""
    server = nginx(
        main=main_for(executor),
        server=f"""{enable(codec, executor=executor)}
            gzip on; gzip_types *; gzip_min_length 1;
            postpone_output 0; limit_rate 2m;""",
        files={"page.html": BODY},
    )
    for _ in range(3):
        response = server.fetch("/page.html", protocol, accept="gzip")
        assert response.complete
        assert_same(gzip.decompress(response.body), BODY)
        for accept in (codec.token, f"gzip, {codec.token}"):
            response = server.fetch("/page.html", protocol, accept=accept)
            assert_encoded(codec, response, BODY, accept)


@pytest.mark.parametrize("buffering", ["on", "off"])
def test_cache_holds_the_original(nginx, upstream, codec, buffering):
    served = []

    def answer_once(connection):
        served.append(connection.path)
        connection.send(whole_response(BODY, {"ETag": '"e"'}))

    origin = upstream(answer_once)
    server = nginx(
        http="proxy_cache_path cache keys_zone=zone:1m;",
        server=f"""{enable(codec)} location / {{
            proxy_cache zone; proxy_cache_valid any 1m;
            proxy_buffering {buffering};
            proxy_pass {origin.url}; }}""",
    )
    for turn in range(2):
        response = server.fetch("/", accept=codec.token)
        assert_encoded(codec, response, BODY, f"turn {turn}")
        assert_identity(server.fetch("/"), BODY, f"turn {turn}")
    if buffering == "on":
        assert len(served) == 1


def test_internal_redirect(nginx, codec, protocol):
    """error_page, try_files and X-Accel-Redirect change the location."""
    server = nginx(
        server=f"""
            {enable(codec)}
            location /missing {{ error_page 404 =200 /page.html; return 404; }}
            location /tried {{ try_files /absent /page.html; }}
            location /indexed/ {{ alias html/; index page.html; }}
        """,
        files={"page.html": BODY},
    )
    for path in ("/missing", "/tried", "/indexed/"):
        response = server.fetch(path, protocol, accept=codec.token)
        assert_encoded(codec, response, BODY, path)


@pytest.mark.needs("http_auth_request_module")
def test_mirror_and_auth_subrequests(nginx, codec):
    server = nginx(
        server=f"""
            {enable(codec)}
            location / {{ mirror /mirror; auth_request /auth; }}
            location = /mirror {{ internal; return 200 "{'m' * 500}"; }}
            location = /auth {{ internal; return 200 "{'a' * 500}"; }}
        """,
        files={"page.html": BODY},
    )
    response = server.fetch("/page.html", accept=codec.token)
    assert_same(decode(codec, response.body), BODY)
