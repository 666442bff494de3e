"""The lab: runs programs for the figures, each run once, within a budget of time, and takes notes.

What could not be run (not built, no SimGrid, budget spent, wrong answer, Ctrl-C) is None to the
figure, so that whatever else there is can still be shown.
"""

import signal
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from tasuki.base.errors import CommandError, ProgramError
from tasuki.launcher.binding import cores_allowed
from tasuki.measurement.jobs import EXIT_TIMED_OUT, end_children
from tasuki.reproduce.notebook import Notebook

INTERRUPT_CHECK_S = 0.1

T = TypeVar("T")


class Kept(NamedTuple):
    """How a run is kept in a notebook: `record(value)` is its value as what JSON has, or None if
    it is not to be kept; `restore` of that gives the value again."""

    record: Callable[[Any], Any]
    restore: Callable[[Any], Any]


AS_IT_IS = Kept(lambda value: value, lambda record: record)  # What JSON has anyway.


class Run(NamedTuple):
    """Something to measure: `measure(seconds_left)` gives it, `key` tells it from all others.

    `expected_s` is how long it takes on an idle machine, for those who plan. `kept` is None if no
    notebook can keep it; else the key's text is the same in every process.
    """

    key: Any
    title: str
    expected_s: float
    measure: Callable[[float], Any]
    kept: Kept | None = None


class Lab:
    """Remembers what has been measured, and what others have into the `notebook`. `say` is told
    what runs now.

    `failures` are runs that went wrong, `notes` what else the user should know.
    """

    def __init__(
        self, budget_s: float, say: Callable[[str], None], notebook: Notebook | None = None
    ) -> None:
        self._notebook = notebook
        self._end_time = time.monotonic() + budget_s
        self._budget_s = budget_s
        self._say = say
        self._done: dict[Any, Any] = {}
        self.notes: list[str] = []
        self.failures: list[str] = []
        self.interrupted = False
        self._measures_here = False

    @contextmanager
    def heeding_interrupts(self) -> Iterator[None]:
        """Within it Ctrl-C, however often it comes, loses nothing that has been measured.

        From the first on nothing more is begun, and what runs is given a while to end by itself;
        the next one ends it at once. Once it has come, more of it is ignored also afterwards, so
        that the process ends in order. Requires: called by the main thread.
        """
        before = signal.signal(signal.SIGINT, self._take_interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN if self.interrupted else before)

    def measured(self, run: Run) -> Any:
        """What the run gives, the first time or now; None if it cannot be had."""
        if run.key not in self._done:
            self._done[run.key] = None
            try:
                self._measures_here = True
                self._done[run.key] = self._try(run)
                self._measures_here = False
            except KeyboardInterrupt:
                self._measures_here = False
        return self._done[run.key]

    def measure_together(self, runs: Sequence[Run]) -> None:
        """Makes runs that do not disturb each other, one on each core, the longest first."""
        new = [run for run in runs if run.key not in self._done]
        new.sort(key=lambda run: -run.expected_s)
        self._done |= dict.fromkeys((run.key for run in new), None)
        with ThreadPoolExecutor(max_workers=len(cores_allowed())) as pool:
            under_way = {run.key: pool.submit(self._try, run) for run in new}
            while wait(under_way.values(), INTERRUPT_CHECK_S).not_done:
                if self.interrupted:
                    end_children()  # Also what was about to start when Ctrl-C came.
        self._done |= {key: future.result() for key, future in under_way.items()}

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

    def take_note_of(self, failure: CommandError, title: str) -> None:
        """For runs that go on after a part of them, `title`, went wrong."""
        if self.interrupted:
            return  # That is why it failed.
        if isinstance(failure, ProgramError) and failure.exit_code == EXIT_TIMED_OUT:
            self.note(f"{title}: not measured, ended by its time limit or by what was left of"
                      " the budget (--budget)")  # fmt: skip
        else:
            self.failures.append(f"{title}:\n{textwrap.indent(str(failure), '  ')}")

    def _in_notebook(self, run: Run) -> Any:
        """What is kept of the run, or None."""
        if self._notebook is None or run.kept is None:
            return None
        return self._notebook.find(repr(run.key))

    def _restored(self, run: Run, record: Any) -> Any:
        assert run.kept is not None
        assert self._notebook is not None
        try:
            return run.kept.restore(record)
        except (LookupError, TypeError, ValueError, AttributeError) as failure:
            raise self._notebook.damaged(repr(run.key)) from failure

    def _try(self, run: Run) -> Any:
        before = self._in_notebook(run)
        if before is not None:
            return self._restored(run, before)
        if self.interrupted:
            return None
        seconds_left = self._end_time - time.monotonic()
        if seconds_left <= 0:
            self.note(f"not everything was measured: the budget of {self._budget_s:g} s is spent"
                      " (--budget)")  # fmt: skip
            return None
        self._say(run.title)
        try:
            value = run.measure(seconds_left)
        except CommandError as failure:
            self.take_note_of(failure, run.title)
            return None
        if self._notebook is not None and run.kept is not None:
            record = run.kept.record(value)
            if record is not None:
                self._notebook.keep(repr(run.key), record)
        return value

    def _take_interrupt(self, *_: object) -> None:
        """What this thread measures is ended by the exception, others' by `measure_together`."""
        is_first = not self.interrupted
        self.interrupted = True
        if is_first and self._measures_here:
            raise KeyboardInterrupt
        end_children()


class Plan(Lab):
    """A lab that only writes down what it would measure: `steps`, by key the runs; `known` are the
    keys of those in the notebook.

    `expected_s` is how long all steps take on an idle machine.
    """

    def __init__(self, notebook: Notebook | None = None) -> None:
        super().__init__(0, lambda _: None, notebook)
        self.steps: dict[Any, Run] = {}
        self.known: set[Any] = set()
        self.expected_s = 0.0

    def measured(self, run: Run) -> None:
        self._add(run, at_once=1)

    def measure_together(self, runs: Sequence[Run]) -> None:
        for run in runs:
            self._add(run, at_once=min(len(runs), len(cores_allowed())))

    def _add(self, run: Run, at_once: int) -> None:
        if self._in_notebook(run) is not None:
            self.known.add(run.key)
        elif run.key not in self.steps:
            self.steps[run.key] = run
            self.expected_s += run.expected_s / at_once
