"""What a client knows of a server's routines, whose interfaces may change while it is there."""

from collections.abc import Iterator
from typing import Any

from tasuki.rpc.errors import InterfaceChangedError


class KnownRoutines:
    """The arguments of all routines and methods, as a server's interfaces say them in JSON."""

    def __init__(self, interfaces: list[Any]) -> None:
        self._parameters = dict(_parameters_in(interfaces))

    def changed(self, interfaces: list[Any]) -> frozenset[str]:
        """Those that take other arguments by these interfaces, or are not there: "module/routine".

        A method is "module/Class.method".
        """
        now = dict(_parameters_in(interfaces))
        return frozenset(
            name for name, parameters in self._parameters.items() if now.get(name) != parameters
        )


def require_unchanged(name: str, changed: frozenset[str]) -> None:
    """Raises InterfaceChangedError if the routine "module/routine" is among those."""
    if name in changed:
        raise InterfaceChangedError(
            f"call {name}",
            "the routine takes other arguments since the client connected, or is not there any"
            " more",
            "connect again",
        )


def _parameters_in(interfaces: list[Any]) -> Iterator[tuple[str, Any]]:
    for module in interfaces:
        for routine in module["routines"]:
            yield f"{module['module']}/{routine['name']}", routine["parameters"]
        for one in module["classes"]:
            for method in one["methods"]:
                name = f"{module['module']}/{one['name']}.{method['name']}"
                yield name, method["parameters"]
