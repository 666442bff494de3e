"""Calling the routines of a server on NumPy arrays.

`tasuki.connect("tasuki://localhost:7777")` is a Server; `server.linpack.solve(A, b)` calls.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tasuki.idl.interface import module_from_json
from tasuki.idl.model import Mode, Module, Parameter, Routine
from tasuki.rpc.address import parse_address
from tasuki.rpc.arguments import (
    RETURNED,
    SENT,
    Arguments,
    arguments_of,
    array_for,
    scalars_of_one,
)
from tasuki.rpc.connections import Connections
from tasuki.rpc.errors import CallError, LostArrayError
from tasuki.rpc.examples import python_example, shell_example
from tasuki.rpc.job import Job
from tasuki.rpc.library import Connection
from tasuki.rpc.remote_array import RemoteArray, RemoteArrays


def connect(url: str, mode: str = "auto", wire: str = "native") -> "Server":
    """A client of the server at `url`, tasuki://HOST:PORT; raises CallError if none answers.

    `mode` is by which way arrays reach the ranks: "hand-off" by connections to them (one rank
    after the other if "sequential", opened by the ranks if "call-back"), "memory" by reading each
    other's memory on one machine, "relay" through the server's front end, "buffering" and
    "original" by arrays that the front end divides, "auto" by memory, else hand-off, else relay.
    `wire` is the form in which numbers travel: "native" or "xdr".
    """
    return Server(Connections(*parse_address(url), mode, wire), url)


class RemoteRoutine:
    """A routine of a server, to be called like a function."""

    def __init__(self, connections: Connections, url: str, module: str, routine: Routine) -> None:
        self._connections = connections
        self._module = module
        self._routine = routine
        self.python_example = python_example(url, module, routine)
        self.shell_example = shell_example(url, module, routine)
        self.__doc__ = f"{self!r}\n"
        self.report: dict[str, Any] | None = None  #: Of the last call.

    @property
    def interface(self) -> Routine:
        """What the server says of it."""
        return self._routine

    def __call__(
        self, *arguments: Any, out: dict[str, np.ndarray | RemoteArray] | None = None, **named: Any
    ) -> Any:
        """Calls with the arguments that the routine takes; returns what it gives back.

        Sizes may be left out, as the arrays tell them. One result comes as itself, several as a
        tuple. `out` has arrays for results, by name.
        """
        whole = arguments_of(self._routine, arguments, named, out or {})
        with self._connections.one() as connection:
            return self._call(connection, whole)

    def submit(
        self, *arguments: Any, out: dict[str, np.ndarray | RemoteArray] | None = None, **named: Any
    ) -> Job:
        """Begins a call like `__call__`, and returns its result to come.

        Its arrays must stay unchanged until then. Wrong arguments are errors at once.
        """
        whole = arguments_of(self._routine, arguments, named, out or {})
        return Job(self._connections, lambda connection: self._call(connection, whole))

    def _call(self, connection: Connection, whole: Arguments) -> Any:
        arrays = [self._local(one) for one in whole.arrays]
        self.report = connection.call(self._module, self._routine.name, whole.scalars, arrays)
        return whole.results[0] if len(whole.results) == 1 else whole.results

    def _local(self, array: np.ndarray | RemoteArray) -> np.ndarray | str:
        """What the library is given: an array, or the name of one that is on the ranks."""
        if not isinstance(array, RemoteArray):
            return array
        if array.module != self._module:
            raise LostArrayError(
                f"call {self._routine.name}",
                f"{array} is not on the ranks of {self._module}",
                "put it like an argument of this module",
            )
        return array.kept

    def __getattr__(self, name: str) -> "RemoteParameter":
        for one in self._routine.values:
            if not one.is_scalar and one.name.lower() == name.lower():
                return RemoteParameter(self._module, self._routine, one)
        raise AttributeError(f"routine {self._routine.name} has no array {name}")

    @property
    def signature(self) -> str:
        """What it takes and gives: "solve(n: int64, A: float64[n][n]) -> x: float64[n]"."""
        taken = ", ".join(_described(self._routine, SENT))
        given = ", ".join(_described(self._routine, RETURNED)) or "nothing"
        return f"{self._routine.name}({taken}) -> {given}"

    def __repr__(self) -> str:
        example = textwrap.indent(self.python_example, "    ")
        return f"{self.signature}\n    {self._routine.text}\n\n{example}"


def _described(routine: Routine, modes: Sequence[Mode]) -> list[str]:
    described = []
    for one in routine.values:
        if one.mode in modes:
            shape = "".join(f"[{dimension.size}]" for dimension in one.dimensions)
            described.append(f"{one.name}: {one.type.wire}{shape}")
    return described


@dataclass(frozen=True)
class RemoteParameter:
    """An array that a routine takes or gives: what `Server.put` is told to put an array like."""

    module: str
    routine: Routine
    parameter: Parameter


class RemoteModule:
    """A module of a server; its routines are attributes."""

    def __init__(self, connections: Connections, url: str, module: Module) -> None:
        self._name = module.name
        self._routines = {
            one.name: RemoteRoutine(connections, url, module.name, one) for one in module.routines
        }

    def __getattr__(self, name: str) -> RemoteRoutine:
        try:
            return self._routines[name]
        except KeyError:
            raise AttributeError(f"module {self._name} has no routine {name}") from None

    def __dir__(self) -> list[str]:
        return sorted(self._routines)

    def __repr__(self) -> str:
        return "\n".join([f"module {self._name}", *map(repr, self._routines.values())])


class Server:
    """A server of routines; its modules are attributes. For any thread."""

    def __init__(self, connections: Connections, url: str) -> None:
        self._url = url
        with connections.one() as connection:
            modules = [module_from_json(one) for one in connection.interfaces()]
        self._modules = {one.name: RemoteModule(connections, url, one) for one in modules}
        self._arrays = RemoteArrays(connections)

    def put(self, array: Any, like: RemoteParameter) -> RemoteArray:
        """Leaves an array on the ranks, as it lies there for an argument of a routine.

        Calls of the same module take it in place of the array, which is not sent again.
        Example: `R = server.put(A, like=server.linpack.solve.A); server.linpack.solve(R, b)`.
        """
        routine, parameter = like.routine, like.parameter
        local = array_for(routine, parameter, array)
        scalars = scalars_of_one(routine, parameter, local)
        return self._arrays.put(like.module, routine, parameter, scalars, local)

    @property
    def arrays(self) -> list[RemoteArray]:
        """What this client has put on the ranks and not freed."""
        return self._arrays.alive()

    def __getattr__(self, name: str) -> RemoteModule:
        try:
            return self._modules[name]
        except KeyError:
            raise AttributeError(f"{self._url} has no module {name}") from None

    def __dir__(self) -> list[str]:
        return sorted(self._modules)

    def __repr__(self) -> str:
        return "\n".join([f"server {self._url}", *map(repr, self._modules.values())])


def routines_of(server: Server) -> dict[str, RemoteRoutine]:
    """All routines of the server, by the names that shells call them by: "linpack.solve"."""
    modules = {one: getattr(server, one) for one in dir(server)}
    return {
        f"{module}.{name}": getattr(routines, name)
        for module, routines in modules.items()
        for name in dir(routines)
    }


def find_routine(server: Server, name: str) -> RemoteRoutine:
    """The routine "linpack.solve", or "solve" if one module alone has it; else CallError."""
    routines = routines_of(server)
    found = [one for one in routines if name in (one, one.partition(".")[2])]
    if len(found) == 1:
        return routines[found[0]]
    known = ", ".join(found or routines)
    happened = f"{name} is in several modules" if found else f"there is no routine {name}"
    raise CallError(f"call {name}", happened, f"choose one of {known}")
