"""What the user sees on standard error while a reproduction runs.

On a terminal one line that changes; elsewhere a line at the start of each figure, and of a run if
there was none for a while.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


@contextmanager
def stepping(step_count: int, name: str, title: str) -> Iterator[Callable[[str], None]]:
    """`with stepping(9, "2 ranks", "tune") as begin_step:` shows which of the steps goes on."""
    with Progress(step_count) as progress:
        progress.begin_figure(name, title)
        yield progress.begin_step


# Without a terminal: who reads a log need not see each short run.
_QUIET_S = 10.0


class Progress:
    """Shows which of `step_count` runs goes on. A context manager."""

    def __init__(self, step_count: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress

        console = Console(stderr=True)
        self._step_count = step_count
        self._steps_begun = 0
        self._last_line_s = time.monotonic()
        self._bar = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TimeElapsedColumn(),
            TextColumn("{task.fields[now]}"),
            console=console,
            transient=True,
            redirect_stdout=False,  # What goes to standard output stays there.
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("", total=step_count, now="")

    def __enter__(self) -> "Progress":
        self._show(True)
        return self

    def __exit__(self, *_: object) -> None:
        self._show(False)

    def begin_figure(self, figure_id: str, title: str) -> None:
        self._bar.update(self._task, description=figure_id, now="")
        if self._bar.disable:
            done = f"{self._steps_begun} of {self._step_count} runs done"
            self._write(f"{figure_id}: {title} ({done})")

    def begin_step(self, title: str) -> None:
        self._steps_begun += 1
        now = f"run {self._steps_begun} of {self._step_count}: {title}"
        self._bar.update(self._task, completed=self._steps_begun - 1, now=now)
        if self._bar.disable and time.monotonic() - self._last_line_s >= _QUIET_S:
            self._write(now)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """For printing: nothing of the changing line is left on the terminal."""
        self._show(False)
        try:
            yield
        finally:
            self._show(True)

    def _write(self, line: str) -> None:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
        self._last_line_s = time.monotonic()

    def _show(self, wanted: bool) -> None:
        if self._bar.disable:  # Stopping would print an empty line even so.
            return
        if wanted:
            self._bar.start()
        else:
            with suppress(OSError):  # The terminal may be gone.
                self._bar.stop()
