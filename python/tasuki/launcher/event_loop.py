"""The loop of a launcher: what is to be done when a descriptor is ready, or at a time."""

import heapq
import itertools
import select
import time
from collections.abc import Callable

Call = Callable[[], None]


class EventLoop:
    """Belongs to one thread. Calls may add and remove what the loop waits for."""

    def __init__(self) -> None:
        self._poller = select.poll()
        self._on_readable: dict[int, Call] = {}
        self._on_room: dict[int, Call] = {}
        self._due: list[tuple[float, int, Call]] = []  # A heap; the number keeps calls apart.
        self._numbers = itertools.count()

    def listen(self, fd: int, on_readable: Call) -> None:
        """Calls when there is something to read, or an end, until `forget`."""
        self._on_readable[fd] = on_readable
        self._poller.register(fd, select.POLLIN)

    def await_room(self, fd: int, on_room: Call | None) -> None:
        """Calls also when the descriptor takes something again, until it is given None. Requires:
        it is listened to."""
        if on_room is None:
            self._on_room.pop(fd, None)
        else:
            self._on_room[fd] = on_room
        self._poller.modify(fd, select.POLLIN | (select.POLLOUT if on_room else 0))

    def forget(self, fd: int) -> None:
        del self._on_readable[fd]
        self._on_room.pop(fd, None)
        self._poller.unregister(fd)

    def call_after(self, delay_s: float, call: Call) -> None:
        """Calls once, when so much time has passed."""
        heapq.heappush(self._due, (time.monotonic() + delay_s, next(self._numbers), call))

    def run_once(self, most_s: float | None) -> bool:
        """Waits until something can be done, at most so long (None: any time), and does it.
        Returns: was a descriptor ready?"""
        events = self._poller.poll(self._wait_ms(most_s))
        for fd, event in events:
            # Else what another event has led to was the end of it.
            if event & ~select.POLLOUT and fd in self._on_readable:
                self._on_readable[fd]()
            if event & select.POLLOUT and fd in self._on_room:
                self._on_room[fd]()
        # After them, so that what has come in time is not too late because the loop was.
        now = time.monotonic()
        while self._due and self._due[0][0] <= now:
            heapq.heappop(self._due)[2]()
        return bool(events)

    def _wait_ms(self, most_s: float | None) -> float | None:
        waits_s = [] if most_s is None else [most_s]
        if self._due:
            waits_s.append(max(0.0, self._due[0][0] - time.monotonic()))
        return min(waits_s) * 1000 if waits_s else None
