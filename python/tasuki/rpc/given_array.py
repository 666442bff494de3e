"""Arrays as callers have them, seen as NumPy's: without a copy wherever memory can be shared."""

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from tasuki.rpc.errors import ArgumentError

_NUMBERS = "biufc"  # Kinds of NumPy's types.
_READABLE_DEVICES = (1, 3, 13)  # Of DLPack: the processor, and memory that it shares with others.
_EXACT_INTEGER_MOST = {4: 1 << 24, 8: 1 << 53}  # Bytes of a float -> below are no gaps.
_PLACES_MOST = 100_000  # That are compared one by one: some milliseconds.


@dataclass(frozen=True)
class Wanted:
    """What an array is for: argument `name` of type `dtype`, in a call of `routine`."""

    routine: str
    name: str
    dtype: np.dtype

    def refusal(self, happened: str, remedy: str) -> ArgumentError:
        """The error that says of the argument what happened, and what to do about it."""
        return ArgumentError(f"call {self.routine}", f"{self.name} {happened}", remedy)


def array_to_send(value: Any, wanted: Wanted) -> np.ndarray:
    """The numbers of anything that NumPy, DLPack or the buffer protocol knows, or of a list.

    Integers of a list become those of the type, whatever NumPy would make of them.
    Returns: an array of the wanted type, perhaps in the other byte order. It is the caller's memory
    if that has the type, else a copy in it.
    Errors: ArgumentError if it has no numbers, or some that the type does not hold.
    """
    array = _seen(value, wanted)
    dtype = wanted.dtype
    if isinstance(value, list | tuple) and dtype.kind in "iu" and _has_integers(value):
        return _of_integers(value, wanted)
    if array.dtype.newbyteorder("=") == dtype:
        return array
    if array.dtype.kind not in _NUMBERS:
        kind = "Python objects" if array.dtype.kind == "O" else f"elements of {array.dtype}"
        raise wanted.refusal(f"must be of {dtype}, and has {kind}", "give an array of numbers")
    is_list = isinstance(value, list | tuple | int | float | complex)
    # NumPy calls it safe to make floats of 64-bit integers.
    is_safe = array.dtype.kind not in "iu" and np.can_cast(array.dtype, dtype, "safe")
    if is_safe or (
        is_list and array.dtype.kind in "fc" and np.can_cast(array.dtype, dtype, "same_kind")
    ):
        return array.astype(dtype)
    if array.dtype.kind == "c" and dtype.kind != "c":
        raise wanted.refusal(
            f"must be of {dtype}, and is of {array.dtype}",
            f"give its real part: {wanted.name}.real",
        )
    if array.dtype.kind not in "iu" or dtype.kind not in "iufc":
        raise wanted.refusal(
            f"must be of {dtype}, and is of {array.dtype}",
            f"convert it: {wanted.name}.astype('{dtype}')",
        )
    if not _holds(array, dtype):
        raise wanted.refusal(
            f"must be of {dtype}, which does not hold all of its numbers: it is of {array.dtype},"
            f" from {array.min()} to {array.max()}",
            f"give others, or round them: {wanted.name}.astype('{dtype}')",
        )
    return array.astype(dtype)


def array_to_fill(value: Any, wanted: Wanted) -> np.ndarray:
    """The caller's memory as an array for results, perhaps in the other byte order.

    Errors: ArgumentError if it is no array, of another type, read-only, or has an element at the
    place of another.
    """
    remedy = f"give np.empty(..., '{wanted.dtype}')"
    if isinstance(value, list | tuple | int | float | complex | str):
        raise wanted.refusal(f"is no array, but a {type(value).__name__}", remedy)
    if isinstance(value, np.ma.MaskedArray):
        raise wanted.refusal("is a masked array", "give its .data")
    array = _seen(value, wanted)
    if array.dtype.newbyteorder("=") != wanted.dtype:
        raise wanted.refusal(f"must be of {wanted.dtype}, and is of {array.dtype}", remedy)
    if not array.flags.writeable and _cannot_say_read_only(value):
        array = _writable(array, value)
    if not array.flags.writeable:
        raise wanted.refusal("is read-only", remedy)
    overlaps = _overlap_of_itself(array)
    if overlaps:
        raise wanted.refusal(f"{overlaps} several elements at one place", remedy)
    return array


def _seen(value: Any, wanted: Wanted) -> np.ndarray:
    """The value as NumPy sees it, of whatever type."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise wanted.refusal(
            "is a masked array, and routines know no masks", f"fill it: {wanted.name}.filled(0)"
        )
    if isinstance(value, bytes):
        return np.frombuffer(value, np.uint8)
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array_interface__"):
            if value.__dlpack_device__()[0] not in _READABLE_DEVICES:
                raise BufferError("the processor cannot read its memory")
            return np.from_dlpack(value)
        return np.asarray(value)
    except (ValueError, TypeError, BufferError, RuntimeError) as fault:
        remedy = "give one whose rows have the same length"
        if hasattr(value, "__dlpack__"):
            remedy = "copy it to the memory of the processor, as NumPy has it"
        raise wanted.refusal(f"is no array: {fault}", remedy) from None


def _has_integers(value: Any) -> bool:
    """Is it a Python integer, or does a list have nothing else, however deep?"""
    if isinstance(value, list | tuple):
        return all(_has_integers(one) for one in value)
    return isinstance(value, int) and not isinstance(value, bool)


def _of_integers(value: Any, wanted: Wanted) -> np.ndarray:
    limits = np.iinfo(wanted.dtype)
    least, most = int(limits.min), int(limits.max)
    exact = np.array(value, dtype=object)
    for one in exact.flat:
        if not least <= one <= most:
            raise wanted.refusal(
                f"must be of {wanted.dtype}, which does not hold its number {one}",
                f"give numbers from {least} to {most}",
            )
    return exact.astype(wanted.dtype)


def _holds(integers: np.ndarray, dtype: np.dtype) -> bool:
    """Does the type have each of these numbers?"""
    if integers.size == 0:
        return True
    least, most = int(integers.min()), int(integers.max())
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return int(limits.min) <= least and most <= int(limits.max)
    float_bytes = dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize
    if max(-least, most) <= _EXACT_INTEGER_MOST[float_bytes]:
        return True
    if most > np.iinfo(np.int64).max:
        return False
    whole = integers.astype(f"f{float_bytes}")
    with np.errstate(invalid="ignore"):
        return bool((whole.astype(np.int64) == integers).all())


def _cannot_say_read_only(value: Any) -> bool:
    """Is it of a version of DLPack before 1.0, which NumPy takes for read-only to be safe?"""
    if isinstance(value, np.ndarray) or not hasattr(value, "__dlpack__"):
        return False
    try:
        value.__dlpack__(max_version=(1, 0))
    except TypeError:
        return True
    return False


def _writable(array: np.ndarray, owner: Any) -> np.ndarray:
    """The same memory, which `owner` keeps, as an array that may be written."""
    low, high = bounds_of(array)
    memory: Any = (ctypes.c_char * (high - low)).from_address(low)
    memory.owner = owner
    return np.ndarray(array.shape, array.dtype, memory, array.ctypes.data - low, array.strides)


def _overlap_of_itself(array: np.ndarray) -> str:
    """ "has" or, if it would take too long to find out, "may have"; "" if elements are apart."""
    if array.size == 0:
        return ""
    steps = sorted(
        (abs(stride), extent)
        for stride, extent in zip(array.strides, array.shape, strict=True)
        if extent > 1
    )
    if steps and steps[0][0] < array.itemsize:
        return "has"
    room_bytes = array.itemsize
    for stride, extent in steps:
        if stride < room_bytes:  # Elements of one row lie between those of another one.
            return _overlap_of_places(steps, array)
        room_bytes += stride * (extent - 1)
    return ""


def _overlap_of_places(steps: list[tuple[int, int]], array: np.ndarray) -> str:
    """The same, by the place of each element, if there are not too many."""
    if array.size > _PLACES_MOST:
        return "may have"
    places = np.zeros(1, np.int64)
    for stride, extent in steps:
        places = np.add.outer(places, stride * np.arange(extent)).ravel()
    places.sort()
    return "has" if np.diff(places).min() < array.itemsize else ""


def bounds_of(array: np.ndarray) -> tuple[int, int]:
    """The addresses of the array's first byte and of that behind its last one."""
    low, high = _byte_bounds(array)
    return low, high


_byte_bounds: Any = getattr(np.lib, "array_utils", np).byte_bounds  # NumPy 2 has moved it.
