"""HTTP/1.1 over a plain socket, so that nothing is decoded or repaired."""

import socket
import struct
import time

from http_response import Response, header_pairs


class ConnectionEnded(Exception):
    def __init__(self, reset):
        super().__init__("reset" if reset else "closed")
        self.reset = reset


class Http1Connection:
    def __init__(self, port, timeout=60, receive_buffer=None):
        self._socket = socket.socket()
        if receive_buffer:
            self._socket.setsockopt(
                socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer
            )
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.settimeout(timeout)
        self._socket.connect(("127.0.0.1", port))
        self._deadline = time.monotonic() + timeout
        self._buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._socket.close()

    def abort(self):
        """Closes with a TCP reset."""
        self._socket.setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
        )
        self._socket.close()

    def send(self, data):
        self._socket.sendall(data)

    def request(self, path, method="GET", headers=(), version="1.1"):
        lines = [f"{method} {path} HTTP/{version}", "Host: localhost"]
        lines += [f"{name}: {value}" for name, value in header_pairs(headers)]
        self.send("\r\n".join(lines + ["", ""]).encode())

    def receive(self, size):
        """Exactly `size` bytes, outside of any response."""
        while len(self._buffer) < size:
            self._fill()
        data, self._buffer = self._buffer[:size], self._buffer[size:]
        return data

    def is_closed(self, within):
        """Whether the server closes the connection in that many seconds."""
        self._deadline = time.monotonic() + within
        try:
            self._fill()
            return False
        except ConnectionEnded:
            return True
        except TimeoutError:
            return False

    def response(self, method="GET", pace=None):
        result = Response(method=method)
        try:
            self._read_head(result)
            result.end(self._read_body(result, pace))
        except ConnectionEnded as ended:
            result.end(False, ended.reset)
        return result

    def _fill(self):
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the response did not end in time")
        self._socket.settimeout(left)
        try:
            data = self._socket.recv(256 * 1024)
        except ConnectionResetError:
            raise ConnectionEnded(reset=True) from None
        if not data:
            raise ConnectionEnded(reset=False)
        self._buffer += data

    def _read_line(self):
        while b"\r\n" not in self._buffer:
            self._fill()
        line, self._buffer = self._buffer.split(b"\r\n", 1)
        return line.decode("latin-1")

    def _read_head(self, result):
        status_line = self._read_line()
        assert status_line.startswith("HTTP/1."), status_line
        result.status = int(status_line.split(" ", 2)[1])
        while line := self._read_line():
            name, _, value = line.partition(":")
            result.headers.append((name.lower(), value.strip()))
        result.end_head()

    def _read_body(self, result, pace):
        if result.method == "HEAD" or result.status in (101, 204, 304):
            return True
        encoding, length = result.header("transfer-encoding"), None
        assert encoding in (None, "chunked"), encoding
        if encoding is None:
            length = result.header("content-length")
            if length is None:
                return self._read_to_close(result, pace)
            self._read_piece(result, int(length), pace)
            return True
        assert result.header("content-length") is None, str(result)
        return self._read_chunks(result, pace)

    def _read_chunks(self, result, pace):
        while size := int(self._read_line().split(";")[0], 16):
            self._read_piece(result, size, pace)
            assert self._read_line() == "", "no CRLF after a chunk"
        while self._read_line():  # trailers
            pass
        return True

    def _read_piece(self, result, size, pace):
        while size:
            if not self._buffer:
                self._fill()
            data, self._buffer = self._buffer[:size], self._buffer[size:]
            result.add_body(data)
            size -= len(data)
            if pace:
                pace(len(data))

    def _read_to_close(self, result, pace):
        try:
            while True:
                self._read_piece(result, max(1, len(self._buffer)), pace)
        except ConnectionEnded as ended:
            if ended.reset:
                raise
            return True
