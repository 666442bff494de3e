"""The client library, include/tasuki/client.h, as Python calls it."""

import ctypes
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tasuki.base.programs import find_library
from tasuki.rpc.callback import Callback, CallbackInC
from tasuki.rpc.errors import (
    AccessError,
    ArgumentError,
    CallCancelledError,
    CallError,
    InterfaceChangedError,
    LostArrayError,
    LostObjectError,
    QueueFullError,
    QuotaError,
    ServerSilentError,
)
from tasuki.rpc.given_array import bounds_of
from tasuki.rpc.known_routines import KnownRoutines, require_unchanged


class _Array(ctypes.Structure):
    """tasuki_array."""

    _fields_ = (
        ("memory", ctypes.c_void_p),
        ("memory_bytes", ctypes.c_size_t),
        ("first_offset_bytes", ctypes.c_int64),
        ("stride_bytes", ctypes.POINTER(ctypes.c_int64)),
        ("dimensions", ctypes.c_size_t),
        ("kept", ctypes.c_char_p),
        ("is_byte_swapped", ctypes.c_int),
    )


class _Options(ctypes.Structure):
    """tasuki_client_options."""

    _fields_ = (
        ("token", ctypes.c_char_p),
        ("token_file", ctypes.c_char_p),
        ("ca_file", ctypes.c_char_p),
    )


@dataclass(frozen=True)
class Place:
    """Where servers are, how arrays reach them, and who calls.

    What is None comes from the settings TASUKI_RPC_MODE and TASUKI_RPC_WIRE, and, without token or
    file, from TASUKI_TOKEN and TASUKI_TOKEN_FILE.
    """

    servers: tuple[str, ...]  #: Addresses, of which the first that answers is used.
    mode: str | None = None
    wire: str | None = None
    token: str | None = None
    token_file: str | None = None
    ca_file: str | None = None


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


_interrupts: list[BaseException] = []


def _check_interrupts() -> Iterator[int]:
    """Gives 1 whenever a handler of Python's has raised since the last time, else 0.

    Python runs handlers of signals as soon as a function of Python's begins or goes on: this one
    goes on inside its `try`.
    """
    answer = 0
    while True:
        try:
            yield answer
            answer = 0
        except GeneratorExit:
            return
        except BaseException as interrupt:
            _interrupts.append(interrupt)
            answer = 1


_checks = _check_interrupts()
next(_checks)
_is_interrupted = ctypes.CFUNCTYPE(ctypes.c_int)(_checks.__next__)


@cache
def _library() -> ctypes.CDLL:
    path = find_library("tasuki_client")
    if path is None:
        raise CallError("connect", "tasuki_client is not part of this build", "./dev build")
    return _with_types(path)


def _with_types(path: Path) -> ctypes.CDLL:
    library = ctypes.CDLL(str(path))
    library.tasuki_client_open_with.argtypes = (ctypes.c_char_p, ctypes.POINTER(_Options))
    library.tasuki_client_open_with.restype = ctypes.c_void_p
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
    library.tasuki_client_set_callbacks.argtypes = (
        ctypes.c_void_p,
        ctypes.POINTER(CallbackInC),
        ctypes.c_size_t,
    )
    library.tasuki_client_set_callbacks.restype = None
    library.tasuki_client_put.argtypes = (
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.POINTER(_Array),
    )
    library.tasuki_client_put.restype = ctypes.c_char_p
    library.tasuki_client_free.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
    library.tasuki_client_free.restype = ctypes.c_int
    library.tasuki_client_kept.argtypes = (ctypes.c_void_p,)
    library.tasuki_client_kept.restype = ctypes.c_char_p
    library.tasuki_client_discard.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
    library.tasuki_client_discard.restype = ctypes.c_int
    library.tasuki_client_make.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
    library.tasuki_client_make.restype = ctypes.c_char_p
    library.tasuki_client_call_object.argtypes = library.tasuki_client_call.argtypes
    library.tasuki_client_call_object.restype = ctypes.c_char_p
    library.tasuki_client_free_object.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
    library.tasuki_client_free_object.restype = ctypes.c_int
    library.tasuki_client_set_mode.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
    library.tasuki_client_set_mode.restype = ctypes.c_int
    library.tasuki_client_set_wire_format.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
    library.tasuki_client_set_wire_format.restype = ctypes.c_int
    library.tasuki_client_is_connected.argtypes = (ctypes.c_void_p,)
    library.tasuki_client_is_connected.restype = ctypes.c_int
    library.tasuki_client_server.argtypes = (ctypes.c_void_p,)
    library.tasuki_client_server.restype = ctypes.c_char_p
    library.tasuki_client_end.argtypes = (ctypes.c_void_p,)
    library.tasuki_client_end.restype = None
    library.tasuki_client_progress.argtypes = (
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_int64),
    )
    library.tasuki_client_progress.restype = None
    library.tasuki_client_check_interrupts(_is_interrupted)
    library.tasuki_client_error.argtypes = ()
    library.tasuki_client_error.restype = ctypes.c_char_p
    return library


_ERRORS = {
    "access": AccessError,
    "call": CallError,
    "cancelled": CallCancelledError,
    "interface-changed": InterfaceChangedError,
    "lost-array": LostArrayError,
    "lost-object": LostObjectError,
    "queue-full": QueueFullError,
    "quota": QuotaError,
    "silent": ServerSilentError,
}


def _last_error() -> CallError:
    fault = json.loads(_library().tasuki_client_error())
    return _ERRORS.get(fault["kind"], CallError)(
        fault["operation"], fault["happened"], fault["remedy"], fault["may_have_run"]
    )


class Connection:
    """A connection to one server at a time, closed when nobody refers to it.

    For one thread at a time, but for `cancel` and `progress`, which are for any.
    """

    def __init__(self, place: Place, known: KnownRoutines | None = None) -> None:
        """`known` is what callers know of the routines, if not what the server says now."""
        self.is_cancelled = False
        self._client = None  # __del__ needs it if connecting fails.
        options = _Options(
            _encoded(place.token), _encoded(place.token_file), _encoded(place.ca_file)
        )
        self._client = _library().tasuki_client_open_with(",".join(place.servers).encode(), options)
        if self._client is None:
            raise _last_error()
        for choose, name in (
            (_library().tasuki_client_set_mode, place.mode),
            (_library().tasuki_client_set_wire_format, place.wire),
        ):
            if name is not None and choose(self._client, name.encode()) != 0:
                fault = _last_error()
                raise ArgumentError(fault.operation, fault.happened, fault.remedy)
        self._changed = frozenset() if known is None else known.changed(self.interfaces())

    def __del__(self) -> None:
        if self._client is not None:
            _library().tasuki_client_close(self._client)

    def cancel(self) -> None:
        """Ends the call under way, and all later ones."""
        self.is_cancelled = True
        _library().tasuki_client_end(self._client)

    def is_usable(self) -> bool:
        """Whether other calls may follow."""
        return not self.is_cancelled and bool(_library().tasuki_client_is_connected(self._client))

    def server(self) -> str:
        """The address of the one that it uses, as Place has it."""
        found: bytes = _library().tasuki_client_server(self._client)
        return found.decode()

    def progress(self) -> tuple[int, int]:
        """Bytes of arrays that the call under way has moved, and how many there are; else zeros."""
        moved, total = ctypes.c_int64(), ctypes.c_int64()
        _library().tasuki_client_progress(self._client, moved, total)
        return min(moved.value, total.value), total.value

    def interfaces(self) -> list[Any]:
        """The server's modules as JSON."""
        interfaces: list[Any] = json.loads(_library().tasuki_client_interfaces(self._client))
        return interfaces

    def put(
        self, module: str, routine: str, parameter: str, scalars: dict[str, Any], array: np.ndarray
    ) -> str:
        """Leaves the array on the ranks; returns what later calls name it by."""
        require_unchanged(f"{module}/{routine}", self._changed)
        kept = _library().tasuki_client_put(
            self._client,
            module.encode(),
            routine.encode(),
            parameter.encode(),
            json.dumps(scalars).encode(),
            _describe(array),
        )
        return self._name_of(kept)

    def free(self, module: str, kept: str) -> None:
        """Frees an array on the ranks."""
        if _library().tasuki_client_free(self._client, module.encode(), kept.encode()) != 0:
            raise self._fault()

    def kept(self) -> list[Any]:
        """What the user's clients have left on the ranks, as docs/formats/server-api.md says."""
        described = _library().tasuki_client_kept(self._client)
        if described is None:
            raise self._fault()
        kept: list[Any] = json.loads(described)
        return kept

    def discard(self, name: str) -> bool:
        """Frees what any client of the user has left; returns whether it was there."""
        is_freed = _library().tasuki_client_discard(self._client, name.encode())
        if is_freed < 0:
            raise self._fault()
        return bool(is_freed)

    def _name_of(self, left: bytes | None) -> str:
        """Of what was left on the ranks; raises the error if nothing was."""
        if left is None:
            raise self._fault()
        return left.decode()

    def _fault(self) -> BaseException:
        return _interrupts.pop() if _interrupts else _last_error()

    def call(
        self,
        module: str,
        routine: str,
        scalars: dict[str, Any],
        arrays: Sequence[np.ndarray | str],
        callbacks: Sequence[Callback] = (),
    ) -> bytes:
        """Calls with all scalars and all arrays, whose results it writes; returns the report.

        The report is JSON text (docs/formats/call-report.md).
        An array that `put` has left on the ranks is given as its name. `callbacks` run on this
        thread."""
        require_unchanged(f"{module}/{routine}", self._changed)
        call = _library().tasuki_client_call
        return self._call(call, module, routine, scalars, arrays, callbacks)

    def make(self, class_name: str) -> str:
        """Makes an object of "module/Class" on the ranks; returns its name."""
        made = _library().tasuki_client_make(self._client, class_name.encode())
        return self._name_of(made)

    def call_object(
        self,
        name: str,
        method: str,
        scalars: dict[str, Any],
        arrays: Sequence[np.ndarray | str],
        callbacks: Sequence[Callback] = (),
    ) -> bytes:
        """Calls a method of an object like `call`."""
        owner = name.rpartition("/")[0]  # "module/Class"
        require_unchanged(f"{owner}.{method}", self._changed)
        call = _library().tasuki_client_call_object
        return self._call(call, name, method, scalars, arrays, callbacks)

    def free_object(self, name: str) -> None:
        """Frees an object on the ranks."""
        if _library().tasuki_client_free_object(self._client, name.encode()) != 0:
            raise self._fault()

    def _call(
        self,
        function: Any,
        owner: str,
        routine: str,
        scalars: dict[str, Any],
        arrays: Sequence[np.ndarray | str],
        callbacks: Sequence[Callback],
    ) -> bytes:
        if callbacks:
            in_c = (CallbackInC * len(callbacks))(*(one.in_c for one in callbacks))
            _library().tasuki_client_set_callbacks(self._client, in_c, len(callbacks))
        described = (_Array * len(arrays))(*map(_describe, arrays))
        report = function(
            self._client,
            owner.encode(),
            routine.encode(),
            json.dumps(scalars).encode(),
            described,
            len(arrays),
        )
        if report is None:
            fault = self._fault()
            cause = next((one.fault for one in callbacks if one.fault is not None), None)
            if cause is not None and not isinstance(cause, Exception):
                raise cause  # Such as KeyboardInterrupt.
            raise fault from cause
        text: bytes = report
        return text


def _describe(array: np.ndarray | str) -> _Array:
    """The array as the library sees it: from the lowest of its bytes to the highest."""
    if isinstance(array, str):
        return _Array(kept=array.encode())
    low, high = bounds_of(array)
    strides = (ctypes.c_int64 * array.ndim)(*array.strides)
    is_byte_swapped = not array.dtype.isnative
    return _Array(
        low, high - low, array.ctypes.data - low, strides, array.ndim, None, is_byte_swapped
    )
