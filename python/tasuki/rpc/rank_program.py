"""A rank that serves functions of Python: python -m tasuki.rpc.rank_program REGISTRATION.

`tasuki serve` starts it, under mpiexec if the routines use MPI.
"""

import ctypes
import functools
import importlib
import math
import operator
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tasuki.base.programs import find_library
from tasuki.idl.expression import evaluate
from tasuki.idl.interface import signature_of
from tasuki.idl.model import (
    FIRST_METHOD,
    LAST_METHOD,
    Callback,
    Calls,
    Language,
    Mode,
    Parameter,
    RemoteClass,
    Routine,
)
from tasuki.idl.registration import read_registration
from tasuki.idl.shapes import integers_of, shape_of_array
from tasuki.rpc.blocks import LayoutInC, block_at

_Run = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p))
# What launchers tell their processes: rank and number of ranks. Of Slurm it is srun that starts
# processes: a batch script has SLURM_PROCID and SLURM_NTASKS, although it is one process.
_PLACES = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
)


_libc = ctypes.CDLL(None)
_libc.strdup.restype = ctypes.c_void_p
_libc.strdup.argtypes = (ctypes.c_char_p,)


class _Routine(ctypes.Structure):
    """tasuki_routine."""

    _fields_ = (("name", ctypes.c_char_p), ("run", _Run))


def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(find_library("tasuki_routines")))
    library.tasuki_layout.argtypes = (ctypes.c_void_p,)
    library.tasuki_layout.restype = ctypes.POINTER(LayoutInC)
    library.tasuki_fail.argtypes = (ctypes.c_char_p,)
    library.tasuki_fail.restype = None
    library.tasuki_call_back.argtypes = (ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p))
    library.tasuki_call_back.restype = None
    library.tasuki_object.argtypes = ()
    library.tasuki_object.restype = ctypes.c_int64
    return library


def _place() -> tuple[int, int]:
    """Rank and number of ranks.

    Called when the functions are loaded: a launcher of another MPI than mpi4py's has started
    processes of which that MPI knows nothing, and the server refuses them as it does programs in C.
    """
    return _place_in_mpi4py() or _place_by_launcher()


def _place_in_mpi4py() -> tuple[int, int] | None:
    """Nothing if no function has loaded it, or it is not to initialise MPI."""
    mpi: Any = sys.modules.get("mpi4py.MPI")
    if mpi is None or not mpi.Is_initialized() or mpi.Is_finalized():
        return None
    return mpi.COMM_WORLD.rank, mpi.COMM_WORLD.size


def _place_by_launcher() -> tuple[int, int]:
    for rank, ranks in _PLACES:
        if rank in os.environ and ranks in os.environ:
            return int(os.environ[rank]), int(os.environ[ranks])
    return 0, 1


def _at(place: tuple[int, int], function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which fails if it has loaded an mpi4py that knows of other ranks: what it has
    computed would be as if there were no others."""

    def run(*arguments: Any) -> Any:
        value = function(*arguments)
        found = _place_in_mpi4py()
        if found not in (None, place):
            raise RuntimeError(
                f"of the {place[1]} ranks, mpi4py knows of {found[1]}: start them by the mpiexec of"
                " its MPI (--launcher), or use an mpi4py for the MPI of the launcher"
            )
        return value

    return run


class _Texts(list[str]):
    """The texts of an argument: those that the function leaves in an OUT or INOUT go back."""

    def __init__(self, address: int) -> None:
        self._pointers = ctypes.cast(address, ctypes.POINTER(ctypes.c_void_p))
        self._count = 0

    @classmethod
    def at(cls, address: int, parameter: Parameter, integers: Mapping[str, int]) -> "_Texts":
        texts = cls(address)
        sizes = (evaluate(one.size, integers, parameter.name) for one in parameter.dimensions)
        texts._count = math.prod(sizes)
        texts += [
            ctypes.string_at(one).decode(errors="surrogateescape") if one else ""
            for one in texts._pointers[: texts._count]
        ]
        return texts

    def give_back(self, name: str) -> None:
        """Raises TypeError or ValueError if they are no texts, or not as many as they were."""
        if len(self) != self._count or not all(isinstance(one, str) for one in self):
            raise TypeError(f"{name} must hold {self._count} texts, and is {self!r}")
        for index, one in enumerate(self):
            text = one.encode(errors="surrogateescape")
            if b"\0" in text:
                raise ValueError(f"{name} holds the character NUL")
            self._pointers[index] = _libc.strdup(text)


def _argument(
    library: ctypes.CDLL, parameter: Parameter, address: int, integers: Mapping[str, int]
) -> Any:
    if not parameter.type.is_number:
        texts = _Texts.at(address, parameter, integers)
        return texts if parameter.dimensions else texts[0]
    dtype = np.dtype(parameter.type.wire)
    if not parameter.is_scalar:
        return block_at(address, dtype, library.tasuki_layout)
    memory: Any = (ctypes.c_char * dtype.itemsize).from_address(address)
    return np.frombuffer(memory, dtype, 1)[0].item()


def _client_function(
    library: ctypes.CDLL, callback: Callback, integers: Mapping[str, int]
) -> Callable[..., None]:
    """The function of the client, which takes an array for each of the callback's arguments."""

    def call(*arrays: Any) -> None:
        if len(arrays) != len(callback.parameters):
            raise TypeError(f"{callback.name} takes {len(callback.parameters)} arrays")
        passed = []
        for one, array in zip(callback.parameters, arrays, strict=True):
            shape, dtype = shape_of_array(one, integers).sizes, np.dtype(one.type.wire)
            is_written = one.mode is not Mode.IN
            own = np.ascontiguousarray(array, dtype).reshape(np.shape(array))
            if own.shape != shape:
                raise TypeError(f"{one.name} must have shape {shape}, and has {own.shape}")
            passed.append((own, array if is_written else None))
        addresses = (ctypes.c_void_p * (len(passed) + 1))(*(own.ctypes.data for own, _ in passed))
        library.tasuki_call_back(callback.name.encode(), addresses)
        for own, array in passed:
            if array is not None and own is not array:
                array[...] = own

    return call


def _runner(library: ctypes.CDLL, routine: Routine, function: Callable[..., Any]) -> Any:
    parameters = routine.values
    assert isinstance(routine.implementation, Calls)
    names = [one.name for one in routine.implementation.arguments]
    places = {one.name: index for index, one in enumerate(parameters)}

    callbacks = {one.name: one for one in routine.parameters if isinstance(one, Callback)}

    def given_in(arguments: Any) -> list[Any]:
        scalars = {
            one.name: _argument(library, one, arguments[places[one.name]], {})
            for one in routine.numbers
            if one.is_scalar
        }
        integers = integers_of(routine, scalars)
        return [
            _client_function(library, callbacks[name], integers)
            if name in callbacks
            else scalars[name]
            if name in scalars
            else _argument(library, parameters[places[name]], arguments[places[name]], integers)
            for name in names
        ]

    def run(arguments: Any) -> None:
        try:
            given = given_in(arguments)
            if function(*given) is not None:
                raise TypeError("the function returned a value: write results into its arrays")
            for name, one in zip(names, given, strict=True):
                if isinstance(one, _Texts) and parameters[places[name]].mode is not Mode.IN:
                    one.give_back(name)
        except BaseException as fault:
            traceback.print_exc()
            library.tasuki_fail(_described(fault).encode())

    return _Run(run)


def _described(fault: BaseException) -> str:
    """What the client is told: the exception, and the line of the user's that raised it."""
    last = traceback.extract_tb(fault.__traceback__)[-1]
    text = "".join(traceback.format_exception_only(type(fault), fault)).strip()
    return f"{text} ({last.filename}:{last.lineno})"


def _function(routine: Routine) -> Callable[..., Any]:
    assert isinstance(routine.implementation, Calls)
    found: Callable[..., Any] = _named(routine.implementation.target)
    return found


def _named(target: str) -> Any:
    module, _, name = target.partition(":")
    return operator.attrgetter(name)(importlib.import_module(module))


class _Objects:
    """The objects of a class, each with methods that are called by its number."""

    def __init__(self, library: ctypes.CDLL, remote_class: RemoteClass) -> None:
        self._library = library
        self._class = remote_class
        calls = remote_class.methods[0].implementation
        assert isinstance(calls, Calls)
        self._make = _named(calls.target.rpartition(".")[0])
        self._objects: dict[int, Any] = {}

    def runners(self, place: tuple[int, int]) -> Iterator[tuple[str, Any]]:
        """What runs for each method, and when an object is made and when it ends."""
        own = {one.name: one for one in self._class.methods}
        for name in (*own, *({FIRST_METHOD, LAST_METHOD} - own.keys())):
            routine = own.get(name, Routine(name, (), Calls(Language.PYTHON, "", ())))
            function = _at(place, functools.partial(self._call, name))
            runner = _runner(self._library, routine, function)
            yield f"{self._class.name}.{name}", runner

    def _call(self, name: str, *arguments: Any) -> Any:
        number = self._library.tasuki_object()
        if number not in self._objects:
            self._objects[number] = self._make()
        method = self._class.method(name)
        try:
            if method is None:
                return None
            assert isinstance(method.implementation, Calls)
            called = method.implementation.target.rpartition(".")[2]
            return getattr(self._objects[number], called)(*arguments)
        finally:
            if name == LAST_METHOD and not arguments:
                del self._objects[number]


def main(file: Path) -> int:
    """Serves until the server ends; returns the exit code."""
    registration = read_registration(file)
    sys.path.insert(0, str(registration.program))
    library = _library()
    functions = [(one, _function(one)) for one in registration.module.routines]
    objects = [_Objects(library, one) for one in registration.module.classes]
    place = _place()
    runners = [(one.name, _runner(library, one, _at(place, calls))) for one, calls in functions]
    for one in objects:
        runners += one.runners(place)
    entries = (_Routine * len(runners))(*[_Routine(name.encode(), run) for name, run in runners])
    serve = library.tasuki_serve_interface
    serve.argtypes = (
        *(ctypes.c_int, ctypes.c_int, ctypes.c_char_p),
        *(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t),
    )
    signature = signature_of(registration.module).encode()
    code: int = serve(*place, signature, entries, len(runners), None, 0)
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
