"""From the races of an MPI library's own algorithms to the files of rules that it loads."""

import sys
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tasuki.base.errors import usage_error
from tasuki.measurement.measurer import OPERATION, Candidate
from tasuki.measurement.policy_file import write
from tasuki.measurement.race import Result, smoothed, winner_of
from tasuki.output.place import is_oversubscribed
from tasuki.tune import mpich_rules, open_mpi_rules
from tasuki.tune.library import LibraryResults
from tasuki.tune.size_rules import SizeRule, size_rules_of


class Format(NamedTuple):
    """A kind of file. `texts_of` gives the texts of the files by what their names end with, or
    nothing if no rule changes what the library does; `settings_of` says how a job loads them."""

    mpi: str
    can_say: Callable[[LibraryResults, str, Candidate], bool]
    texts_of: Callable[[LibraryResults, Sequence[SizeRule]], dict[str, str]]
    settings_of: Callable[[Path], Sequence[str]]
    unloadable_because: Callable[[LibraryResults], str] = lambda _: ""
    has_files: bool = False  # Is it more than one?


FORMATS = {
    "ompi-json": Format(
        "ompi",
        open_mpi_rules.can_say,
        open_mpi_rules.json_texts,
        open_mpi_rules.settings_of,
        open_mpi_rules.json_unloadable_because,
    ),
    "ompi-classic": Format(
        "ompi",
        open_mpi_rules.can_say_classic,
        open_mpi_rules.classic_texts,
        open_mpi_rules.settings_of,
    ),
    "mpich-json": Format(
        "mpich",
        mpich_rules.can_say,
        mpich_rules.texts_of,
        mpich_rules.settings_of,
        has_files=True,
    ),
}


def require_format(name: str, mpi: str) -> Format:
    """Raises CommandError if rules of that format are not for the MPI (ompi or mpich)."""
    found = FORMATS[name]
    if found.mpi != mpi:
        raise usage_error(
            OPERATION,
            f"--emit {name} is not for the MPI that is measured ({mpi})",
            f"choose it with --mpi {found.mpi}",
        )
    return found


def require_place(name: str, output: Path | None, as_json: bool) -> None:
    """Raises CommandError if standard output would hold several documents one after the other."""
    if output is None and (as_json or FORMATS[name].has_files):
        also = "the results" if as_json else "a second file"
        raise usage_error(
            OPERATION,
            f"rules and {also} cannot both be standard output",
            "name the file of the rules with --output",
        )


def emit(form: Format, found: LibraryResults, output: Path | None) -> None:
    """Writes the rules to `output` (and files beside it) or to standard output, and says on
    standard error how they are used."""
    texts = form.texts_of(found, size_rules_of(_with_winners_that_can_be_said(form, found)))
    if not texts:
        sys.stderr.write(
            "tasuki: tune: the library's own choice is as good as any in all cells that rules can"
            " tell apart: there are no rules to write.\n"
        )
        return
    shared = sorted({one.cell.ranks for one in found.results if is_oversubscribed(one.cell.ranks)})
    if shared:
        numbers = ", ".join(map(str, shared))
        sys.stderr.write(
            f"tasuki: tune: {numbers} ranks shared cores of one node: where they have a core each,"
            " other algorithms may be best\n"
        )
    why_not = form.unloadable_because(found)
    if why_not:
        sys.stderr.write(f"tasuki: tune: {why_not}\n")
    if output is None:
        for text in texts.values():
            sys.stdout.write(text)
        return
    for ending, text in texts.items():
        write(output.with_name(output.name + ending), text)
    settings = " ".join(form.settings_of(output))
    sys.stderr.write(f"tasuki: tune: rules written; jobs load them with {settings}\n")


def _with_winners_that_can_be_said(form: Format, found: LibraryResults) -> list[Result]:
    """The results without the candidates that rules of this format cannot name."""
    results = []
    for one in found.results:
        times = {
            candidate: time
            for candidate, time in one.times.items()
            if candidate == one.incumbent or form.can_say(found, one.cell.collective, candidate)
        }
        results.append(one._replace(times=times, winner=winner_of(times, one.incumbent)))
    results.sort(key=lambda one: one.cell)
    groups = groupby(results, key=lambda one: (one.cell.collective, one.cell.ranks))
    return [kept for _, group in groups for kept in smoothed(group)]
