"""Calling the routines of a server on NumPy arrays.

`tasuki.connect("tasuki://localhost:7777")` is a Server; `server.linpack.solve(A, b)` calls.
"""

from typing import Any

from tasuki.idl.interface import module_from_json
from tasuki.rpc.address import parse_address
from tasuki.rpc.arguments import array_for, scalars_of_one
from tasuki.rpc.connections import Connections
from tasuki.rpc.errors import CallError
from tasuki.rpc.remote_array import RemoteArray, RemoteArrays
from tasuki.rpc.remote_module import RemoteModule, routines_in
from tasuki.rpc.remote_routine import RemoteParameter, RemoteRoutine


def connect(url: str, mode: str = "auto", wire: str = "native") -> "Server":
    """A client of the server at `url`, tasuki://HOST:PORT; raises CallError if none answers.

    `mode` is by which way arrays reach the ranks: "hand-off" by connections to them (one rank
    after the other if "sequential", opened by the ranks if "call-back"), "memory" by reading each
    other's memory on one machine, "relay" through the server's front end, "buffering" and
    "original" by arrays that the front end divides, "auto" by memory, else hand-off, else relay.
    `wire` is the form in which numbers travel: "native" or "xdr".
    """
    return Server(Connections(*parse_address(url), mode, wire), url)


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
    """All routines and methods of the server, by names such as "linpack.solve"."""
    modules = {one: getattr(server, one) for one in dir(server)}
    return {
        f"{module}.{name}": routine
        for module, routines in modules.items()
        for name, routine in routines_in(routines).items()
    }


def find_routine(server: Server, name: str) -> RemoteRoutine:
    """The routine "linpack.solve", or "solve" if one module alone has it; else CallError."""
    routines = routines_of(server)
    found = [one for one, routine in routines.items() if name in _names(one, routine)]
    if len(found) == 1:
        return routines[found[0]]
    known = ", ".join(found or routines)
    happened = f"{name} is in several modules" if found else f"there is no routine {name}"
    raise CallError(f"call {name}", happened, f"choose one of {known}")


def _names(full_name: str, routine: RemoteRoutine) -> list[str]:
    """What the routine is called, with its module and without."""
    module, _, own = full_name.partition(".")
    owner = own.rpartition(".")[0]
    before = f"{owner}." if owner else ""
    names = [own, *(f"{before}{alias}" for alias in routine.interface.aliases)]
    return [*names, *(f"{module}.{one}" for one in names)]
