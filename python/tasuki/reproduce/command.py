"""What every `tasuki reproduce NAME` does: measures figures, shows them, and keeps notes."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.base.errors import usage_error
from tasuki.base.interrupts import INTERRUPTED, say_if_read
from tasuki.output.figure import Figure, Point, rows_of
from tasuki.output.progress import Progress
from tasuki.output.report import envelope, print_json
from tasuki.output.tables import show_figure
from tasuki.reproduce.executors import Measuring, Planning
from tasuki.reproduce.lab import Lab
from tasuki.reproduce.notebook import Notebook

BUDGET_S, FULL_BUDGET_S = 600.0, 12 * 3600.0


class Reproduction(NamedTuple):
    """A paper. `figures_of`, `open_laboratory` and `conditions_of`, which decide what comes of a
    run, take what the user may change of it, its Wishes. `long` are figures that are left out
    unless they are named, or the run is full."""

    name: str
    figures_of: Callable[[Any], Sequence[Figure]]
    open_laboratory: Callable[[Lab, Any], Any]
    conditions_of: Callable[[Any], Mapping[str, Any]]
    long: Sequence[str] = ()


class Wanted(NamedTuple):
    """How the user wants it; `only` some figures unless it is empty; `plot_folder` is None without
    --plot, `resumed` (the file of a Notebook) without --resume."""

    only: Sequence[str]
    is_full: bool
    budget_s: float
    as_json: bool
    plot_folder: Path | None
    resumed: Path | None = None


def budget_of(wanted_s: float | None, is_full: bool, usual_s: float = BUDGET_S) -> float:
    """What the user wants, or what suits."""
    if wanted_s is not None:
        return wanted_s
    return FULL_BUDGET_S if is_full else usual_s


def choose(
    paper: str, figures: Sequence[Figure], only: Sequence[str], left_out: Sequence[str] = ()
) -> list[Figure]:
    """Those named in `only`; if it is empty, all but those that are `left_out`.

    Raises CommandError if one is not there.
    """
    wanted = [figure_id.lower() for figure_id in only]
    ids = [figure.figure_id for figure in figures]
    for figure_id in wanted:
        if figure_id not in ids:
            raise usage_error(
                f"reproduce {paper}",
                f"there is no figure or table {figure_id}",
                f"choose from: {', '.join(ids)}",
            )
    if not wanted:
        wanted = [figure_id for figure_id in ids if figure_id not in left_out]
    return [figure for figure in figures if figure.figure_id in wanted]


def reproduce(paper: Reproduction, wishes: Any, wanted: Wanted) -> int:
    """Measures the figures that are wanted and shows them.

    Goes on after runs that fail, and shows what there is after Ctrl-C. What is in the file to be
    resumed is not measured again, and what is measured is added to it. Returns the exit code.
    """
    left_out = () if wanted.is_full else paper.long
    figures = choose(paper.name, paper.figures_of(wishes), wanted.only, left_out)
    conditions = dict(paper.conditions_of(wishes))
    notebook = None if wanted.resumed is None else Notebook(wanted.resumed, conditions)
    plan = Planning()
    dry_lab = Lab(plan, notebook)
    laboratory = paper.open_laboratory(dry_lab, wishes)
    for figure in figures:
        figure.measure(laboratory)
    known = f" {dry_lab.known_count} more are in {wanted.resumed}." if dry_lab.known_count else ""
    _announce(paper.name, wanted.budget_s, plan, known)
    progress = Progress(plan.run_count)
    measuring = Measuring(wanted.budget_s, progress.begin_step)
    lab = Lab(measuring, notebook)
    with measuring.heeding_interrupts():
        laboratory = paper.open_laboratory(lab, wishes)
        rows = []
        remark = ""
        with progress:
            for figure in figures:
                progress.begin_figure(figure.figure_id, figure.title)
                points = figure.measure(laboratory)
                rows += rows_of(figure, points)
                if points:
                    with progress.paused():
                        _show(paper.name, wanted, figure, points, lab, remark_before=remark)
                    remark = figure.remark
        if wanted.as_json:
            print_json(
                envelope(
                    f"reproduce {paper.name}",
                    rows,
                    ranks=None,
                    transport=None,
                    is_incomplete=measuring.interrupted,
                )
            )
        sys.stdout.flush()
        return _conclude(lab, measuring.signal_number)


def _show(
    paper: str, wanted: Wanted, figure: Figure, points: list[Point], lab: Lab, remark_before: str
) -> None:
    if not wanted.as_json:
        show_figure(figure, points, remark_before)
    if wanted.plot_folder is not None and figure.kind != "table":
        from tasuki.output.plot import plot

        lab.note(f"written: {plot(figure, points, wanted.plot_folder, paper)}")


def _announce(name: str, budget_s: float, plan: Planning, known: str) -> None:
    expected_min = plan.expected_s / 60
    about = "less than a minute" if expected_min < 1 else f"about {expected_min:.0f} min"
    sys.stderr.write(
        f"tasuki: reproduce {name}: {plan.run_count} runs, {about} on an idle machine;"
        f" nothing is begun after {budget_s / 60:g} min (--budget)."
        f" Ctrl-C shows what has been measured.{known}\n"
    )
    sys.stderr.flush()


def _conclude(lab: Lab, signal_number: int) -> int:
    """Prints notes and failures; returns the exit code. `signal_number`: 0 if none has come."""
    for note in lab.notes:
        say_if_read(f"{note}\n")
    for failure in lab.failures:
        say_if_read(f"{failure}\n")
    if signal_number != 0:
        say_if_read(INTERRUPTED)
        return 128 + signal_number
    if lab.failures:
        say_if_read(f"tasuki: {len(lab.failures)} of the runs failed, as said above.\n")
        return 1
    return 0
