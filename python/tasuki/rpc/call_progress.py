"""How far calls are that take their time, shown while they go on."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from tasuki.rpc.errors import CallError
from tasuki.rpc.library import Connection

_INTERVAL_S = 0.1
_IDLE_ROUNDS_MOST = 50  # After which the thread that shows calls waits for the next one.


class CallProgress(NamedTuple):
    """Bytes of arrays that a call has sent and received; `total_bytes` is 0 until it has ranks."""

    moved_bytes: int
    total_bytes: int


class Display(Protocol):
    """Where the progress of one call is shown, from `delay_s` seconds after its begin on."""

    delay_s: float

    def show(self, progress: CallProgress, seconds: float) -> None: ...

    def end(self, progress: CallProgress | None, seconds: float) -> None:
        """The last thing that is shown; None if the call has failed."""


class CallbackDisplay:
    """Shows progress to a function of the user's."""

    delay_s = 0.0

    def __init__(self, function: Callable[[CallProgress], Any]) -> None:
        self._function = function

    def show(self, progress: CallProgress, _: float) -> None:
        self._function(progress)

    def end(self, progress: CallProgress | None, _: float) -> None:
        if progress is not None:
            self._function(progress)


class WatchedCall:
    """A call that is under way; `total_bytes` is set when it has ended well."""

    def __init__(self, connection: Connection, display: Display) -> None:
        self.total_bytes: int | None = None
        self.fault: BaseException | None = None
        self._connection = connection
        self._display = display
        self._start_s = time.monotonic()
        self._is_shown = False
        self._has_ranks = False
        self._lock = threading.Lock()  # So that nothing is shown behind the last thing.
        self._has_ended = False

    def show(self) -> None:
        """What a function of the user's raises ends the call."""
        with self._lock:
            seconds = time.monotonic() - self._start_s
            if self._has_ended or self.fault is not None or seconds < self._display.delay_s:
                return
            try:
                progress = CallProgress(*self._connection.progress())
                # The connection forgets a call before it has returned from it.
                if self._has_ranks and progress.total_bytes == 0:
                    return
                self._has_ranks = progress.total_bytes != 0
                self._display.show(progress, seconds)
                self._is_shown = True
            except BaseException as fault:
                self.fault = fault
                self._connection.cancel()

    def end(self) -> None:
        with self._lock:
            self._has_ended = True
            is_wanted = self._is_shown or self._display.delay_s == 0
            if self.fault is not None or not is_wanted:
                return
            total = self.total_bytes
            progress = None if total is None else CallProgress(total, total)
            self._display.end(progress, time.monotonic() - self._start_s)


class Watcher:
    """A thread that shows the calls that are under way. Starting one for each call would take as
    long as a short call."""

    def __init__(self) -> None:
        self._calls: list[WatchedCall] = []
        self._lock = threading.Lock()
        self._has_calls = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, connection: Connection, display: Display) -> Iterator[WatchedCall]:
        """Shows the call that is made meanwhile. Raises what showing it has raised."""
        call = WatchedCall(connection, display)
        with self._lock:
            self._calls.append(call)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
        self._has_calls.set()
        try:
            yield call
        except CallError:
            if call.fault is not None:
                raise call.fault from None
            raise
        finally:
            with self._lock:
                self._calls.remove(call)
            call.end()

    def _run(self) -> None:
        idle_rounds_count = 0
        while True:
            time.sleep(_INTERVAL_S)
            with self._lock:
                calls = list(self._calls)
                idle_rounds_count = 0 if calls else idle_rounds_count + 1
                if idle_rounds_count > _IDLE_ROUNDS_MOST:
                    self._has_calls.clear()
            for one in calls:
                one.show()
            self._has_calls.wait()


_watcher = Watcher()


def watcher() -> Watcher:
    """That of this process."""
    return _watcher


def _begin_anew() -> None:
    """A forked process has no thread of its parent."""
    global _watcher
    _watcher = Watcher()


os.register_at_fork(after_in_child=_begin_anew)
