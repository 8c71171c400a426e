"""Content of any size, the same on every run.

Every kind depends on the position, so that a lost, repeated or swapped piece
always shows.
"""

import json
import random
from functools import lru_cache

KIB = 1024
MIB = 1024 * KIB


@lru_cache(maxsize=32)
def text(size, seed=1):
    """Words: compresses to about a third."""
    rng = random.Random(seed)
    words = [
        "".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9)))
        for _ in range(2000)
    ]
    return " ".join(rng.choices(words, k=size // 3 + 1)).encode()[:size]


@lru_cache(maxsize=32)
def json_records(size, seed=1):
    """What an API answers: compresses to about a tenth."""
    rng = random.Random(seed)
    lines, length = [], 0
    while length < size:
        record = {
            "id": len(lines),
            "name": f"user{rng.randrange(1000)}",
            "active": rng.random() < 0.5,
            "score": rng.randrange(100),
            "tags": rng.sample(["red", "green", "blue", "black"], 2),
        }
        lines.append(json.dumps(record))
        length += len(lines[-1]) + 1
    return "\n".join(lines).encode()[:size]


@lru_cache(maxsize=32)
def noise(size, seed=1):
    """Random bytes: does not compress."""
    return random.Random(seed).randbytes(size)


@lru_cache(maxsize=32)
def pages(size, seed=1):
    """Numbered copies of one page with noise between: cheap at any level."""
    rng = random.Random(seed)
    page = bytes(rng.choices(b"abcdefgh ", k=4 * KIB))
    parts, length = [], 0
    while length < size:
        part = b"[%09d]" % len(parts) + page + rng.randbytes(512)
        parts.append(part)
        length += len(part)
    return b"".join(parts)[:size]


@lru_cache(maxsize=32)
def mixed(size, seed=1):
    """Text, JSON and noise in turns of uneven length."""
    rng = random.Random(seed)
    sources = [text(MIB, seed), json_records(MIB, seed), noise(MIB, seed)]
    parts, length = [], 0
    while length < size:
        source = sources[len(parts) % 3]
        start = rng.randrange(MIB // 2)
        part = source[start : start + rng.randrange(100, 100 * KIB)]
        parts.append(part)
        length += len(part)
    return b"".join(parts)[:size]
