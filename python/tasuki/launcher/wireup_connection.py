"""A connection of the wire-up server, which neither side's slowness makes others wait for."""

import collections
import itertools
import socket

from tasuki.launcher.event_loop import Call, EventLoop

_PIECE_BYTES = 1 << 16
_PARTS_AT_ONCE = 512  # The kernel takes 1024.


class WireupConnection:
    """What has come from one process, and what is on its way there.

    `rank` is None as long as it has not said who it is.
    """

    def __init__(self, peer: socket.socket, loop: EventLoop) -> None:
        peer.setblocking(False)
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = peer
        self.received = bytearray()
        self.rank: int | None = None
        self._loop = loop
        self._parts: collections.deque[bytes | memoryview] = collections.deque()
        self._awaits_room = False

    @property
    def is_open(self) -> bool:
        return self.socket.fileno() >= 0

    def receive(self) -> bool:
        """Adds what has come to `received`. Returns: is the other side still there?"""
        try:
            piece = self.socket.recv(_PIECE_BYTES)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.received += piece
        return bool(piece)

    def put(self, whole: bytes) -> None:
        """To be sent by the next `flush`. Connections may share what they are given."""
        self._parts.append(whole)

    def flush(self, on_room: Call) -> bool:
        """Sends what the other side takes by now; `on_room` is called when it takes more.
        Returns: is it still there?"""
        try:
            while self._parts:
                parts = itertools.islice(self._parts, _PARTS_AT_ONCE)
                self._drop(self.socket.sendmsg(parts))
        except BlockingIOError:
            pass
        except OSError:
            return False
        if self._awaits_room != bool(self._parts):
            self._awaits_room = bool(self._parts)
            self._loop.await_room(self.socket.fileno(), on_room if self._awaits_room else None)
        return True

    def _drop(self, sent_bytes: int) -> None:
        while self._parts and sent_bytes >= len(self._parts[0]):
            sent_bytes -= len(self._parts.popleft())
        if sent_bytes > 0:
            self._parts[0] = memoryview(self._parts[0])[sent_bytes:]

    def close(self) -> None:
        self._loop.forget(self.socket.fileno())
        self.socket.close()
