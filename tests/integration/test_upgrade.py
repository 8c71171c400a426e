"""Case 19: a WebSocket passes through a location that compresses all."""

import time

import corpus
import process_stats
from executors import enable
from expectations import assert_encoded
from http1_client import Http1Connection

SWITCH = (
    b"HTTP/1.1 101 Switching Protocols\r\n"
    b"Upgrade: websocket\r\nConnection: upgrade\r\n\r\n"
)
ROUNDS = 50
PAGE = corpus.text(20000)


def echo(connection):
    connection.send(SWITCH + b"greeting")
    while data := connection.receive(65536):
        connection.send(data)


def test_bytes_pass_both_ways(nginx, upstream, codec):
    origin = upstream(echo)
    server = nginx(
        server=f"""
            {enable(codec)}
            location /socket {{
                proxy_pass {origin.url};
                proxy_http_version 1.1;
                proxy_set_header Upgrade $http_upgrade;
                proxy_set_header Connection upgrade;
            }}
        """,
        files={"page.html": PAGE},
    )
    worker = server.worker()
    with Http1Connection(server.http1_port, timeout=20) as connection:
        connection.request(
            "/socket",
            headers={
                "Upgrade": "websocket",
                "Connection": "upgrade",
                "Accept-Encoding": codec.token,
            },
        )
        response = connection.response()
        assert response.status == 101
        assert response.header("content-encoding") is None
        assert connection.receive(8) == b"greeting"
        for turn in range(ROUNDS):
            message = corpus.noise(1 + 700 * turn, seed=turn)
            connection.send(message)
            assert connection.receive(len(message)) == message, turn
        before = process_stats.cpu_seconds(worker)
        time.sleep(1)
        assert process_stats.cpu_seconds(worker) - before <= 0.05
    response = server.fetch("/page.html", accept=codec.token)
    assert_encoded(codec, response, PAGE)
