"""What the access log can say (case 29)."""

import pytest

import corpus
from executors import EXECUTORS, enable, main_for

BODY = corpus.text(300000)


def start(nginx, codec, variables, executor="loop", files=None, server=""):
    return nginx(
        main=main_for(executor),
        http=f"log_format tested '{variables}';",
        server=f"""
            {enable(codec, executor=executor, types="text/css")}
            access_log tested.log tested;
            {server}
        """,
        files={"page.html": BODY, "page.txt": BODY, **(files or {})},
    )


def logged(server, codec, path, accept):
    """(response, fields of its log line)"""
    log = server.prefix / "tested.log"
    before = len(log.read_text().splitlines()) if log.exists() else 0
    response = server.fetch(path, accept=accept)
    line = server.log_lines("tested.log", before + 1)[-1]
    return response, line.split()


def truncated_ratio(original, compressed, decimals):
    scale = 10**decimals
    value = original * scale // compressed
    return f"{value // scale}.{value % scale:0{decimals}}"


@pytest.mark.parametrize("executor", EXECUTORS)
def test_ratio(nginx, codec, executor):
    variable = f"${codec.prefix}_ratio"
    server = start(nginx, codec, variable, executor)
    response, fields = logged(server, codec, "/page.html", codec.token)
    assert response.header("content-encoding") == codec.token
    expected = truncated_ratio(
        len(BODY), len(response.body), codec.ratio_decimals
    )
    assert fields == [expected]


def test_ratio_of_what_was_not_compressed(nginx, codec):
    """Case 29."""
    server = start(nginx, codec, f"${codec.prefix}_ratio")
    for path, accept in (
        ("/page.html", None),
        ("/page.html", "gzip"),
        ("/page.txt", codec.token),
        ("/absent.png", None),
    ):
        assert logged(server, codec, path, accept)[1] == ["-"], path


def test_ratio_of_content_that_does_not_compress(nginx, codec):
    noise = corpus.noise(200000)
    server = start(
        nginx, codec, f"${codec.prefix}_ratio", files={"noise.html": noise}
    )
    response, fields = logged(server, codec, "/noise.html", codec.token)
    if response.header("content-encoding"):
        assert fields[0] in ("0.99", "0.999", "1.00", "1.000")
    else:
        assert fields == ["-"]


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.planned
def test_numbers_of_a_compressed_response(nginx, codec, executor):
    names = "$compress_coding $compress_reason $compress_bytes_in"
    names += " $compress_bytes_out $compress_cpu_ms $compress_wait_ms"
    server = start(nginx, codec, f"{names} $compress_lanes", executor)
    response, fields = logged(server, codec, "/page.html", codec.token)
    coding, reason, bytes_in, bytes_out, cpu, wait, lanes = fields
    assert (coding, reason) == (codec.token, "-")
    assert int(bytes_in) == len(BODY)
    assert int(bytes_out) == len(response.body)
    assert 0 < float(cpu) < 10000
    assert wait == "-" or 0 <= float(wait) < 10000
    assert int(lanes) >= 1


REASONS = [
    ("/off/page.html", "CODEC", "off"),
    ("/page.html", None, "no_accept_encoding"),
    ("/page.html", "identity", "not_acceptable"),
    ("/page.html", "CODEC;q=0", "not_acceptable"),
    ("/status", "CODEC", "status"),
    ("/page.txt", "CODEC", "type"),
    ("/short.html", "CODEC", "too_short"),
    ("/long/page.html", "CODEC", "too_long"),
    ("/bypass/page.html", "CODEC", "bypass"),
    ("/page.html", "", "not_acceptable"),
    ("/empty.html", "CODEC", "empty"),
    ("/transform/page.html", "CODEC", "no_transform"),
    ("/gzip/page.html", "CODEC;q=0.5, gzip", "gzip"),
    ("/gzip/page.html", "gzip", "gzip"),
    # The page that is sent in the end counts.
    ("/missing/page.html", "CODEC", "off"),
    ("/off/absent.html", "CODEC", "too_long"),
    pytest.param(
        "/encoded/page.html",
        "CODEC",
        "already_encoded",
        marks=pytest.mark.needs("http_gzip_static_module"),
    ),
]


@pytest.mark.parametrize("path, accept, reason", REASONS)
def test_reason(nginx, codec, path, accept, reason):
    encoded = "location /encoded/ { alias html/; gzip_static always; }"
    server = start(
        nginx,
        codec,
        "$compress_reason $compress_coding",
        files={
            "short.html": b"x" * 5,
            "empty.html": b"",
            "page.html.gz": b"not looked at",
        },
        server=f"""
            location /off/ {{
                alias html/; {codec.prefix} off;
                error_page 404 /long/page.html;
            }}
            location /missing/ {{
                alias html/absent/; error_page 404 /off/page.html;
            }}
            location /transform/ {{
                alias html/; compress_no_transform on;
                add_header Cache-Control no-transform;
            }}
            location /gzip/ {{ alias html/; gzip on; }}
            location /status {{ return 500 "{'a' * 1000}"; }}
            location /long/ {{ alias html/; {codec.prefix}_max_length 100; }}
            location /bypass/ {{ alias html/; {codec.prefix}_bypass 1; }}
            {encoded if reason == 'already_encoded' else ''}
            location = /short.html {{ {codec.prefix}_min_length 20; }}
        """,
    )
    accept = accept and accept.replace("CODEC", codec.token)
    response, fields = logged(server, codec, path, accept)
    assert response.header("content-encoding") != codec.token
    assert fields == [reason, "-"]


def start_with_coding(nginx, codec, server, **options):
    names = "$compress_coding $compress_reason"
    return start(nginx, codec, names, server=server, **options)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_coding_of_a_compressed_response(nginx, codec, executor):
    server = start_with_coding(nginx, codec, "", executor=executor)
    for path in ("/page.html", "/absent.html"):
        response, fields = logged(server, codec, path, codec.token)
        assert response.header("content-encoding") == codec.token
        assert fields == [codec.token, "-"], path


def test_coding_of_head(nginx, codec):
    server = start_with_coding(nginx, codec, "")
    server.fetch("/page.html", method="HEAD", accept=codec.token)
    assert server.log_lines("tested.log", 1) == [f"{codec.token} -"]


@pytest.mark.parametrize("dynamic", ["on", "off"])
def test_coding_of_a_sidecar(nginx, codec, dynamic):
    data = codec.compress(BODY, codec.fast_level)
    server = start_with_coding(
        nginx,
        codec,
        f"""location /static/ {{
                alias html/; {codec.prefix} {dynamic}; {codec.prefix}_static on;
                {codec.prefix}_bypass 1;
            }}""",
        files={f"page.html{codec.suffix}": data},
    )
    reason = "bypass" if dynamic == "on" else "off"
    for path, accept, expected in (
        ("/static/page.html", codec.token, [codec.token, "-"]),
        ("/static/page.html", None, ["-", reason]),
        ("/static/page.txt", codec.token, ["-", "type"]),
    ):
        if path.endswith(".txt") and dynamic == "off":
            expected = ["-", "off"]
        assert logged(server, codec, path, accept)[1] == expected, path


def test_reason_of_a_range_of_a_sidecar(nginx, codec):
    """Part of a sidecar is still of its coding."""
    data = codec.compress(BODY, codec.fast_level)
    server = start_with_coding(
        nginx,
        codec,
        f"location /static/ {{ alias html/; {codec.prefix}_static on; }}",
        files={f"page.html{codec.suffix}": data},
    )
    response = server.fetch(
        "/static/page.html",
        accept=codec.token,
        headers={"Range": "bytes=0-9"},
    )
    assert response.status == 206
    assert server.log_lines("tested.log", 1) == [f"{codec.token} -"]


def test_reason_of_a_request_through_a_proxy(nginx, codec):
    server = start_with_coding(nginx, codec, "compress_proxied off;")
    server.fetch("/page.html", accept=codec.token, headers={"Via": "1.1 x"})
    assert server.log_lines("tested.log", 1) == ["- proxied"]


def test_subrequests_do_not_speak_for_their_parent(nginx, codec):
    """The last one is of a type that is not compressed."""
    page = b"<!--# include virtual='/page.html' -->"
    page += b"<!--# include virtual='/page.txt' -->"
    server = start_with_coding(
        nginx, codec, "ssi on;", files={"parent.html": page}
    )
    response, fields = logged(server, codec, "/parent.html", codec.token)
    assert response.header("content-encoding") == codec.token
    assert fields == [codec.token, "-"]


def test_reason_where_there_is_no_response(nginx, codec):
    server = start_with_coding(
        nginx, codec, "location /closed { return 444; }"
    )
    server.fetch("/closed", accept=codec.token)
    assert server.log_lines("tested.log", 1) == ["- -"]
