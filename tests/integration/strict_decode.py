"""Decoding that accepts one stream and not a byte more.

A decoder has feed(bytes) -> bytes, and `finished`, which is true only after
the end-of-stream mark. It raises BrokenStream on anything that no strict
client accepts, bytes after the end included.
"""

import brotli
import zstandard


class BrokenStream(AssertionError):
    pass


class BrotliDecoder:
    def __init__(self):
        self._decoder = brotli.Decompressor()

    @property
    def finished(self):
        return self._decoder.is_finished()

    def feed(self, data):
        if not data:
            return b""
        if self.finished:
            raise BrokenStream(f"{len(data)} bytes after the end of the stream")
        try:
            return self._decoder.process(data)
        except brotli.error as error:
            raise BrokenStream(f"{error} ({len(data)} bytes fed)") from error


class ZstdDecoder:
    """One frame, whose window is one that browsers take (RFC 9659)."""

    LARGEST_WINDOW = 8 * 1024 * 1024

    def __init__(self):
        decompressor = zstandard.ZstdDecompressor(
            max_window_size=self.LARGEST_WINDOW
        )
        self._decoder = decompressor.decompressobj()

    @property
    def finished(self):
        return self._decoder.eof

    def feed(self, data):
        if not data:
            return b""
        if self.finished:
            raise BrokenStream(f"{len(data)} bytes after the end of the frame")
        try:
            content = self._decoder.decompress(data)
        except zstandard.ZstdError as error:
            raise BrokenStream(f"{error} ({len(data)} bytes fed)") from error
        if self._decoder.unused_data:
            raise BrokenStream("bytes after the end of the frame")
        return content


def decode(codec, data):
    """The content of a stream that must end exactly at the last byte."""
    decoder = codec.decoder()
    content = decoder.feed(data[:-1])
    if decoder.finished:
        raise BrokenStream("the stream ends before its last byte")
    content += decoder.feed(data[-1:])
    if not decoder.finished:
        raise BrokenStream(
            f"no end of stream after {len(data)} bytes,"
            f" which decode to {len(content)}"
        )
    return content


def decode_prefix(codec, data):
    """(content, finished) of a stream that may lack its end."""
    decoder = codec.decoder()
    return decoder.feed(data), decoder.finished
