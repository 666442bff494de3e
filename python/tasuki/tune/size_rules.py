"""Which of an MPI library's algorithms is best, for ranges of sizes."""

from collections.abc import Iterable
from typing import NamedTuple

from tasuki.measurement.measurer import Candidate
from tasuki.measurement.race import Result, winners_by_size

# In which rules can be written (tune/rules.py).
RULE_FORMATS = ("ompi-json", "ompi-classic", "mpich-json")
# In which a policy for preloaded programs is written (tune/preloaded.py).
POLICY_FORMAT = "tasuki"
FORMATS = (*RULE_FORMATS, POLICY_FORMAT)


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
    """One for each run of sizes with the same winner, in order. Nothing where all is as the
    library chooses itself."""
    rules = []
    for collective, ranks, runs in winners_by_size(results):
        begin = 0
        for (first, *_), middle in runs:
            end = None if middle is None else int(middle) + 1
            is_default = first.winner == first.incumbent
            if len(runs) > 1 or not is_default:
                rules.append(SizeRule(collective, ranks, begin, end, first.winner, is_default))
            begin = end or 0
    return rules


def parameters_of(candidate: Candidate) -> dict[str, int]:
    pairs = (one.split("=") for one in candidate.parameters.split(",") if one)
    return {name: int(value) for name, value in pairs}
