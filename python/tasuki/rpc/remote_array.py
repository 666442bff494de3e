"""Arrays that stay on the ranks of a server, for later calls to use."""

import os
import time
import weakref
from typing import Any

import numpy as np

from tasuki.idl.model import Parameter, Routine
from tasuki.rpc.connections import Connections
from tasuki.rpc.errors import CallError
from tasuki.rpc.forgotten import Forgotten
from tasuki.rpc.of_one_process import OfOneProcess, require_own_process


class RemoteArray(OfOneProcess):
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
        self._put_s = time.monotonic()
        self._finalizer = weakref.finalize(self, owner.forgotten.add, module, kept)

    @property
    def nbytes(self) -> int:
        return int(np.prod(self.shape)) * self.dtype.itemsize

    @property
    def age_s(self) -> float:
        """How long ago it was put there."""
        return time.monotonic() - self._put_s

    def free(self) -> None:
        """Frees it on the ranks; calls that use it afterwards raise LostArrayError."""
        self._owner.require_own_process()
        if self._finalizer.detach() is not None:
            self._owner.free(self)

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        """NumPy would else make an array of one Python object of it. Raises CallError."""
        raise CallError(
            "read an array", f"{self!r} is not in this process",
            "call a routine that gives it back",
        )  # fmt: skip

    def __enter__(self) -> "RemoteArray":
        return self

    def __exit__(self, *_: object) -> None:
        self.free()

    def __repr__(self) -> str:
        state = f"{self.age_s:.0f} s old" if self._finalizer.alive else "freed"
        return (
            f"RemoteArray({self.dtype}{list(self.shape)}, {self.nbytes} bytes, {state},"
            f" on the ranks of {self.module})"
        )


class RemoteArrays:
    """Those of one client; for any thread."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self.forgotten = Forgotten(connections)
        self._alive: weakref.WeakSet[RemoteArray] = weakref.WeakSet()
        self._process = os.getpid()

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
        """Those that have not been freed, the oldest first."""
        return sorted(self._alive, key=lambda one: -one.age_s)

    def require_own_process(self) -> None:
        """Raises CallError in a fork: the arrays are those of the process that has put them."""
        require_own_process(self._process, "free an array")

    def free(self, array: RemoteArray) -> None:
        """Frees it, unless it has gone with the client."""
        self._alive.discard(array)
        if self._connections.is_closed:
            return
        with self._connections.one() as connection:
            connection.free(array.module, array.kept)
