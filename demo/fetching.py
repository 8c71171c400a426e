"""Fetches compressed responses and decodes them strictly."""

import http.client
import threading
import time

import brotli
import zstandard

from server import HOST

TIMEOUT_SECONDS = 60
FETCHERS = 4

# Least time from one fetch of a fetcher to its next: with tiny files the
# fetchers would otherwise measure themselves.
LEAST_PERIOD_SECONDS = 0.01

FAILURES = (OSError, http.client.HTTPException)


class WrongBytes(Exception):
    pass


class BrotliStream:
    def __init__(self):
        self._decoder = brotli.Decompressor()

    def feed(self, data):
        return self._decoder.process(data)

    def ended(self):
        return self._decoder.is_finished()


class ZstdFrame:
    def __init__(self):
        self._decoder = zstandard.ZstdDecompressor().decompressobj()

    def feed(self, data):
        return self._decoder.decompress(data)

    def ended(self):
        return self._decoder.eof


CODINGS = {"br": BrotliStream, "zstd": ZstdFrame}


class Client:
    """One keep-alive connection, for one coding."""

    def __init__(self, port, coding):
        self._coding = coding
        self._connection = http.client.HTTPConnection(
            HOST, port, timeout=TIMEOUT_SECONDS
        )

    def close(self):
        self._connection.close()

    def fetch(self, target):
        """The body as it was sent: one stream or frame."""
        headers = {"Accept-Encoding": self._coding}
        self._connection.request("GET", target, headers=headers)
        response = self._connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise WrongBytes(f"{target}: status {response.status}")
        if response.getheader("Content-Encoding") != self._coding:
            raise WrongBytes(f"{target}: not compressed with {self._coding}")
        return body


def check(target, coding, body, original):
    """One whole stream, nothing after its end, and the original in it."""
    decoder = CODINGS[coding]()
    try:
        content = decoder.feed(body[:-1])
        if decoder.ended():
            raise WrongBytes(f"{target}: bytes after the end of the stream")
        content += decoder.feed(body[-1:])
    except (brotli.error, zstandard.ZstdError) as error:
        raise WrongBytes(f"{target}: no {coding} stream: {error}") from None
    if not decoder.ended():
        raise WrongBytes(f"{target}: the stream has no end")
    if content != original:
        raise WrongBytes(f"{target}: decodes to something else")


class Load:
    """Context: fetches one target over and over on a few connections.

    All that came is checked afterwards, so that decoding takes no time from
    what is measured.
    """

    def __init__(self, port, coding, target, original):
        self._port = port
        self._coding = coding
        self._target = target
        self._original = original
        self._end = threading.Event()
        # Bodies are the same unless the response was split differently.
        self._bodies = set()
        self._faults = []
        self._threads = [
            threading.Thread(target=self._run, daemon=True)
            for _ in range(FETCHERS)
        ]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *exception):
        self._end.set()
        for thread in self._threads:
            thread.join()

    def _run(self):
        client = Client(self._port, self._coding)
        try:
            while not self._end.is_set():
                start = time.monotonic()
                self._bodies.add(client.fetch(self._target))
                spent = time.monotonic() - start
                self._end.wait(max(0, LEAST_PERIOD_SECONDS - spent))
        except WrongBytes as wrong:
            self._faults.append(wrong)
        except FAILURES as failure:
            self._faults.append(WrongBytes(f"{self._target}: {failure!r}"))
        finally:
            client.close()

    def check(self):
        """After the end: raises WrongBytes for the first fault."""
        for fault in self._faults:
            raise fault
        for body in self._bodies:
            check(self._target, self._coding, body, self._original)
