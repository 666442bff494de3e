"""Calling the routines of a server on NumPy arrays.

`tasuki.connect("tasuki://localhost:7777")` is a Server; `server.linpack.solve(A, b)` calls.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tasuki.idl.interface import module_from_json
from tasuki.rpc.address import addresses_in
from tasuki.rpc.arguments import array_for, scalars_of_one
from tasuki.rpc.connections import Connections
from tasuki.rpc.documentation import entries_of, html_of_list
from tasuki.rpc.errors import ArgumentError, CallError
from tasuki.rpc.kept import Kept, all_kept
from tasuki.rpc.library import Place
from tasuki.rpc.of_one_process import OfOneProcess
from tasuki.rpc.remote_array import RemoteArray, RemoteArrays
from tasuki.rpc.remote_module import RemoteModule, routines_in
from tasuki.rpc.remote_routine import RemoteParameter, RemoteRoutine


def connect(
    url: str | Sequence[str],
    mode: str | None = None,
    wire: str | None = None,
    *,
    token: str | None = None,
    token_file: str | Path | None = None,
    ca_file: str | Path | None = None,
) -> "Server":
    """A client of the server at `url`, tasuki://HOST:PORT or HOST:PORT.

    Raises CallError if none answers, or it is no address.

    Of several addresses, in a list or with commas in between, it uses the first that answers. If
    that server serves no more, calls that have surely not run are made on the next one, if the
    routine takes the same arguments there. Calls that may have run raise CallError, whose
    `may_have_run` is True then. What was left on the ranks of the server before is lost.
    A server that gives no sign of life for TASUKI_SERVER_TIMEOUT (60 s) while a call waits serves
    no more; however long a routine computes, the server gives signs.
    `mode` is by which way arrays reach the ranks: "hand-off" by connections to them (one rank
    after the other if "sequential", opened by the ranks if "call-back"), "memory" by reading each
    other's memory on one machine, "relay" through the server's front end, "buffering" and
    "original" by arrays that the front end divides, "auto" by memory, else hand-off, else relay.
    `wire` is the form in which numbers travel: "native" or "xdr". Without these, the settings
    TASUKI_RPC_MODE ("auto") and TASUKI_RPC_WIRE ("native") say it. Raises ArgumentError if there is
    no such mode or form. A server that serves only users whom it knows is shown `token`, or what is
    in `token_file`; without both, the settings TASUKI_TOKEN and TASUKI_TOKEN_FILE say who calls.
    Raises AccessError if that is nobody.
    With tasukis://HOST:PORT all is encrypted, and the server shows a certificate of an authority
    in `ca_file`, else of the setting TASUKI_CA_FILE or of the system.
    """
    servers = addresses_in(url)
    if ca_file is not None and not any(one.startswith("tasukis") for one in servers):
        raise CallError(
            "connect", f"ca_file is for servers that speak TLS, and {servers[0]} does not",
            "give tasukis://HOST:PORT, or leave it out",
        )  # fmt: skip
    files = [None if one is None else str(one) for one in (token_file, ca_file)]
    text = url if isinstance(url, str) else ",".join(url)
    return Server(Connections(Place(servers, mode, wire, token, *files)), text)


class Server(OfOneProcess):
    """A server of routines; its modules are attributes. For any thread.

    Its connections end with `close`, with the end of a `with`, and when nobody refers to it or its
    routines any more. A forked process connects anew with its first call.
    """

    def __init__(self, connections: Connections, url: str) -> None:
        self._url = url
        self._connections = connections
        with connections.one() as connection:
            modules = [module_from_json(one) for one in connection.interfaces()]
        self._modules = {one.name: RemoteModule(connections, url, one) for one in modules}
        self._arrays = RemoteArrays(connections)

    def put(self, array: Any, like: RemoteParameter) -> RemoteArray:
        """Leaves an array on the ranks, as it lies there for an argument of a routine.

        Calls of the same module take it in place of the array, which is not sent again.
        Example: `R = server.put(A, like=server.linpack.solve.A); server.linpack.solve(R, b)`.
        """
        if not isinstance(like, RemoteParameter):
            raise ArgumentError(
                "put an array", f"like is {like!r}, which is no array of a routine",
                "give one, as in like=server.linpack.solve.A",
            )  # fmt: skip
        routine, parameter = like.routine, like.parameter
        local = array_for(routine, parameter, array)
        scalars = scalars_of_one(routine, parameter, local)
        return self._arrays.put(like.module, routine, parameter, scalars, local)

    @property
    def arrays(self) -> list[RemoteArray]:
        """What this client has put on the ranks and not freed, the oldest first."""
        return self._arrays.alive()

    @property
    def kept(self) -> list[Kept]:
        """What all clients of the same user have left on the ranks, the oldest first.

        The server tells it; an entry's `free` frees it. Raises CallError if the server does not
        answer. Example: `[one.nbytes for one in server.kept]`.
        """
        return all_kept(self._connections)

    @property
    def modules(self) -> Mapping[str, RemoteModule]:
        """All modules by their names, also where a name is no attribute."""
        return MappingProxyType(self._modules)

    def close(self) -> None:
        """Ends the client: the ranks forget its arrays, and later calls raise CallError.

        Calls that other threads have under way go on to their end.
        """
        self._connections.close()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    if not TYPE_CHECKING:  # Stubs say which attributes there are.

        def __getattr__(self, name: str) -> RemoteModule:
            try:
                return self._modules[name]
            except KeyError:
                known = ", ".join(self._modules)
                raise AttributeError(f"{self._url} has no module {name}; it has {known}") from None

    def __dir__(self) -> list[str]:
        return sorted({"arrays", "close", "kept", "modules", "put", *self._modules})

    def _repr_html_(self) -> str:
        entries = [
            entry
            for name, module in self._modules.items()
            for entry in entries_of(self._url, name, module.interface)
        ]
        return html_of_list(f"Server {self._url}", entries)

    def __repr__(self) -> str:
        return "\n".join([f"server {self._url}", *map(repr, self._modules.values())])


def routines_of(server: Server) -> dict[str, RemoteRoutine]:
    """All routines and methods of the server, by names such as "linpack.solve"."""
    return {
        f"{module_name}.{name}": routine
        for module_name, module in sorted(server.modules.items())
        for name, routine in sorted(routines_in(module).items())
    }


def find_routine(server: Server, name: str) -> RemoteRoutine:
    """The routine "linpack.solve" or "linpack/solve", or "solve" if one module alone has it.

    Errors: CallError if there is none, or there are several.
    """
    routines = routines_of(server)
    dotted = name.replace("/", ".")
    found = [one for one, routine in routines.items() if dotted in _names(one, routine)]
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
