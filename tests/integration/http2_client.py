"""HTTP/2 with prior knowledge over cleartext, on the h2 package."""

import socket
import struct
import time

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.settings

from http_response import Response, header_pairs

LARGE_WINDOW = 16 * 1024 * 1024
DEFAULT_WINDOW = 65535


class GoawayFilter:
    """Takes GOAWAY frames out of what the server sends.

    After a graceful GOAWAY the open streams go on, but the h2 package takes
    the connection as closed and refuses their data.
    """

    HEADER, TYPE, GOAWAY = 9, 3, 7

    def __init__(self):
        self._buffer = b""

    def __call__(self, data):
        self._buffer += data
        kept = []
        while len(self._buffer) >= self.HEADER:
            size = self.HEADER + int.from_bytes(self._buffer[:3], "big")
            if len(self._buffer) < size:
                break
            frame, self._buffer = self._buffer[:size], self._buffer[size:]
            if frame[self.TYPE] != self.GOAWAY:
                kept.append(frame)
        return b"".join(kept)


class Http2Connection:
    """A window of DEFAULT_WINDOW makes the server wait for a slow reader."""

    def __init__(self, port, timeout=60, window=LARGE_WINDOW):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._deadline = time.monotonic() + timeout
        self._h2 = h2.connection.H2Connection(
            h2.config.H2Configuration(header_encoding="latin-1")
        )
        self._streams = {}
        self._paces = {}
        self._ended = set()
        self._goaway_filter = GoawayFilter()
        self._h2.local_settings = h2.settings.Settings(
            client=True,
            initial_values={
                h2.settings.SettingCodes.ENABLE_PUSH: 0,
                h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: window,
            },
        )
        self._h2.initiate_connection()
        if window > DEFAULT_WINDOW:
            self._h2.increment_flow_control_window(window - DEFAULT_WINDOW)
        self._flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._socket.close()

    def abort(self):
        self._socket.setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
        )
        self._socket.close()

    def request(self, path, method="GET", headers=(), pace=None):
        """Returns the stream's number."""
        stream = self._h2.get_next_available_stream_id()
        fields = [
            (":method", method),
            (":scheme", "http"),
            (":authority", "localhost"),
            (":path", path),
        ]
        fields += [
            (name.lower(), value) for name, value in header_pairs(headers)
        ]
        self._streams[stream] = Response(method=method)
        self._paces[stream] = pace
        self._h2.send_headers(stream, fields, end_stream=True)
        self._flush()
        return stream

    def response(self, stream):
        while stream not in self._ended:
            self._pump()
        return self._streams[stream]

    def wait_for_body(self, stream, size):
        """Until that much has arrived or the stream is over."""
        result = self._streams[stream]
        while stream not in self._ended and len(result.body) < size:
            self._pump()

    def reset(self, stream):
        self._h2.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
        self._flush()

    def _flush(self):
        data = self._h2.data_to_send()
        if data:
            self._socket.sendall(data)

    def _pump(self):
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the response did not end in time")
        self._socket.settimeout(left)
        try:
            data = self._socket.recv(256 * 1024)
        except ConnectionResetError:
            data = b""
        if not data:
            self._end_all()
            return
        for event in self._h2.receive_data(self._goaway_filter(data)):
            self._handle(event)
        self._flush()

    def _end_all(self):
        for stream, result in self._streams.items():
            if stream not in self._ended:
                result.end(False, reset=True)
                self._ended.add(stream)

    def _handle(self, event):
        stream = getattr(event, "stream_id", None)
        result = self._streams.get(stream)
        if result is None:
            return
        if isinstance(event, h2.events.ResponseReceived):
            self._take_head(result, event)
        elif isinstance(event, h2.events.DataReceived):
            self._take_data(result, event)
        elif isinstance(event, h2.events.StreamEnded):
            result.end(True)
            self._ended.add(stream)
        elif isinstance(event, h2.events.StreamReset):
            result.end(False, reset=True)
            self._ended.add(stream)

    @staticmethod
    def _take_head(result, event):
        for name, value in event.headers:
            if name == ":status":
                result.status = int(value)
            else:
                result.headers.append((name, value))
        result.end_head()

    def _take_data(self, result, event):
        result.add_body(event.data)
        pace = self._paces[event.stream_id]
        if pace:
            pace(len(event.data))
        length = event.flow_controlled_length
        if length:
            self._h2.acknowledge_received_data(length, event.stream_id)
