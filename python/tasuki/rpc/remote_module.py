"""A module of a server: its routines and classes as attributes."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tasuki.idl.model import Module
from tasuki.rpc.connections import Connections
from tasuki.rpc.documentation import entries_of, html_of_list
from tasuki.rpc.of_one_process import OfOneProcess
from tasuki.rpc.remote_object import RemoteClass
from tasuki.rpc.remote_routine import RemoteRoutine


class RemoteModule(OfOneProcess):
    """A module of a server; its routines, under their aliases too, and classes are attributes."""

    def __init__(self, connections: Connections, url: str, module: Module) -> None:
        self._name = module.name
        self._url = url
        self.interface = module  #: What the server says of it.
        self._routines = {
            one.name: RemoteRoutine(connections, url, module.name, one) for one in module.routines
        }
        self._aliases = {
            alias: self._routines[one.name] for one in module.routines for alias in one.aliases
        }
        self._classes = {
            one.name: RemoteClass(connections, url, module.name, one) for one in module.classes
        }

    @property
    def routines(self) -> Mapping[str, RemoteRoutine]:
        """Those of the module by their names, also where a name is no attribute."""
        return MappingProxyType(self._routines)

    def _all(self) -> dict[str, RemoteRoutine | RemoteClass]:
        return {**self._routines, **self._aliases, **self._classes}

    def _own(self) -> dict[str, RemoteRoutine]:
        """Each routine under its name, and each method as "Class.method"."""
        methods = {
            f"{name}.{method}": one
            for name, remote_class in self._classes.items()
            for method, one in remote_class.methods.items()
        }
        return {**self._routines, **methods}

    if not TYPE_CHECKING:  # Stubs say which attributes there are.

        def __getattr__(self, name: str) -> Any:
            try:
                return self._all()[name]
            except KeyError:
                known = ", ".join(self._all())
                raise AttributeError(
                    f"module {self._name} has no routine {name}; it has {known}"
                ) from None

    def __dir__(self) -> list[str]:
        return sorted({"interface", "routines", *self._all()})

    def _repr_html_(self) -> str:
        entries = entries_of(self._url, self._name, self.interface)
        return html_of_list(f"Module {self._name}", entries)

    def __repr__(self) -> str:
        routines = [one.description for one in self._routines.values()]
        classes = map(repr, self._classes.values())
        return "\n".join([f"module {self._name}", *routines, *classes])


def routines_in(module: RemoteModule) -> dict[str, RemoteRoutine]:
    """Each routine of the module under its name, and each method as "Class.method"."""
    return module._own()
