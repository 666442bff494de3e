"""Arrays that stay on the ranks of a server, for later calls to use."""

import weakref
from typing import Any

import numpy as np

from tasuki.idl.model import Parameter, Routine
from tasuki.rpc.connections import Connections
from tasuki.rpc.forgotten import Forgotten


class RemoteArray:
    """An array on the ranks of a module, as it lies there for a parameter of one of its routines.

    It is freed by `free`, at the end of a `with`, when nobody refers to it any more, and when the
    client goes. Calls take it in place of an array that lies likewise: it is neither sent nor
    returned, and what the routine writes stays in it.
    """

    def __init__(
        self, owner: "RemoteArrays", module: str, kept: str, shape: tuple[int, ...], dtype: np.dtype
    ) -> None:
        self.module = module
        self.kept = kept  #: What the ranks know it by.
        self.shape = shape
        self.dtype = dtype
        self._owner = owner
        self._finalizer = weakref.finalize(self, owner.forgotten.add, module, kept)

    @property
    def nbytes(self) -> int:
        return int(np.prod(self.shape)) * self.dtype.itemsize

    def free(self) -> None:
        """Frees it on the ranks; calls that use it afterwards raise LostArrayError."""
        if self._finalizer.detach() is not None:
            self._owner.free(self)

    def __enter__(self) -> "RemoteArray":
        return self

    def __exit__(self, *_: object) -> None:
        self.free()

    def __repr__(self) -> str:
        return f"RemoteArray({self.dtype}{list(self.shape)} on the ranks of {self.module})"


class RemoteArrays:
    """Those of one client; for any thread."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self.forgotten = Forgotten(connections)
        self._alive: weakref.WeakSet[RemoteArray] = weakref.WeakSet()

    def put(
        self,
        module: str,
        routine: Routine,
        parameter: Parameter,
        scalars: dict[str, Any],
        array: np.ndarray,
    ) -> RemoteArray:
        """Leaves an array that has the shape and type of the parameter on the ranks."""
        self.forgotten.free()
        with self._connections.one() as connection:
            kept = connection.put(module, routine.name, parameter.name, scalars, array)
        made = RemoteArray(self, module, kept, array.shape, array.dtype)
        self._alive.add(made)
        return made

    def alive(self) -> list[RemoteArray]:
        """Those that have not been freed."""
        return sorted(self._alive, key=lambda one: (one.module, one.kept))

    def free(self, array: RemoteArray) -> None:
        self._alive.discard(array)
        with self._connections.one() as connection:
            connection.free(array.module, array.kept)
