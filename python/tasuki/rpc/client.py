"""Calling the routines of a server on NumPy arrays.

`tasuki.connect("tasuki://localhost:7777")` is a Server; `server.linpack.solve(A, b)` calls.
"""

from typing import Any

import numpy as np

from tasuki.idl.interface import module_from_json
from tasuki.idl.model import Mode, Module, Routine
from tasuki.rpc.address import parse_address
from tasuki.rpc.arguments import Arguments, arguments_of
from tasuki.rpc.connections import Connections
from tasuki.rpc.job import Job
from tasuki.rpc.library import Connection


def connect(url: str) -> "Server":
    """A client of the server at `url`, tasuki://HOST:PORT; raises CallError if none answers."""
    return Server(Connections(*parse_address(url)), url)


class RemoteRoutine:
    """A routine of a server, to be called like a function."""

    def __init__(self, connections: Connections, module: str, routine: Routine) -> None:
        self._connections = connections
        self._module = module
        self._routine = routine
        self.__doc__ = routine.text
        self.report: dict[str, Any] | None = None  #: Of the last call.

    def __call__(
        self, *arguments: Any, out: dict[str, np.ndarray] | None = None, **named: Any
    ) -> Any:
        """Calls with the arguments that the routine takes; returns what it gives back.

        Sizes may be left out, as the arrays tell them. One result comes as itself, several as a
        tuple. `out` has arrays for results, by name.
        """
        whole = arguments_of(self._routine, arguments, named, out or {})
        with self._connections.one() as connection:
            return self._call(connection, whole)

    def submit(
        self, *arguments: Any, out: dict[str, np.ndarray] | None = None, **named: Any
    ) -> Job:
        """Begins a call like `__call__`, and returns its result to come.

        Its arrays must stay unchanged until then. Wrong arguments are errors at once.
        """
        whole = arguments_of(self._routine, arguments, named, out or {})
        return Job(self._connections, lambda connection: self._call(connection, whole))

    def _call(self, connection: Connection, whole: Arguments) -> Any:
        self.report = connection.call(self._module, self._routine.name, whole.scalars, whole.arrays)
        return whole.results[0] if len(whole.results) == 1 else whole.results

    def __repr__(self) -> str:
        taken = ", ".join(_described(self._routine, (Mode.IN, Mode.INOUT)))
        given = ", ".join(_described(self._routine, (Mode.OUT, Mode.INOUT))) or "nothing"
        return f"{self._routine.name}({taken}) -> {given}\n    {self._routine.text}"


def _described(routine: Routine, modes: tuple[Mode, ...]) -> list[str]:
    described = []
    for one in routine.values:
        if one.mode in modes:
            shape = "".join(f"[{dimension.size}]" for dimension in one.dimensions)
            described.append(f"{one.name}: {one.type.wire}{shape}")
    return described


class RemoteModule:
    """A module of a server; its routines are attributes."""

    def __init__(self, connections: Connections, module: Module) -> None:
        self._name = module.name
        self._routines = {
            one.name: RemoteRoutine(connections, module.name, one) for one in module.routines
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
        self._modules = {one.name: RemoteModule(connections, one) for one in modules}

    def __getattr__(self, name: str) -> RemoteModule:
        try:
            return self._modules[name]
        except KeyError:
            raise AttributeError(f"{self._url} has no module {name}") from None

    def __dir__(self) -> list[str]:
        return sorted(self._modules)

    def __repr__(self) -> str:
        return "\n".join([f"server {self._url}", *map(repr, self._modules.values())])
