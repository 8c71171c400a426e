"""A WebAssembly module, assembled by hand so that no compiler is needed."""

PAGE = 65536
I32, FUNCTION, NO_RESULT = 0x7F, 0x60, 0x40


def checksum(data):
    """What the module's function returns, as an unsigned number."""
    total = 0
    for byte in data:
        total = (total * 31 + byte) % 2**32
    return total


def _unsigned(number):
    """LEB128."""
    result = bytearray()
    while number > 0x7F:
        result.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*result, number])


def _signed(number):
    """LEB128 of a number that is not negative: bit 6 of the end is a sign."""
    result = _unsigned(number)
    if result[-1] & 0x40:
        result = result[:-1] + bytes([result[-1] | 0x80, 0])
    return result


def _sized(content):
    return _unsigned(len(content)) + content


def _section(number, *items):
    return bytes([number]) + _sized(_unsigned(len(items)) + b"".join(items))


def _constant(number):
    return b"\x41" + _signed(number)


def _loop_over(size):
    """Local 0 is the sum, local 1 the position."""
    return b"".join(
        (
            bytes([0x03, NO_RESULT]),  # loop
            b"\x20\x00" + _constant(31) + b"\x6c",  # sum * 31
            b"\x20\x01\x2d\x00\x00\x6a\x21\x00",  # sum = that + byte
            b"\x20\x01" + _constant(1) + b"\x6a\x22\x01",  # position += 1
            _constant(size) + b"\x49\x0d\x00\x0b",  # again while below size
            b"\x20\x00\x0b",  # return sum
        )
    )


def wasm_module(data):
    """Exports checksum(), which runs over `data` in the module's memory."""
    pages = -(-len(data) // PAGE)
    locals_ = bytes([1, 2, I32])
    return b"".join(
        (
            b"\0asm\1\0\0\0",
            _section(1, bytes([FUNCTION, 0, 1, I32])),
            _section(3, b"\x00"),
            _section(5, b"\x00" + _unsigned(pages)),
            _section(7, _sized(b"checksum") + b"\x00\x00"),
            _section(10, _sized(locals_ + _loop_over(len(data)))),
            _section(11, b"\x00" + _constant(0) + b"\x0b" + _sized(data)),
        )
    )
