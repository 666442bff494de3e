"""What lies on the ranks of a server and nobody refers to any more."""

import contextlib
import os

from tasuki.rpc.connections import Connections
from tasuki.rpc.errors import CallError


class Forgotten:
    """Names of arrays and objects that are still to be freed; for any thread."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._names: list[tuple[str, str]] = []
        self._process = os.getpid()

    def add(self, module: str, name: str) -> None:
        """It will be freed. The garbage collector may call this at any time: nothing is sent."""
        if os.getpid() == self._process:  # What a fork loses its parent has still.
            self._names.append((module, name))

    def free(self) -> None:
        """Frees all on the ranks."""
        with contextlib.suppress(IndexError, CallError):
            while True:
                module, name = self._names.pop()
                with self._connections.one() as connection:
                    connection.free(module, name)
