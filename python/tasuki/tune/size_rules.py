"""Which of an MPI library's algorithms is best, for ranges of sizes."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from tasuki.measurement.measurer import Candidate
from tasuki.measurement.race import Result

# In which rules can be written (tune/rules.py).
FORMATS = ("ompi-json", "ompi-classic", "mpich-json")


class SizeRule(NamedTuple):
    """For so many ranks, from so many bytes up to fewer than so many (None: any), as a policy
    counts bytes (docs/formats/policy.md). `is_default`: the library's own choice stays."""

    collective: str
    ranks: int
    bytes_from: int
    bytes_below: int | None
    winner: Candidate
    is_default: bool


def size_rules_of(results: Iterable[Result]) -> list[SizeRule]:
    """One for each run of sizes with the same winner, in order; it changes over at the geometric
    mean of the sizes that were measured. Nothing where all is as the library chooses itself."""
    ordered = sorted(results, key=lambda one: one.cell)
    rules = []
    for (collective, ranks), group in groupby(
        ordered, key=lambda one: (one.cell.collective, one.cell.ranks)
    ):
        runs = [list(run) for _, run in groupby(group, key=lambda one: one.winner)]
        if len(runs) == 1 and runs[0][0].winner == runs[0][0].incumbent:
            continue
        begin = 0
        for number, run in enumerate(runs):
            end = None
            if number + 1 < len(runs):
                next_bytes = runs[number + 1][0].cell.message_bytes
                end = int((run[-1].cell.message_bytes * next_bytes) ** 0.5) + 1
            is_default = run[0].winner == run[0].incumbent
            rules.append(SizeRule(collective, ranks, begin, end, run[0].winner, is_default))
            begin = end or 0
    return rules


def parameters_of(candidate: Candidate) -> dict[str, int]:
    pairs = (one.split("=") for one in candidate.parameters.split(",") if one)
    return {name: int(value) for name, value in pairs}
