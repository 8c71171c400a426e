"""What every response must look like, compressed or not."""

from strict_decode import decode

# Up to here a response of known length may be held back until it is known
# whether compression makes it smaller (design.md, P7).
HELD_LENGTH = 64 * 1024


def assert_encoded(codec, response, original, where=""):
    """Compressed on the fly: exact content, and the headers that go with it."""
    about = f"{where}: {response}"
    assert response.status == 200, about
    assert response.complete, about
    assert response.header("content-encoding") == codec.token, about
    assert response.header("accept-ranges") is None, about
    assert (response.header("etag") or 'W/"').startswith('W/"'), about
    length = response.header("content-length")
    assert length in (None, str(len(response.body))), about
    assert_same(decode(codec, response.body), original, about)


def assert_identity(response, original=None, where=""):
    about = f"{where}: {response}"
    assert response.complete, about
    assert response.header("content-encoding") is None, about
    if original is not None:
        assert_same(response.body, original, about)


def assert_encoded_if_smaller(codec, level, response, original, where=""):
    """As assert_encoded, but tiny content may go out as it is."""
    if response.header("content-encoding") is None:
        assert_not_smaller(codec, level, response, original, where)
        return
    assert_encoded(codec, response, original, where)


def assert_not_smaller(codec, level, response, original, where=""):
    about = f"{where}: {response}"
    assert len(original) <= HELD_LENGTH, f"not compressed; {about}"
    best = len(codec.compress(original, level))
    assert best >= len(original), f"not compressed; {about}"
    assert_identity(response, original, where)


def assert_same(actual, expected, about=""):
    """Equality of long bodies without printing them."""
    if actual == expected:
        return
    shorter = min(len(actual), len(expected))
    at = next((i for i in range(shorter) if actual[i] != expected[i]), shorter)
    raise AssertionError(
        f"{len(actual)} bytes instead of {len(expected)}, first difference"
        f" at {at}: {actual[at:at + 40]!r} instead of"
        f" {expected[at:at + 40]!r}; {about}"
    )
