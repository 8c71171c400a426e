"""An upstream server whose every byte a test decides.

A script is a function of an UpstreamConnection. It runs on a thread per
connection, after the request's head has been read; the connection is closed
when it returns.
"""

import socket
import struct
import threading
import time

LAST_CHUNK = b"0\r\n\r\n"


def response_head(headers=(), status="200 OK", content_type="text/html"):
    lines = [f"HTTP/1.1 {status}"]
    if content_type:
        lines.append(f"Content-Type: {content_type}")
    lines += [f"{name}: {value}" for name, value in dict(headers).items()]
    return "\r\n".join(lines + ["", ""]).encode()


def chunked_head(headers=(), **options):
    return response_head(
        {"Transfer-Encoding": "chunked", **dict(headers)}, **options
    )


def chunk(data):
    return b"%x\r\n%b\r\n" % (len(data), data)


def whole_response(body, headers=(), **options):
    headers = {"Content-Length": len(body), **dict(headers)}
    return response_head(headers, **options) + body


def constant(data):
    """The script that answers every request with these bytes."""
    return lambda connection: connection.send(data)


class UpstreamConnection:
    def __init__(self, connection):
        self._socket = connection
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.settimeout(60)
        self.head = self._read_head()
        self.method, self.path = self.head.split(" ", 2)[:2]

    def _read_head(self):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            data = self._socket.recv(1)
            if not data:
                raise ConnectionError("no request")
            head += data
        return head.decode("latin-1")

    def send(self, data):
        self._socket.sendall(data)

    def send_in_pieces(self, data, size):
        for start in range(0, len(data), size):
            self._socket.sendall(data[start : start + size])

    def receive(self, size):
        return self._socket.recv(size)

    def pause(self, seconds):
        time.sleep(seconds)

    def close(self):
        self._socket.close()

    def reset(self):
        self._socket.setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
        )
        self._socket.close()


class ScriptedUpstream:
    def __init__(self, script):
        self._script = script
        self._failures = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(
                target=self._serve, args=(connection,), daemon=True
            ).start()

    def _serve(self, connection):
        with connection:
            try:
                self._script(UpstreamConnection(connection))
            except (ConnectionError, TimeoutError):
                pass  # the client side went away, as some tests want
            except Exception as failure:
                self._failures.append(failure)

    def close(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        assert not self._failures, f"upstream script: {self._failures[0]!r}"
