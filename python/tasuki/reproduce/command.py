"""What every `tasuki reproduce NAME` does: measures figures, shows them, and keeps notes."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.report import envelope, print_json, print_table
from tasuki.reproduce.figure import Figure, Point, panels_of, rows_of, table_of
from tasuki.reproduce.lab import Lab


class Wanted(NamedTuple):
    """How the user wants a reproduction; `plot_folder` is None without --plot."""

    paper: str
    budget_s: float
    as_json: bool
    plot_folder: Path | None


def reproduce(
    wanted: Wanted, figures: Sequence[Figure], open_laboratory: Callable[[Lab], Any]
) -> None:
    """Measures `figures`, each with what `open_laboratory` makes of the Lab, and shows them."""
    from rich.console import Console
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (*Progress.get_default_columns()[:2], TimeElapsedColumn(),
               TextColumn("{task.fields[now]}"))  # fmt: skip
    rows = []
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(figures), now="")
        lab = Lab(wanted.budget_s, lambda title: progress.update(task, now=title))
        laboratory = open_laboratory(lab)
        for figure in figures:
            progress.update(task, description=figure.figure_id)
            points = figure.measure(laboratory)
            rows += rows_of(figure, points)
            if not wanted.as_json:
                _show(figure, points)
            if wanted.plot_folder is not None and points and figure.kind != "table":
                lab.note(f"written: {_plot(figure, points, wanted)}")
            progress.advance(task)
    if wanted.as_json:
        print_json(envelope(f"reproduce {wanted.paper}", rows, ranks=None, transport=None))
    sys.stdout.flush()
    for note in lab.notes:
        sys.stderr.write(f"{note}\n")


def _show(figure: Figure, points: list[Point]) -> None:
    for panel in panels_of(points):
        series, rows = table_of(panel, points)
        unit = f", {figure.value_title}" if figure.value_title else ""
        title = f"{figure.figure_id}: {figure.title}: {panel}{unit}"
        print_table(title, (figure.x_title, *series), rows)


def _plot(figure: Figure, points: list[Point], wanted: Wanted) -> Path:
    from tasuki.reproduce.plot import plot

    assert wanted.plot_folder is not None
    return plot(figure, points, wanted.plot_folder, wanted.paper)
