"""The connections of a client to its server: one for each call that is under way."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tasuki.rpc.library import Connection


class Connections:
    """Connections that are used again, the last one first; for any thread."""

    def __init__(self, host: str, port: int, mode: str, wire: str) -> None:
        self._place = (host, port, mode, wire)
        self._lock = threading.Lock()
        self._idle: list[Connection] = [Connection(host, port, mode, wire)]

    @contextmanager
    def one(self) -> Iterator[Connection]:
        """A connection for one call, kept for the next one unless it has ended."""
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or Connection(*self._place)
        try:
            yield connection
        finally:
            if connection.is_usable():
                with self._lock:
                    self._idle.append(connection)
