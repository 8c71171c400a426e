"""compress_status: counters as JSON, Prometheus text and a page."""

import json

import pytest

import corpus
from executors import enable
from expectations import assert_encoded

pytestmark = pytest.mark.planned

BODY = corpus.text(100000)


@pytest.fixture
def server(nginx, codec):
    return nginx(
        server=f"""
            {enable(codec)}
            location /status {{ compress_status; {codec.prefix} off; }}
            location /json {{ compress_status json; {codec.prefix} off; }}
            location /prometheus {{
                compress_status prometheus; {codec.prefix} off;
            }}
            location /html {{ compress_status html; {codec.prefix} off; }}
        """,
        files={"page.html": BODY},
    )


def numbers(value):
    """Every number in a JSON document."""
    if isinstance(value, dict):
        return [n for part in value.values() for n in numbers(part)]
    if isinstance(value, list):
        return [n for part in value for n in numbers(part)]
    return [value] if isinstance(value, (int, float)) else []


def test_json_counts(server, codec):
    before = json.loads(server.fetch("/json").body)
    response = server.fetch("/page.html", accept=codec.token)
    assert_encoded(codec, response, BODY)
    status = server.fetch("/json")
    assert status.header("content-type").startswith("application/json")
    after = json.loads(status.body)
    gained = sum(numbers(after)) - sum(numbers(before))
    assert gained >= len(BODY), "the bytes of the response are not counted"


def test_prometheus_text(server):
    response = server.fetch("/prometheus")
    assert response.header("content-type").startswith("text/plain")
    lines = response.body.decode().splitlines()
    assert any(line.startswith("# TYPE ") for line in lines)
    for line in lines:
        if line and not line.startswith("#"):
            float(line.rpartition(" ")[2])


def test_html_page(server):
    response = server.fetch("/html")
    assert response.header("content-type").startswith("text/html")
    assert b"<html" in response.body.lower()


@pytest.mark.parametrize(
    "path, accept, expected",
    [
        ("/status?format=json", None, "application/json"),
        ("/status?format=prometheus", None, "text/plain"),
        ("/status?format=html", None, "text/html"),
        ("/status", "application/json", "application/json"),
        ("/status", "text/html", "text/html"),
        ("/json", "text/html", "application/json"),
    ],
)
def test_choice_of_the_format(server, path, accept, expected):
    headers = {"Accept": accept} if accept else {}
    response = server.fetch(path, headers=headers)
    assert response.status == 200
    assert response.header("content-type").startswith(expected)


def test_status_is_not_cached_and_counts_nothing_twice(server):
    for _ in range(3):
        response = server.fetch("/json", method="HEAD")
        assert response.status == 200 and response.body == b""
