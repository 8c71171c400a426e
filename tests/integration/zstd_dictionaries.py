"""Dictionaries for zstd_dict_file, and how a response shows its own."""

import json
import random

import pytest
import zstandard

from corpus import KIB, MIB
from expectations import assert_same

DICTIONARY_MAGIC = b"\x37\xa4\x30\xec"


def record(seed):
    """A small answer of an API: the names repeat, the values do not."""
    rng = random.Random(seed)
    return json.dumps(
        {
            "identifier": rng.randrange(10**9),
            "display_name": f"user {rng.randrange(10**6)}",
            "preferences": {"language": rng.choice(["en", "de", "fr"])},
            "permissions": rng.sample(["read", "write", "delete"], 2),
            "last_seen_at": f"2024-0{rng.randint(1, 9)}-11T10:00:00Z",
            "links": {"self": f"https://api.example.org/{rng.randrange(999)}"},
        }
    ).encode()


def trained(seed=0, size=4 * KIB):
    samples = [record(seed + number) for number in range(2000)]
    return zstandard.train_dictionary(size, samples)


FIRST = trained()
SECOND = trained(seed=100000)
RAW = b"".join(record(seed) for seed in range(20))
RAW_DICTIONARY = zstandard.ZstdCompressionDict(
    RAW, dict_type=zstandard.DICT_TYPE_RAWCONTENT
)

PAGE = record(-1)


def decoded(data, dictionary=None):
    """The one frame that `data` is."""
    decoder = zstandard.ZstdDecompressor(
        dict_data=dictionary, max_window_size=8 * MIB
    ).decompressobj()
    content = decoder.decompress(data)
    assert decoder.eof and not decoder.unused_data
    return content


def assert_used(response, dictionary, original, about=""):
    about = f"{about}: {response}"
    assert response.status == 200 and response.complete, about
    assert response.header("content-encoding") == "zstd", about
    assert_same(decoded(response.body, dictionary), original, about)
    header = zstandard.get_frame_parameters(response.body)
    assert header.dict_id == dictionary.dict_id(), about
    with pytest.raises(zstandard.ZstdError):
        decoded(response.body)


class DictionaryFile:
    """A file outside of the server's directory, to be replaced."""

    def __init__(self, path):
        self._path = path

    @property
    def line(self):
        return f"zstd_dict_file {self._path};"

    def write(self, data):
        """As deployments do: the name is moved onto the new file."""
        new = self._path.with_suffix(".new")
        new.write_bytes(data)
        new.rename(self._path)


NESTED = """
    zstd on; zstd_types *; zstd_min_length 1;
    location /plain/ { alias html/; }
    location /level/ {
        alias html/; zstd_comp_level 7;
        location /level/level/ {
            alias html/; zstd_comp_level -3;
            location /level/level/level/ {
                alias html/; zstd_comp_level 15;
                if ($arg_off) { zstd off; }
            }
        }
    }
    location /off/ {
        alias html/; zstd off;
        location /off/on/ {
            alias html/; zstd on;
            location /off/on/level/ { alias html/; zstd_comp_level 19; }
        }
        location /off/if/ { alias html/; if ($arg_on) { zstd on; } }
    }
"""

NESTED_PATHS = [
    ("/page.json", 1),
    ("/plain/page.json", 1),
    ("/level/page.json", 7),
    ("/level/level/page.json", -3),
    ("/level/level/level/page.json", 15),
    ("/off/on/page.json", 1),
    ("/off/on/level/page.json", 19),
    ("/off/if/page.json?on=1", 1),
]
