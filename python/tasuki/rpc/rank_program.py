"""A rank that serves functions of Python: python -m tasuki.rpc.rank_program REGISTRATION.

`tasuki serve` starts it, under mpiexec if the routines use MPI.
"""

import ctypes
import functools
import importlib
import operator
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tasuki.base.programs import find_library
from tasuki.idl.model import (
    FIRST_METHOD,
    LAST_METHOD,
    Calls,
    Language,
    Parameter,
    RemoteClass,
    Routine,
)
from tasuki.idl.registration import read_registration
from tasuki.rpc.blocks import LayoutInC, block_at

_Run = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p))
# What launchers tell their processes: rank and number of ranks.
_PLACES = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("SLURM_PROCID", "SLURM_NTASKS"),
)


class _Routine(ctypes.Structure):
    """tasuki_routine."""

    _fields_ = (("name", ctypes.c_char_p), ("run", _Run))


def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(find_library("tasuki_routines")))
    library.tasuki_layout.argtypes = (ctypes.c_void_p,)
    library.tasuki_layout.restype = ctypes.POINTER(LayoutInC)
    library.tasuki_fail.argtypes = (ctypes.c_char_p,)
    library.tasuki_fail.restype = None
    library.tasuki_object.argtypes = ()
    library.tasuki_object.restype = ctypes.c_int64
    return library


def _place() -> tuple[int, int]:
    for rank, ranks in _PLACES:
        if rank in os.environ and ranks in os.environ:
            return int(os.environ[rank]), int(os.environ[ranks])
    return 0, 1


def _argument(library: ctypes.CDLL, parameter: Parameter, address: int) -> Any:
    dtype = np.dtype(parameter.type.wire)
    if not parameter.is_scalar:
        return block_at(address, dtype, library.tasuki_layout)
    memory = (ctypes.c_char * dtype.itemsize).from_address(address)
    return np.frombuffer(memory, dtype, 1)[0].item()


def _runner(library: ctypes.CDLL, routine: Routine, function: Callable[..., Any]) -> Any:
    parameters = list(routine.values)
    assert isinstance(routine.implementation, Calls)
    names = [one.name for one in routine.implementation.arguments]
    places = {one.name: index for index, one in enumerate(parameters)}

    def run(arguments: Any) -> None:
        try:
            given = [
                _argument(library, parameters[places[name]], arguments[places[name]])
                for name in names
            ]
            if function(*given) is not None:
                raise TypeError("the function returned a value: write results into its arrays")
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

    def runners(self) -> Iterator[tuple[str, Any]]:
        """What runs for each method, and when an object is made and when it ends."""
        own = {one.name: one for one in self._class.methods}
        for name in (*own, *({FIRST_METHOD, LAST_METHOD} - own.keys())):
            routine = own.get(name, Routine(name, (), Calls(Language.PYTHON, "", ())))
            runner = _runner(self._library, routine, functools.partial(self._call, name))
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
    runners = [
        (one.name, _runner(library, one, _function(one))) for one in registration.module.routines
    ]
    for remote_class in registration.module.classes:
        runners += _Objects(library, remote_class).runners()
    entries = (_Routine * len(runners))(*[_Routine(name.encode(), run) for name, run in runners])
    code: int = library.tasuki_serve_calls(*_place(), entries, ctypes.c_size_t(len(runners)))
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
