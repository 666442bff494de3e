"""The connections of a client to its server: one for each call that is under way."""

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from tasuki.rpc.errors import CallError, ServerSilentError
from tasuki.rpc.known_routines import KnownRoutines
from tasuki.rpc.library import Connection, Place


class Connections:
    """Connections that are used again, the last one first; for any thread.

    Those that are idle have the same server, as arrays that were put there are nowhere else. When
    one has turned to another server of the client's list, later ones begin there.
    A process that is forked makes connections of its own, as both processes would else take each
    other's answers.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._lock = threading.Lock()
        first = Connection(place)
        self._known = KnownRoutines(first.interfaces())
        self._idle: list[Connection] = [first]
        self.is_closed = False
        self._prefer(first.server())
        _alive.add(self)

    @contextmanager
    def one(self) -> Iterator[Connection]:
        """A connection for one call, kept for the next one unless it has ended.

        Errors: CallError after `close`, or if the server does not answer.
        """
        with self._lock:
            if self.is_closed:
                raise CallError(
                    "call", "the client has been closed; the call has not run",
                    "tasuki.connect again",
                )  # fmt: skip
            connection = self._idle.pop() if self._idle else None
            place = self._place
        connection = connection or self._connected(place)
        try:
            yield connection
        except ServerSilentError:
            self._forget_idle(connection.server())
            raise
        finally:
            if connection.is_usable():
                self._keep(connection, before=place.servers[0])

    def _connected(self, place: Place) -> Connection:
        """Another connection, for a call. Errors: CallError, which says that it has not run."""
        try:
            return Connection(place, self._known)
        except CallError as fault:
            happened = f"{fault.happened}; the call has not run"
            raise type(fault)(fault.operation, happened, fault.remedy) from None

    def _keep(self, connection: Connection, before: str) -> None:
        """For later calls; `before` is the server that the connection was taken for."""
        server = connection.server()
        with self._lock:
            if self.is_closed:
                return
            if server != before:
                self._prefer(server)
            if server == self._place.servers[0]:
                self._idle.append(connection)

    def _forget_idle(self, server: str) -> None:
        """Later calls connect anew: each of these connections would be waited for as long."""
        with self._lock:
            self._idle = [one for one in self._idle if one.server() != server]

    def _prefer(self, server: str) -> None:
        """The client's server from now on. Requires: the lock is held, or nobody else is there."""
        if server == self._place.servers[0]:
            return
        others = [one for one in self._place.servers if one != server]
        self._place = replace(self._place, servers=(server, *others))
        self._idle = [one for one in self._idle if one.server() == server]

    def close(self) -> None:
        """Ends the connections: those of calls under way when these have ended."""
        with self._lock:
            self.is_closed = True
            self._idle.clear()

    def begin_anew(self) -> None:
        """In a process that has just been forked: leaves its parent's connections to that."""
        self._lock = threading.Lock()  # A thread of the parent may have held the other one.
        self._idle.clear()


_alive: "weakref.WeakSet[Connections]" = weakref.WeakSet()


def _begin_anew() -> None:
    for one in list(_alive):
        one.begin_anew()


os.register_at_fork(after_in_child=_begin_anew)
