"""A call that is under way while the caller does something else."""

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Generator
from typing import Any

from tasuki.rpc.connections import Connections
from tasuki.rpc.library import Connection


class Job(concurrent.futures.Future[Any]):
    """The result of a call to come, as concurrent.futures has it; coroutines may await it.

    `cancel()` also ends a call that has begun: its ranks are started anew.
    """

    def __init__(self, connections: Connections, call: Callable[[Connection], Any]) -> None:
        super().__init__()
        self._connection: Connection | None = None
        self._ending = threading.Lock()
        self._is_cancelled = False
        work = threading.Thread(target=self._run, args=(connections, call), daemon=True)
        work.start()

    def _run(self, connections: Connections, call: Callable[[Connection], Any]) -> None:
        try:
            with connections.one() as connection:
                with self._ending:
                    self._connection = connection
                    if self._is_cancelled:
                        return
                try:
                    result = call(connection)
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
            if self.done():
                return self.cancelled()
            self._is_cancelled = True
            if self._connection is not None:
                self._connection.cancel()
        return super().cancel()

    @property
    def progress(self) -> tuple[int, int]:
        """Bytes of arrays that have been sent and received, and how many there are in all."""
        with self._ending:
            return (0, 0) if self._connection is None else self._connection.progress()

    def __await__(self) -> Generator[Any, None, Any]:
        return asyncio.wrap_future(self).__await__()
