"""The wire format of protobuf: fields of a message, one after the other.

https://protobuf.dev/programming-guides/encoding
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Wire types: how the value of a field is stored."""

Field = tuple[int, int, "int | memoryview"]
"""Field number, wire type, value."""


def fields_of(content: memoryview) -> Iterator[Field]:
    """Yield (field number, wire type, value) of a message."""
    position = 0
    while position < len(content):
        key, position = _decode_varint(content, position)
        wire = key & 7
        if wire == VARINT:
            value, position = _decode_varint(content, position)
            yield key >> 3, wire, value
            continue
        if wire == BYTES:
            size, position = _decode_varint(content, position)
        elif wire in (FIXED32, FIXED64):
            size = 4 if wire == FIXED32 else 8
        else:
            raise ValueError("this is no protobuf message")
        if position + size > len(content):
            raise ValueError("the file ends too soon")
        yield key >> 3, wire, content[position : position + size]
        position += size


def _decode_varint(content: memoryview, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if position >= len(content) or shift > 63:
            raise ValueError("this is no protobuf message")
        byte = content[position]
        position += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, position


def _encode_varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers are stored as 64 bits
    encoded = bytearray()
    while value >= 0x80:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def encode_field(number: int, wire: int, value: int | memoryview) -> bytes:
    """Return a field with its key."""
    if isinstance(value, int):
        return _encode_varint(number << 3 | wire) + _encode_varint(value)
    if wire == BYTES:
        return encode_block(number, value)
    return _encode_varint(number << 3 | wire) + bytes(value)


def encode_block(number: int, value: bytes | memoryview) -> bytes:
    """Return a field of bytes: text, an inner message, packed numbers."""
    return b"".join([block_key(number, len(value)), value])


def block_key(number: int, size: int) -> bytes:
    """Return what stands ahead of `size` bytes to make a field of them, for those too large to be copied."""
    return _encode_varint(number << 3 | BYTES) + _encode_varint(size)


def text_of(value: int | memoryview) -> str:
    """Return the value of a field of text."""
    return "" if isinstance(value, int) else str(value, "utf-8")


def integers_of(fields: Iterable[Field], numbers: set[int]) -> list[int]:
    """Return the whole numbers of repeated fields, which may be stored one by one or packed into one."""
    found: list[int] = []
    for number, _, value in fields:
        if number not in numbers:
            continue
        if isinstance(value, int):
            found.append(value)
            continue
        position = 0
        while position < len(value):
            one, position = _decode_varint(value, position)
            found.append(one)
    return [one - (1 << 64) if one >= 1 << 63 else one for one in found]
