"""Classes of a server, and the objects of them that live on its ranks."""

import functools
import os
import weakref
from typing import Any

import numpy as np

from tasuki.idl import model
from tasuki.rpc.callback import Callback
from tasuki.rpc.connections import Connections
from tasuki.rpc.documentation import Entry, docstring
from tasuki.rpc.errors import ArgumentError
from tasuki.rpc.examples import method_example
from tasuki.rpc.forgotten import Forgotten
from tasuki.rpc.library import Connection
from tasuki.rpc.of_one_process import OfOneProcess, require_own_process
from tasuki.rpc.remote_routine import RemoteRoutine


class RemoteMethod(RemoteRoutine):
    """A method of a server's class, to be called like a function if it has an object."""

    def __init__(
        self,
        connections: Connections,
        url: str,
        owner: "RemoteClass",
        method: model.Routine,
        instance: "RemoteObject | None" = None,
    ) -> None:
        self._owner_name = owner.name
        super().__init__(connections, url, owner.module, method)
        self._instance = instance
        self.python_example = method_example(url, owner.module, owner.name, method)
        self.c_example = ""
        self.shell_example = ""  # Shells have no objects.
        self.__doc__ = docstring(self._entry())

    def _entry(self) -> Entry:
        name = f"{self._module}.{self._owner_name}.{self._routine.name}"
        return Entry(name, self._routine, self.python_example, self.shell_example)

    def _exchange(
        self,
        connection: Connection,
        scalars: dict[str, Any],
        arrays: list[np.ndarray | str],
        callbacks: list[Callback],
    ) -> bytes:
        if self._instance is None:
            raise ArgumentError(
                f"call {self._routine.name}", "no object is given",
                "make one of its class, and call its method",
            )  # fmt: skip
        name = self._instance.remote_name
        return connection.call_object(name, self._routine.name, scalars, arrays, callbacks)


class RemoteClass(OfOneProcess):
    """A class of a server, to be called like one: `counter = server.stats.Counter()`."""

    def __init__(
        self, connections: Connections, url: str, module: str, interface: model.RemoteClass
    ) -> None:
        self.module = module
        self.name = interface.name
        self.interface = interface  #: What the server says of it.
        self.connections = connections
        self.forgotten = Forgotten(connections)
        self._url = url
        self.__doc__ = f"{self!r}\n"

    def __call__(self, /, *arguments: Any, **named: Any) -> "RemoteObject":
        """Makes an object on the ranks; arguments are those of its method _initialize."""
        first = self.interface.method(model.FIRST_METHOD)
        if (arguments or named) and (first is None or not first.parameters):
            raise ArgumentError(
                f"make an object of {self.name}", "it takes no arguments", "give none"
            )
        self.forgotten.free()
        made = RemoteObject(self)
        if first is not None and first.parameters:
            try:
                self.method(first, made)(*arguments, **named)
            except BaseException:
                made.free()
                raise
        return made

    def method(self, method: model.Routine, instance: "RemoteObject | None" = None) -> RemoteMethod:
        """The method, of an object if one is given."""
        return RemoteMethod(self.connections, self._url, self, method, instance)

    @functools.cached_property
    def methods(self) -> dict[str, RemoteMethod]:
        """Their descriptions, without an object; but for those that run by themselves."""
        own = (model.FIRST_METHOD, model.LAST_METHOD)
        shown = (one for one in self.interface.methods if one.name not in own)
        return {one.name: self.method(one) for one in shown}

    def __getattr__(self, name: str) -> RemoteMethod:
        method = self.interface.method(name)
        if method is None:
            raise AttributeError(f"class {self.name} has no method {name}")
        return self.method(method)

    def __dir__(self) -> list[str]:
        return sorted(self.methods)

    def __repr__(self) -> str:
        text = f"\n    {self.interface.text}" if self.interface.text else ""
        return "\n".join(
            [f"class {self.name}{text}", *(one.description for one in self.methods.values())]
        )


class RemoteObject(OfOneProcess):
    """An object on the ranks of a module, with a state of its own there.

    It is freed by `free`, at the end of a `with`, when nobody refers to it any more, and when the
    client goes. Calls of its methods raise LostObjectError afterwards, and when the ranks have been
    started anew.
    """

    def __init__(self, owner: RemoteClass) -> None:
        self._owner = owner
        self._process = os.getpid()
        with owner.connections.one() as connection:
            self.remote_name = connection.make(f"{owner.module}/{owner.name}")
        identity = self.remote_name.rpartition("/")[2]
        self._finalizer = weakref.finalize(self, owner.forgotten.add, owner.module, identity)

    def free(self) -> None:
        """Frees it on the ranks, where its class's _finalize runs; once more does nothing."""
        require_own_process(self._process, "free an object")
        if self._finalizer.detach() is not None and not self._owner.connections.is_closed:
            with self._owner.connections.one() as connection:
                connection.free_object(self.remote_name)

    def __getattr__(self, name: str) -> RemoteMethod:
        method = self._owner.interface.method(name)
        if method is None:
            raise AttributeError(f"class {self._owner.name} has no method {name}")
        return self._owner.method(method, self)

    def __dir__(self) -> list[str]:
        return sorted([*dir(self._owner), "free"])

    def __enter__(self) -> "RemoteObject":
        return self

    def __exit__(self, *_: object) -> None:
        self.free()

    def __repr__(self) -> str:
        return f"object of {self._owner.name} on the ranks of {self._owner.module}"
