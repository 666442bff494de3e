"""SIGUSR1 for the ranks, which asks Tasuki programs for a hang report.

A program that does not catch it yet, because it is still starting, would be ended by it.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterable

from tasuki.launcher.rank_process import RankProcess

NUMBER = signal.SIGUSR1
RETRY_INTERVAL_S = 0.05
WAIT_S = 10.0  # For a rank that starts; one that catches it is signalled at once.


class ReportRequest:
    """The ranks that still have to be asked. `processes_of` a rank are those that are signalled."""

    def __init__(self, processes_of: Callable[[RankProcess], Iterable[int]]) -> None:
        self._processes_of = processes_of
        self._ranks: list[RankProcess] = []
        self._give_up_time = 0.0

    @property
    def is_open(self) -> bool:
        """Is there a rank that has to be asked again, RETRY_INTERVAL_S later?"""
        return bool(self._ranks)

    def begin(self, ranks: list[RankProcess]) -> None:
        self._ranks = ranks
        self._give_up_time = time.monotonic() + WAIT_S
        self.go_on()

    def go_on(self) -> list[RankProcess]:
        """Asks those that have come to catch the signal.

        Returns the ranks that have not done so in all the time; they are not asked any more.
        """
        self._ranks = [rank for rank in self._ranks if not rank.ended and not self._ask(rank)]
        if time.monotonic() < self._give_up_time:
            return []
        deaf, self._ranks = self._ranks, []
        return deaf

    def _ask(self, rank: RankProcess) -> bool:
        catching = [pid for pid in self._processes_of(rank) if catches(pid, NUMBER)]
        for pid in catching:
            with contextlib.suppress(ProcessLookupError):  # It may have just ended.
                os.kill(pid, NUMBER)
        return bool(catching)


def catches(pid: int, number: int) -> bool:
    """Has process `pid` a handler for the signal?"""
    try:
        with open(f"/proc/{pid}/status") as lines:
            for line in lines:
                if line.startswith("SigCgt:"):
                    return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    except OSError:
        pass  # It has ended.
    return False
