"""What a lab does with the runs that it does not have yet: it measures, or it only plans."""

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

from tasuki.base.interrupts import CUTTING_OFF, heed
from tasuki.launcher.binding import cores_allowed
from tasuki.measurement.jobs import end_children
from tasuki.reproduce.lab import Attempt, NotBegunError, Run

INTERRUPT_CHECK_S = 0.1


class Measuring:
    """Makes the runs, and begins none after `budget_s`. `say` is told what runs now."""

    def __init__(self, budget_s: float, say: Callable[[str], None]) -> None:
        self._end_time = time.monotonic() + budget_s
        self._budget_s = budget_s
        self._say = say
        self._measures_here = False
        self.signal_number = 0  # Of the first that has come.

    @property
    def interrupted(self) -> bool:
        return self.signal_number != 0

    @contextmanager
    def heeding_interrupts(self) -> Iterator[None]:
        """Within it Ctrl-C, SIGTERM and SIGHUP, however often they come, lose nothing that has been
        measured.

        From the first on nothing more is begun, and what runs is given a while to end by itself;
        the next one ends it at once. Once one has come, more are ignored also afterwards, so that
        the process ends in order. Requires: called by the main thread.
        """
        before = heed(CUTTING_OFF, self._take_interrupt)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, signal.SIG_IGN if self.interrupted else handler)

    def alone(self, run: Run, attempt: Attempt) -> Any:
        value = None
        try:
            self._measures_here = True
            value = attempt(run, self._begin)
            self._measures_here = False
        except KeyboardInterrupt:
            self._measures_here = False
        return value

    def together(self, runs: Sequence[Run], attempt: Attempt) -> dict[Any, Any]:
        """The longest first."""
        with ThreadPoolExecutor(max_workers=len(cores_allowed())) as pool:
            ordered = sorted(runs, key=lambda run: -run.expected_s)
            under_way = {run.key: pool.submit(attempt, run, self._begin) for run in ordered}
            while wait(under_way.values(), INTERRUPT_CHECK_S).not_done:
                if self.interrupted:
                    end_children()  # Also what was about to start when Ctrl-C came.
        return {key: future.result() for key, future in under_way.items()}

    def _begin(self, run: Run) -> float:
        if self.interrupted:
            raise NotBegunError
        seconds_left = self._end_time - time.monotonic()
        if seconds_left <= 0:
            raise NotBegunError(
                f"not everything was measured: the budget of {self._budget_s:g} s is spent"
                " (--budget)"
            )
        self._say(run.title)
        return seconds_left

    def _take_interrupt(self, number: int, _: object) -> None:
        """What this thread measures is ended by the exception, others' by `together`."""
        is_first = not self.interrupted
        self.signal_number = self.signal_number or number
        if is_first and self._measures_here:
            raise KeyboardInterrupt
        end_children()


class Planning:
    """Makes no run, but counts them; `expected_s` is how long all take on an idle machine."""

    interrupted = False

    def __init__(self) -> None:
        self.run_count = 0
        self.expected_s = 0.0

    def alone(self, run: Run, attempt: Attempt) -> None:
        self.together([run], attempt)

    def together(self, runs: Sequence[Run], _: Attempt) -> dict[Any, Any]:
        at_once = max(1, min(len(runs), len(cores_allowed())))
        self.run_count += len(runs)
        self.expected_s += sum(run.expected_s for run in runs) / at_once
        return {}
