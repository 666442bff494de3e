"""A call that is under way while the caller does something else."""

import asyncio
import concurrent.futures
import os
import threading
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from tasuki.rpc.call_progress import CallProgress
from tasuki.rpc.connections import Connections
from tasuki.rpc.errors import CallError
from tasuki.rpc.library import Connection
from tasuki.rpc.of_one_process import OfOneProcess

Result = TypeVar("Result")


class Job(OfOneProcess, concurrent.futures.Future[Result]):
    """The result of a call to come, as concurrent.futures has it; coroutines may await it.

    `cancel()` also ends a call that has begun: its ranks are started anew. So does the end of a
    coroutine that awaits it.
    """

    def __init__(
        self, connections: Connections, call: Callable[[Connection], tuple[Any, int]]
    ) -> None:
        """`call` returns the result, and how many bytes of arrays have travelled for it."""
        super().__init__()
        self._process = os.getpid()
        self._connection: Connection | None = None
        self._ending = threading.RLock()  # Callbacks may ask for the progress.
        self._is_cancelled = False
        self._progress = CallProgress(0, 0)  # As it was known last.
        work = threading.Thread(target=self._run, args=(connections, call), daemon=True)
        work.start()

    def _run(self, connections: Connections, call: Callable[[Connection], tuple[Any, int]]) -> None:
        try:
            with connections.one() as connection:
                with self._ending:
                    self._connection = connection
                    if self._is_cancelled:
                        return
                try:
                    result, total_bytes = call(connection)
                    with self._ending:
                        self._progress = CallProgress(total_bytes, total_bytes)
                finally:
                    with self._ending:
                        self._connection = None
        except BaseException as fault:
            self._end(self.set_exception, fault)
        else:
            self._end(self.set_result, result)

    def _end(self, set_outcome: Callable[[Any], None], outcome: Any) -> None:
        with self._ending:
            if not self._is_cancelled:
                set_outcome(outcome)

    def cancel(self) -> bool:
        """Returns whether the call was cancelled; not if it had ended."""
        with self._ending:
            if self._is_cancelled or self.done():
                return self._is_cancelled
            self._is_cancelled = True
            if self._connection is not None:
                self._connection.cancel()
            super().cancel()
            return not self.set_running_or_notify_cancel()  # Tells concurrent.futures.wait.

    def running(self) -> bool:
        """Whether the call has neither ended nor been cancelled."""
        return not self.done()

    def result(self, timeout: float | None = None) -> Result:
        """Waits for what the call gives back, for `timeout` seconds at most.

        Errors: those of the call; CancelledError; TimeoutError; CallError in a forked process.
        """
        self._require_own_process()
        return super().result(timeout)

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Waits likewise for the error with which the call ends; None if it does not fail."""
        self._require_own_process()
        return super().exception(timeout)

    def _require_own_process(self) -> None:
        """No thread of a forked process would ever set the outcome."""
        if os.getpid() != self._process and not self.done():
            raise CallError(
                "wait for a call",
                f"it is under way in process {self._process}, of which this is a fork",
                "wait there, or call again here",
            )

    @property
    def progress(self) -> CallProgress:
        """Bytes of arrays that have been sent and received, and how many there are in all.

        Of a call that has failed or was cancelled it is what was asked for last.
        """
        with self._ending:
            if self._connection is not None and not self.done():
                self._progress = CallProgress(*self._connection.progress())
            return self._progress

    def __await__(self) -> Generator[Any, None, Any]:
        return asyncio.wrap_future(self).__await__()
