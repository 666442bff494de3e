"""Progress bars of calls: in a terminal, in a notebook, and as lines of text elsewhere."""

import contextvars
import html
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from tasuki.rpc.call_progress import CallbackDisplay, CallProgress, Display
from tasuki.rpc.errors import ArgumentError

_LONG_CALL_S = 0.5  # Shorter ones are not worth a line that comes and goes.
_LINES_PERCENT = 10

Wish = bool | Callable[[CallProgress], Any] | None


def display_for(wish: Wish, title: str) -> Display | None:
    """Where to show a call: for None in a terminal or notebook if it is long, for True anywhere,
    for False nowhere; a function is called with it.

    Errors: ArgumentError for anything else.
    """
    if wish is False:
        return None
    if wish is None or wish is True:
        delay_s = 0.0 if wish else _LONG_CALL_S
        if _is_notebook():
            return NotebookBar(title, delay_s)
        if sys.stderr is not None and sys.stderr.isatty():
            return TerminalBar(title, delay_s)
        return ProgressLines(title) if wish else None
    if callable(wish):
        return CallbackDisplay(wish)
    raise ArgumentError(
        title, f"progress is {wish!r}",
        "give True, False or a function (an argument of that name is given by its place)",
    )  # fmt: skip


def _is_notebook() -> bool:
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return getattr(shell, "kernel", None) is not None


def _megabytes(count_bytes: int) -> str:
    return f"{count_bytes / 1e6:.1f}"


def _state(progress: CallProgress) -> str:
    moved, total = progress
    if total == 0:
        return "waits for ranks"
    return f"{100 * moved // total} %, {_megabytes(moved)} of {_megabytes(total)} MB"


class TerminalBar:
    """A line on standard error that goes when the call ends; several calls have one each."""

    def __init__(self, title: str, delay_s: float) -> None:
        self.delay_s = delay_s
        self._title = title
        self._task: Any = None

    def show(self, progress: CallProgress, _: float) -> None:
        if self._task is None:
            self._task = _lines_of_terminal.begin(self._title)
        _lines_of_terminal.update(self._task, progress)

    def end(self, _: CallProgress | None, __: float) -> None:
        if self._task is not None:
            _lines_of_terminal.end(self._task)


class _LinesOfTerminal:
    """All bars at once: two that are drawn independently overwrite each other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bars: Any = None

    def begin(self, title: str) -> Any:
        with self._lock:
            if self._bars is None:
                self._bars = _new_bars()
                self._bars.start()
            return self._bars.add_task(title, total=None, state="")

    def update(self, task: Any, progress: CallProgress) -> None:
        with self._lock:
            self._bars.update(
                task,
                completed=progress.moved_bytes,
                total=progress.total_bytes or None,
                state=_state(progress),
            )
            self._bars.refresh()

    def end(self, task: Any) -> None:
        with self._lock:
            self._bars.remove_task(task)
            if not self._bars.task_ids:
                self._bars.stop()
                self._bars = None


_lines_of_terminal = _LinesOfTerminal()


def _begin_anew() -> None:
    """In a process that has just been forked: a thread of its parent may have held the lock."""
    global _lines_of_terminal
    _lines_of_terminal = _LinesOfTerminal()


os.register_at_fork(after_in_child=_begin_anew)


def _new_bars() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[state]}", markup=False),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


class NotebookBar:
    """An output of the cell that changes while the call goes on, and then says how long it was."""

    def __init__(self, title: str, delay_s: float) -> None:
        self.delay_s = delay_s
        self._title = title
        self._handle: Any = None
        # Says which cell the output belongs to, also in another thread.
        self._context = contextvars.copy_context()

    def show(self, progress: CallProgress, seconds: float) -> None:
        moved, total = progress
        value = f'value="{moved}" max="{total}"' if total else ""
        text = f"{_state(progress)}, {seconds:.0f} s"
        self._display(f'<progress {value} style="width: 16em"></progress> {text}', text)

    def end(self, progress: CallProgress | None, seconds: float) -> None:
        done = "failed" if progress is None else f"{_megabytes(progress.total_bytes)} MB"
        text = f"{done} after {seconds:.1f} s"
        self._display(text, text)

    def _display(self, markup: str, text: str) -> None:
        title = html.escape(self._title)
        self._context.run(
            self._show, {"text/html": f"{title}: {markup}", "text/plain": f"{self._title}: {text}"}
        )

    def _show(self, bundle: dict[str, str]) -> None:
        from IPython.display import display

        if self._handle is None:
            self._handle = display(  # type: ignore[no-untyped-call, unused-ignore]
                bundle, raw=True, display_id=True
            )
        else:
            self._handle.update(bundle, raw=True)


class ProgressLines:
    """A line on standard error whenever the call has got a good deal further."""

    delay_s = 0.0

    def __init__(self, title: str) -> None:
        self._title = title
        self._next_percent = 0

    def show(self, progress: CallProgress, seconds: float) -> None:
        moved, total = progress
        percent = 100 * moved // total if total else -1
        if percent >= self._next_percent:
            self._next_percent = percent - percent % _LINES_PERCENT + _LINES_PERCENT
            self._print(_state(progress), seconds)

    def end(self, progress: CallProgress | None, seconds: float) -> None:
        self._print("failed" if progress is None else _state(progress), seconds)

    def _print(self, state: str, seconds: float) -> None:
        print(f"{self._title}: {state} after {seconds:.1f} s", file=sys.stderr, flush=True)
