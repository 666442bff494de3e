"""The lab: what the runs of the figures give, each had once, from a notebook or an executor.

What could not be run (not built, no SimGrid, budget spent, wrong answer, Ctrl-C) is None to the
figure, so that whatever else there is can still be shown.
"""

import json
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from tasuki.base.errors import CommandError, ProgramError
from tasuki.measurement.jobs import EXIT_TIMED_OUT
from tasuki.reproduce.notebook import Notebook

T = TypeVar("T")


class Run(NamedTuple):
    """Something to measure: `measure(seconds_left)` gives what JSON can hold, `decode` of that as
    JSON has it (lists for tuples) is the value. `key` tells it from all others, and for a notebook
    its text is the same in every process.

    `expected_s` is how long it takes on an idle machine, for those who plan. What is not final may
    come out otherwise another time: no notebook keeps it.
    """

    key: Any
    title: str
    expected_s: float
    measure: Callable[[float], Any]
    decode: Callable[[Any], Any] = lambda record: record
    is_final: Callable[[Any], bool] = lambda _: True


class NotBegunError(Exception):
    """There is no time for a run; its argument, if any, is what the user should know."""


# Seconds that are left for a run that now begins. Raises NotBegunError.
Begin = Callable[[Run], float]
# What `Lab` makes of a run: its value or None.
Attempt = Callable[[Run, Begin], Any]


class Executor(Protocol):
    """Who makes the runs of a lab, or only plans them: tasuki/reproduce/executors.py."""

    interrupted: bool

    def alone(self, run: Run, attempt: Attempt) -> Any:
        """What `attempt` gives, made while nothing else is."""

    def together(self, runs: Sequence[Run], attempt: Attempt) -> dict[Any, Any]:
        """The same by key, of runs that do not disturb each other."""


class Lab:
    """Remembers what has been measured, and what others have into the `notebook`.

    `failures` are runs that went wrong, `notes` what else the user should know, `known_count` says
    how many runs were in the notebook.
    """

    def __init__(self, executor: Executor, notebook: Notebook | None = None) -> None:
        self._executor = executor
        self._notebook = notebook
        self._done: dict[Any, Any] = {}
        self._failed: set[Any] = set()
        self.known_count = 0
        self.notes: list[str] = []
        self.failures: list[str] = []

    def measured(self, run: Run) -> Any:
        """What the run gives, the first time or now; None if it cannot be had."""
        for new in self._new([run]):
            self._done[run.key] = self._executor.alone(new, self._attempt)
        return self._done[run.key]

    def measure_together(self, runs: Sequence[Run]) -> None:
        """Makes runs that do not disturb each other, one on each core."""
        self._done |= self._executor.together(self._new(runs), self._attempt)

    def failed(self, key: Any) -> bool:
        """Was it tried, without a result?"""
        return key in self._failed

    def remember_failure(self, key: Any) -> None:
        self._done[key] = None
        self._failed.add(key)

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

    def take_note_of(self, failure: CommandError, title: str) -> None:
        """For runs that go on after a part of them, `title`, went wrong."""
        if self._executor.interrupted:
            return  # That is why it failed.
        if isinstance(failure, ProgramError) and failure.exit_code == EXIT_TIMED_OUT:
            self.note(f"{title}: not measured, ended by its time limit or by what was left of"
                      " the budget (--budget)")  # fmt: skip
        else:
            self.failures.append(f"{title}:\n{textwrap.indent(str(failure), '  ')}")

    def _new(self, runs: Sequence[Run]) -> list[Run]:
        """Those that are neither done nor in the notebook; the others' values are there then."""
        new = [run for run in runs if run.key not in self._done]
        self._done |= {run.key: self._noted(run) for run in new}
        return [run for run in new if self._done[run.key] is None]

    def _noted(self, run: Run) -> Any:
        """What the notebook has of it, or None."""
        record = None if self._notebook is None else self._notebook.find(repr(run.key))
        if record is None:
            return None
        self.known_count += 1
        try:
            return run.decode(record)
        except (LookupError, TypeError, ValueError, AttributeError) as failure:
            assert self._notebook is not None
            raise self._notebook.damaged(repr(run.key)) from failure

    def _attempt(self, run: Run, begin: Begin) -> Any:
        """What it gives now, which goes into the notebook; None if it fails."""
        try:
            record = json.loads(json.dumps(run.measure(begin(run))))
        except NotBegunError as reason:
            for text in reason.args:
                self.note(text)
        except CommandError as failure:
            self.take_note_of(failure, run.title)
        else:
            if self._notebook is not None and run.is_final(record):
                self._notebook.keep(repr(run.key), record)
            return run.decode(record)
        self._failed.add(run.key)
        return None
