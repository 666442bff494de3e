"""Values that all languages of Tasuki know, as bytes: arguments and results of calls by name.

The form is that of include/tasuki/detail/runtime/calls/common_value.hpp.
"""

import struct
from typing import Any

import numpy as np

from tasuki.ranks import extension

_NOTHING, _BOOLEAN, _INTEGER, _NATURAL, _REAL, _TEXT, _BYTES, _ARRAY, _LIST = range(9)

# By the number that stands for them.
_ELEMENTS = extension.element_names()

_WORD = struct.Struct("=BQ")
_SIGNED = struct.Struct("=Bq")
_NUMBER = struct.Struct("=Bd")
_ARRAY_HEAD = struct.Struct("=BBQ")


def write(values: Any) -> bytes:
    """The bytes of the values, one after the other.

    Raises TypeError: a value that other languages do not know; OverflowError: an integer of more
    than 64 bits.
    """
    parts: list[bytes] = []
    for value in values:
        _write(value, parts)
    return b"".join(parts)


def _write(value: Any, parts: list[bytes]) -> None:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None:
        parts.append(bytes([_NOTHING]))
    elif isinstance(value, bool):
        parts.append(bytes([_BOOLEAN, value]))
    elif isinstance(value, int):
        parts.append(_integer(value))
    elif isinstance(value, float):
        parts.append(_NUMBER.pack(_REAL, value))
    elif isinstance(value, str):
        data = value.encode()
        parts += [_WORD.pack(_TEXT, len(data)), data]
    elif isinstance(value, bytes | bytearray):
        parts += [_WORD.pack(_BYTES, len(value)), bytes(value)]
    elif isinstance(value, np.ndarray):
        parts += _array(value)
    elif isinstance(value, list | tuple):
        parts.append(_WORD.pack(_LIST, len(value)))
        for one in value:
            _write(one, parts)
    else:
        raise TypeError(
            f"a {type(value).__name__} cannot be sent to a function that is called by name; pass"
            " numbers, str, bytes, NumPy arrays of one axis, or lists of these"
        )


def _integer(value: int) -> bytes:
    if -(2**63) <= value < 2**63:
        return _SIGNED.pack(_INTEGER, value)
    if 0 <= value < 2**64:
        return _WORD.pack(_NATURAL, value)
    raise OverflowError(f"the integer {value} has more than 64 bits")


def _array(array: Any) -> list[bytes]:
    is_known = array.dtype.name in _ELEMENTS and array.dtype.isnative
    if not is_known or array.ndim != 1:
        raise TypeError(
            f"an array of {array.dtype} with {array.ndim} axes cannot be sent to a function that is"
            " called by name; pass one of integers, float32 or float64 with one axis, as with"
            " array.ravel()"
        )
    head = _ARRAY_HEAD.pack(_ARRAY, _ELEMENTS.index(array.dtype.name), len(array))
    return [head, array.tobytes()]


def read(data: memoryview, name: str) -> list[Any]:
    """The values that `write` has written, for the function `name`.

    Raises Error: they are damaged.
    """
    values = []
    place = 0
    try:
        while place < len(data):
            value, place = _read(data, place)
            values.append(value)
    except (struct.error, IndexError, ValueError) as failure:
        raise extension.make_error(
            f"calling {name}",
            f"its arguments or result cannot be read: {failure}",
            "run programs of one build of Tasuki",
        ) from failure
    return values


def _read(data: memoryview, place: int) -> tuple[Any, int]:
    """Returns: the value at `place`, and where the next one begins."""
    kind = data[place]
    if kind == _NOTHING:
        return None, place + 1
    if kind == _BOOLEAN:
        return data[place + 1] != 0, place + 2
    if kind == _ARRAY:
        _, element, count = _ARRAY_HEAD.unpack_from(data, place)
        begin = place + _ARRAY_HEAD.size
        array = np.frombuffer(data, _ELEMENTS[element], count, begin).copy()
        return array, begin + array.nbytes
    begin = place + _WORD.size
    if kind == _INTEGER:
        return _SIGNED.unpack_from(data, place)[1], begin
    if kind == _REAL:
        return _NUMBER.unpack_from(data, place)[1], begin
    _, word = _WORD.unpack_from(data, place)
    if kind == _LIST:
        return _read_list(data, begin, word)
    if kind in (_TEXT, _BYTES):
        content = bytes(data[begin : begin + word])
        return content.decode() if kind == _TEXT else content, begin + word
    return word, begin


def _read_list(data: memoryview, place: int, count: int) -> tuple[list[Any], int]:
    values = []
    for _ in range(count):
        value, place = _read(data, place)
        values.append(value)
    return values, place
