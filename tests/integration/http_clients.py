"""One call for one exchange, over either protocol."""

from http1_client import Http1Connection
from http2_client import DEFAULT_WINDOW, LARGE_WINDOW, Http2Connection
from http_response import header_pairs

PROTOCOLS = ("http1", "http2")
SMALL_RECEIVE_BUFFER = 16 * 1024


def fetch(
    server,
    path,
    protocol="http1",
    method="GET",
    accept=None,
    headers=(),
    pace=None,
    timeout=60,
):
    """`accept` is the Accept-Encoding; None sends no such header."""
    pairs = header_pairs(headers)
    if accept is not None:
        pairs.append(("accept-encoding", accept))
    if protocol == "http2":
        window = DEFAULT_WINDOW if pace else LARGE_WINDOW
        with Http2Connection(server.http2_port, timeout, window) as connection:
            stream = connection.request(path, method, pairs, pace)
            return connection.response(stream)
    buffer = SMALL_RECEIVE_BUFFER if pace else None
    with Http1Connection(server.http1_port, timeout, buffer) as connection:
        connection.request(path, method, pairs)
        return connection.response(method, pace)
