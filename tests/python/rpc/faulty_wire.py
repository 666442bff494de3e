"""A way to a port that splits, delays and, if asked, loses the bytes which pass it, by a seed."""

import contextlib
import os
import random
import select
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from forwarder import Forwarder

_MOST_AT_ONCE_BYTES = 64 << 10
_LONGEST_DELAY_S = 0.002
_DELAYED = 0.05  # Of all pieces.
_WAKE_UP_S = 0.05
_RESET_WHEN_CLOSED = struct.pack("ii", 1, 0)


def wire_seeds(usual: range) -> range:
    """Returns: the seeds that WIRE_SEEDS="FIRST LAST" asks for, as `./dev test --long` does."""
    asked = os.environ.get("WIRE_SEEDS")
    if asked is None:
        return usual
    first, last = map(int, asked.split())
    return range(first, last + 1)


class Traffic:
    """What has passed the connections that share it; one byte is lost after `lost_after_bytes`.

    Its connection ends with it, or, if that `ends_all`, each one does, and so does a new one.
    """

    def __init__(self, lost_after_bytes: int | None = None, ends_all: bool = False) -> None:
        self.passed_bytes = 0
        self.has_lost = False
        self._lost_after_bytes = lost_after_bytes
        self._ends_all = ends_all
        self._lock = threading.Lock()

    def piece_of(self, data: bytes, own: random.Random) -> bytes:
        """How much shall pass next; sometimes it takes its time."""
        if own.random() < _DELAYED:
            time.sleep(own.uniform(0, _LONGEST_DELAY_S))
        return data[: own.randint(1, own.choice((1, 7, 100, 5_000, len(data))))]

    def send(self, data: bytes, target: socket.socket) -> int:
        """Returns how many bytes it has taken; raises ConnectionError in place of the lost one."""
        with self._lock:
            self._check_all()
            if self._lost_after_bytes is not None and not self.has_lost:
                data = data[: self._lost_after_bytes - self.passed_bytes]
                if not data:
                    self.has_lost = True
                    raise ConnectionError
            sent_bytes = target.send(data)
            self.passed_bytes += sent_bytes
            return sent_bytes

    def check(self) -> None:
        """Raises ConnectionError if no connection is left."""
        with self._lock:
            self._check_all()

    def _check_all(self) -> None:
        if self.has_lost and self._ends_all:
            raise ConnectionError


class Valve(Traffic):
    """Lets so many bytes pass, as they come, and more of them when `is_open` is set."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__()
        self._most_bytes = most_bytes
        self.is_reached = threading.Event()
        self.is_open = threading.Event()

    def piece_of(self, data: bytes, _own: random.Random) -> bytes:
        return data

    def send(self, data: bytes, target: socket.socket) -> int:
        left_bytes = self._most_bytes - self.passed_bytes
        if left_bytes > 0 or self.is_open.is_set():
            return super().send(data, target)
        self.is_reached.set()
        time.sleep(0.01)
        return 0


@dataclass
class _Direction:
    source: socket.socket
    target: socket.socket
    waiting: bytes = b""
    has_ended: bool = False


class FaultyWire(Forwarder):
    """A connection that is lost ends in order, or is reset, by the seed."""

    def __init__(
        self, to_port: int, seed: object, traffic_of: Callable[[], Traffic] = Traffic
    ) -> None:
        """`traffic_of` is asked for each connection; by default no byte is lost."""
        super().__init__(to_port)
        self._seed = seed
        self._traffic_of = traffic_of

    def forward(self, near: socket.socket, far: socket.socket, number: int) -> None:
        own = random.Random(f"{self._seed} {number}")
        traffic = self._traffic_of()
        directions = [_Direction(near, far), _Direction(far, near)]
        for one in (near, far):
            one.setblocking(False)
        try:
            while not self.is_over and not all(one.has_ended for one in directions):
                traffic.check()
                self._turn(directions, own, traffic)
        except ConnectionError:
            if own.random() < 0.5:
                for one in (near, far):
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_WHEN_CLOSED)

    def _turn(self, directions: list[_Direction], own: random.Random, traffic: Traffic) -> None:
        """Waits, not for long, until something can be received or sent."""
        sources = [one.source for one in directions if not one.waiting and not one.has_ended]
        targets = [one.target for one in directions if one.waiting]
        readable, writable, _ = select.select(sources, targets, [], _WAKE_UP_S)
        for one in directions:
            if one.source in readable:
                one.waiting = one.source.recv(_MOST_AT_ONCE_BYTES)
                if not one.waiting:
                    one.has_ended = True
                    with contextlib.suppress(OSError):  # The other end may have gone as well.
                        one.target.shutdown(socket.SHUT_WR)
            elif one.target in writable:
                sent_bytes = traffic.send(traffic.piece_of(one.waiting, own), one.target)
                one.waiting = one.waiting[sent_bytes:]
