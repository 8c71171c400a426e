"""What is measured of each codec, and which module it is measured against."""

from dataclasses import dataclass
from typing import Callable

ANSWER_2K, SCRIPT_87K = "answer-2k.json", "script-87k.js"
SCRIPT_1M = "script-1m.js"
RECORDS_2M, RECORDS_5M = "records-2m.json", "records-5m.json"


@dataclass(frozen=True)
class Codec:
    token: str  # as in Content-Encoding
    prefix: str  # of the directives
    peer: str  # the name of its columns
    peer_files: tuple  # modules to load for it, where a package has them
    levels: tuple  # that servers offer
    beside: dict  # part a: level -> file
    cpu_levels: tuple
    size_levels: tuple
    lane_levels: tuple
    memory_levels: tuple
    quick_levels: tuple  # of CPU, sizes and lanes
    slow_level: int  # from here on one response is a sample
    decode: tuple  # command: standard input to standard output
    encode: Callable  # level -> command: a file, in one piece


BROTLI = Codec(
    token="br",
    prefix="brotli",
    peer="google",
    peer_files=("/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so",),
    levels=tuple(range(12)),
    beside={6: SCRIPT_1M, 11: SCRIPT_87K},
    cpu_levels=(*range(1, 10), 11),
    size_levels=(*range(1, 10), 11),
    lane_levels=(4, 6, 9, 11),
    memory_levels=(6,),
    quick_levels=(1, 4, 6, 9, 11),
    slow_level=11,
    decode=("brotli", "--decompress", "--stdout"),
    # The window is the modules' default.
    encode=lambda level: ("brotli", "--stdout", "-w", "19", "-q", str(level)),
)

ZSTD = Codec(
    token="zstd",
    prefix="zstd",
    peer="tokers",
    peer_files=(),
    levels=tuple(range(1, 23)),
    beside={19: SCRIPT_1M, 3: SCRIPT_1M, 9: SCRIPT_1M},
    cpu_levels=(1, 3, 9, 15, 19),
    size_levels=(1, 3, 6, 9, 12, 15, 19, 22),
    lane_levels=(1, 3, 6, 9, 12, 15, 19, 22),
    memory_levels=(3, 9, 19),
    quick_levels=(1, 3, 9, 19),
    slow_level=19,
    decode=("zstd", "--decompress", "--stdout"),
    encode=lambda level: (
        *("zstd", "--stdout", "--quiet", "--no-check", "--single-thread"),
        *("--ultra", f"-{level}"),
    ),
)

CODECS = {codec.token: codec for codec in (BROTLI, ZSTD)}
