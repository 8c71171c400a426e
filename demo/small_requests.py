"""Latency of a small request, sent at a constant rate.

usage: small_requests.py PORT TARGET FILE SECONDS

Open loop: a request is due at its time, whether earlier ones were answered
or not, and its latency counts from then. A process of its own, so that the
fetching one does not delay it. Prints the 99th percentile in seconds.
"""

import collections
import math
import select
import socket
import sys
import time
from pathlib import Path

from server import HOST

REQUESTS_PER_SECOND = 200
CONNECTIONS = 32
PATIENCE_SECONDS = 30


class Connection:
    def __init__(self, port, target, content):
        self._socket = socket.create_connection((HOST, port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head = f"GET {target} HTTP/1.1\r\nHost: {HOST}\r\n\r\n"
        self._request = head.encode()
        self._content = content
        self._received = b""
        self.due = None

    def fileno(self):
        return self._socket.fileno()

    def send(self, due):
        self.due = due
        self._received = b""
        self._socket.sendall(self._request)

    def receive(self):
        """True when the response is complete."""
        data = self._socket.recv(65536)
        if not data:
            sys.exit("the connection of a small request was closed")
        self._received += data
        head, _, body = self._received.partition(b"\r\n\r\n")
        if len(body) < len(self._content):
            return False
        if not head.startswith(b"HTTP/1.1 200 ") or body != self._content:
            sys.exit("the response to a small request is wrong")
        return True


def latencies(connections, count):
    """Of each request, in seconds."""
    found = []
    idle, busy = list(connections), set()
    waiting = collections.deque()
    start = time.monotonic() + 0.01
    due = [start + number / REQUESTS_PER_SECOND for number in range(count)]
    coming = collections.deque(due)
    deadline = due[-1] + PATIENCE_SECONDS
    while len(found) < count:
        now = time.monotonic()
        if now > deadline:
            sys.exit(f"a small request took more than {PATIENCE_SECONDS} s")
        while coming and coming[0] <= now:
            waiting.append(coming.popleft())
        while waiting and idle:
            connection = idle.pop()
            connection.send(waiting.popleft())
            busy.add(connection)
        # select() takes microseconds where epoll takes milliseconds.
        until = coming[0] if coming else deadline
        pause = max(0, until - time.monotonic())
        for connection in select.select(busy, [], [], pause)[0]:
            if connection.receive():
                found.append(time.monotonic() - connection.due)
                busy.remove(connection)
                idle.append(connection)
    return found


def main():
    port, target, file, seconds = sys.argv[1:]
    content = Path(file).read_bytes()
    connections = [
        Connection(int(port), target, content) for _ in range(CONNECTIONS)
    ]
    count = round(float(seconds) * REQUESTS_PER_SECOND)
    ordered = sorted(latencies(connections, count))
    print(ordered[math.ceil(0.99 * count) - 1])


if __name__ == "__main__":
    main()
