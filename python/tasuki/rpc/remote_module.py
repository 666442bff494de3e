"""A module of a server: its routines as attributes."""

from tasuki.idl.model import Module
from tasuki.rpc.connections import Connections
from tasuki.rpc.remote_routine import RemoteRoutine


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
