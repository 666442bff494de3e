"""The lab: runs programs for the figures, each run once, within a budget of time, and takes notes.

What could not be run (not built, no SimGrid, budget spent) is None to the figure and one note to
the user; a wrong answer ends the reproduction.
"""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from tasuki.errors import CommandError

T = TypeVar("T")


class Lab:
    """Remembers what has been measured. `say` is told what runs now."""

    def __init__(self, budget_s: float, say: Callable[[str], None]) -> None:
        self._end_time = time.monotonic() + budget_s
        self._budget_s = budget_s
        self._say = say
        self._done: dict[Any, Any] = {}
        self.notes: list[str] = []

    def measured(self, key: Any, title: str, measure: Callable[[float], T]) -> T | None:
        """What `measure(seconds_left)` gives, remembered by `key`; None if it cannot be had."""
        if key in self._done:
            return self._done[key]
        self._done[key] = None
        seconds_left = self._end_time - time.monotonic()
        if seconds_left <= 0:
            self.note(f"not everything was measured: the budget of {self._budget_s:g} s is spent"
                      " (--budget)")  # fmt: skip
            return None
        self._say(title)
        self._done[key] = measure(seconds_left)
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
