"""The client library, include/tasuki/client.h, as Python calls it."""

import ctypes
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tasuki.base.programs import find_library
from tasuki.rpc.errors import CallError


class _Array(ctypes.Structure):
    """tasuki_array."""

    _fields_ = (
        ("memory", ctypes.c_void_p),
        ("memory_bytes", ctypes.c_size_t),
        ("first_offset_bytes", ctypes.c_int64),
        ("stride_bytes", ctypes.POINTER(ctypes.c_int64)),
        ("dimensions", ctypes.c_size_t),
    )


@cache
def _library() -> ctypes.CDLL:
    path = find_library("tasuki_client")
    if path is None:
        raise CallError("connect", "tasuki_client is not part of this build", "./dev build")
    return _with_types(path)


def _with_types(path: Path) -> ctypes.CDLL:
    library = ctypes.CDLL(str(path))
    library.tasuki_client_connect.argtypes = (ctypes.c_char_p, ctypes.c_uint16)
    library.tasuki_client_connect.restype = ctypes.c_void_p
    library.tasuki_client_close.argtypes = (ctypes.c_void_p,)
    library.tasuki_client_close.restype = None
    library.tasuki_client_interfaces.argtypes = (ctypes.c_void_p,)
    library.tasuki_client_interfaces.restype = ctypes.c_char_p
    library.tasuki_client_call.argtypes = (
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.POINTER(_Array),
        ctypes.c_size_t,
    )
    library.tasuki_client_call.restype = ctypes.c_char_p
    library.tasuki_client_error.argtypes = ()
    library.tasuki_client_error.restype = ctypes.c_char_p
    return library


def _last_error() -> CallError:
    fault = json.loads(_library().tasuki_client_error())
    return CallError(fault["operation"], fault["happened"], fault["remedy"])


class Connection:
    """A connection to a server, closed when nobody refers to it; for one thread at a time."""

    def __init__(self, host: str, port: int) -> None:
        self._client = None  # __del__ needs it if connecting fails.
        self._client = _library().tasuki_client_connect(host.encode(), port)
        if self._client is None:
            raise _last_error()

    def __del__(self) -> None:
        if self._client is not None:
            _library().tasuki_client_close(self._client)

    def interfaces(self) -> list[Any]:
        """The server's modules as JSON."""
        interfaces: list[Any] = json.loads(_library().tasuki_client_interfaces(self._client))
        return interfaces

    def call(
        self, module: str, routine: str, scalars: dict[str, Any], arrays: Sequence[np.ndarray]
    ) -> dict[str, Any]:
        """Calls with all scalars and all arrays, whose results it writes; returns the report."""
        described = (_Array * len(arrays))(*map(_describe, arrays))
        report = _library().tasuki_client_call(
            self._client,
            module.encode(),
            routine.encode(),
            json.dumps(scalars).encode(),
            described,
            len(arrays),
        )
        if report is None:
            raise _last_error()
        result: dict[str, Any] = json.loads(report)
        return result


def _describe(array: np.ndarray) -> _Array:
    """The array as the library sees it: from the lowest of its bytes to the highest."""
    low, high = np.lib.array_utils.byte_bounds(array) if _HAS_ARRAY_UTILS else np.byte_bounds(array)
    strides = (ctypes.c_int64 * array.ndim)(*array.strides)
    return _Array(low, high - low, array.ctypes.data - low, strides, array.ndim)


_HAS_ARRAY_UTILS = hasattr(np.lib, "array_utils")
