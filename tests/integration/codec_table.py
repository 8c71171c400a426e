"""The codecs that the suite runs over: one row each.

A further codec costs one row here and a decoder in strict_decode.py.
"""

from dataclasses import dataclass
from typing import Callable

import brotli
import zstandard

import strict_decode


@dataclass(frozen=True)
class Codec:
    token: str  # as in Content-Encoding
    suffix: str  # of sidecar files, with the dot
    prefix: str  # of the directives
    levels: tuple  # every level that brings its own code path
    fast_level: int
    slow_level: int  # at which a response takes long enough to be interrupted
    slow_from: int  # levels from here on take about a second per MiB
    ratio_decimals: int
    decoder: Callable  # () -> an object of strict_decode's protocol
    compress: Callable  # (bytes, level) -> bytes; reference encoder


BROTLI = Codec(
    token="br",
    suffix=".br",
    prefix="brotli",
    levels=tuple(range(12)),
    fast_level=4,
    slow_level=11,
    slow_from=10,
    ratio_decimals=2,
    decoder=strict_decode.BrotliDecoder,
    compress=lambda data, level: brotli.compress(data, quality=level),
)

ZSTD = Codec(
    token="zstd",
    suffix=".zst",
    prefix="zstd",
    levels=(-5, -1, *range(1, 23)),
    fast_level=3,
    slow_level=19,
    slow_from=16,
    ratio_decimals=3,
    decoder=strict_decode.ZstdDecoder,
    compress=lambda data, level: zstandard.compress(data, level),
)

CODECS = {codec.token: codec for codec in (BROTLI, ZSTD)}
