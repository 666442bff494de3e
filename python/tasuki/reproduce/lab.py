"""The lab: runs programs for the figures, each run once, within a budget of time, and takes notes.

What could not be run (not built, no SimGrid, budget spent, wrong answer, Ctrl-C) is None to the
figure, so that whatever else there is can still be shown.
"""

import textwrap
import time
from collections.abc import Callable
from typing import Any, TypeVar

from tasuki.errors import CommandError, NativeError
from tasuki.jobs import EXIT_TIMED_OUT

T = TypeVar("T")


class Lab:
    """Remembers what has been measured. `say` is told what runs now.

    `failures` are runs that went wrong, `notes` what else the user should know.
    """

    def __init__(self, budget_s: float, say: Callable[[str], None]) -> None:
        self._end_time = time.monotonic() + budget_s
        self._budget_s = budget_s
        self._say = say
        self._done: dict[Any, Any] = {}
        self.notes: list[str] = []
        self.failures: list[str] = []
        self.interrupted = False

    def measured(
        self, key: Any, title: str, expected_s: float, measure: Callable[[float], T]
    ) -> T | None:
        """What `measure(seconds_left)` gives, remembered by `key`; None if it cannot be had.

        `expected_s` is how long it takes on an idle machine, for those who plan.
        """
        del expected_s
        if key not in self._done:
            self._done[key] = None
            self._done[key] = self._try(title, measure)
        return self._done[key]

    def failed(self, key: Any) -> bool:
        """Was it tried, without a result?"""
        return key in self._done and self._done[key] is None

    def remember_failure(self, key: Any) -> None:
        self._done[key] = None

    def available(self, find: Callable[[], T]) -> T | None:
        """What `find()` gives, or None and its error as a note."""
        try:
            return find()
        except CommandError as missing:
            self.note(str(missing))
            return None

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def _try(self, title: str, measure: Callable[[float], T]) -> T | None:
        if self.interrupted:
            return None
        seconds_left = self._end_time - time.monotonic()
        if seconds_left <= 0:
            self.note(f"not everything was measured: the budget of {self._budget_s:g} s is spent"
                      " (--budget)")  # fmt: skip
            return None
        self._say(title)
        try:
            return measure(seconds_left)
        except KeyboardInterrupt:
            self.interrupted = True
        except CommandError as failure:
            if isinstance(failure, NativeError) and failure.exit_code == EXIT_TIMED_OUT:
                self.note(f"{title}: not measured, ended by its time limit or by what was left of"
                          " the budget (--budget)")  # fmt: skip
            else:
                self.failures.append(f"{title}:\n{textwrap.indent(str(failure), '  ')}")
        return None


class Plan(Lab):
    """A lab that only writes down what it would measure: `steps`, by key the expected seconds."""

    def __init__(self) -> None:
        super().__init__(0, lambda _: None)
        self.steps: dict[Any, float] = {}

    def measured(
        self, key: Any, title: str, expected_s: float, measure: Callable[[float], T]
    ) -> None:
        del title, measure
        self.steps[key] = expected_s
