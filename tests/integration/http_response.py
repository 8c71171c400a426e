"""A response as it arrived: what both HTTP clients return."""

import threading
import time
from dataclasses import dataclass, field


@dataclass
class Response:
    method: str = "GET"
    status: int = 0
    headers: list = field(default_factory=list)  # (lower-case name, value)
    arrivals: list = field(default_factory=list)  # (monotonic time, bytes)
    complete: bool = False  # the protocol's own end of the body was seen
    reset: bool = False  # RST_STREAM, GOAWAY or a TCP reset
    head_at: float = 0.0
    ended_at: float = 0.0

    @property
    def body(self):
        return b"".join(data for _, data in self.arrivals)

    def all(self, name):
        return [value for key, value in self.headers if key == name.lower()]

    def header(self, name):
        """The only value of a header, None when it is absent."""
        values = self.all(name)
        assert len(values) <= 1, f"{name} is repeated: {values}"
        return values[0] if values else None

    def end_head(self):
        self.head_at = time.monotonic()

    def add_body(self, data):
        if data:
            self.arrivals.append((time.monotonic(), bytes(data)))

    def end(self, complete, reset=False):
        self.complete = complete
        self.reset = self.reset or reset
        self.ended_at = time.monotonic()

    def __str__(self):
        end = "complete" if self.complete else "cut"
        names = "; ".join(f"{name}: {value}" for name, value in self.headers)
        length = sum(len(data) for _, data in self.arrivals)
        return f"{self.status}, {length} bytes, {end}, headers [{names}]"


class SlowReader:
    """Holds a client to a pace for the first seconds of a body."""

    def __init__(self, bytes_per_second, seconds):
        self._rate = bytes_per_second
        self._until = time.monotonic() + seconds

    def __call__(self, received):
        left = self._until - time.monotonic()
        if left > 0:
            time.sleep(min(left, received / self._rate))


class HeldReader:
    """Takes the first bytes of a body, then waits to be released."""

    def __init__(self):
        self.started = threading.Event()
        self.released = threading.Event()

    def __call__(self, received):
        self.started.set()
        self.released.wait(60)


def header_pairs(headers):
    return list(headers.items()) if isinstance(headers, dict) else list(headers)
