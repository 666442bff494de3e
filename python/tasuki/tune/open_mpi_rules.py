"""Rules for Open MPI's coll/tuned: the classic file of 4.1 and 5, and JSON, which Open MPI 6 reads.

Both are documented in Open MPI's guide, "Tuning Collectives". A rule of the classic file holds from
its number of ranks and its size up to the next rule, so that rules that say 0, the library's own
choice, end those that were measured.
"""

import json
import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from tasuki.measurement.measurer import Candidate
from tasuki.tune.library import LibraryResults
from tasuki.tune.size_rules import SizeRule, parameters_of

# How the classic file numbers collectives, and JSON names them.
IDS = {
    "allgather": 0,
    "allreduce": 2,
    "alltoall": 3,
    "barrier": 6,
    "broadcast": 7,
    "exscan": 8,
    "gather": 9,
    "reduce": 11,
    "reduce_scatter_block": 13,
    "scan": 14,
    "scatter": 15,
}
JSON_NAMES = {"broadcast": "bcast", "reduce_scatter_block": "reducescatterblock"}
# Open MPI counts the blocks of all ranks.
OF_ALL_RANKS = ("allgather", "alltoall", "gather", "scatter", "reduce_scatter_block")
# What it takes for the size has nothing to do with the number of elements.
SIZELESS = ("barrier", "scan", "exscan")
SIZELESS_BEFORE_5 = (*SIZELESS, "gather", "scatter")
# Default in Open MPI; another radix stands in a setting of all jobs, not in rules.
KNOMIAL_RADIX = 4
VERSION_WITH_REQUESTS = (5, 0, 7)


def can_say(found: LibraryResults, collective: str, candidate: Candidate) -> bool:
    """Can a rule of the JSON format name it?"""
    return (
        found.values.get((collective, candidate.algorithm)) is not None
        and parameters_of(candidate).get("radix", KNOMIAL_RADIX) == KNOMIAL_RADIX
    )


def can_say_classic(found: LibraryResults, collective: str, candidate: Candidate) -> bool:
    """Can a rule of the classic format, as this version reads it, name it?"""
    requests = parameters_of(candidate).get("outstanding", 0)
    return can_say(found, collective, candidate) and (requests == 0 or _has_requests(found))


def classic_texts(found: LibraryResults, rules: Sequence[SizeRule]) -> dict[str, str]:
    rules = _without_unusable(found, rules)
    if not rules:
        return {}
    by_collective = _grouped(rules, lambda rule: IDS[rule.collective])
    lines = ["rule-file-version-2"] if _has_requests(found) else []
    lines += [
        f"# Measured with {found.library} by tasuki tune --library, all ranks on one node",
        str(len(by_collective)),
    ]
    for number, of_collective in by_collective:
        by_ranks = _with_ends(_grouped(of_collective, lambda rule: rule.ranks))
        lines += [f"{number}  # {of_collective[0].collective}", str(len(by_ranks))]
        for ranks, of_ranks in by_ranks:
            lines += [f"{ranks}  # ranks", str(max(len(of_ranks), 1))]
            lines += [_classic_line(found, rule) for rule in of_ranks] or [_own_choice(found)]
    return {"": "\n".join([*lines, ""])}


def settings_of(path: Path) -> list[str]:
    return [
        "OMPI_MCA_coll_tuned_use_dynamic_rules=1",
        f"OMPI_MCA_coll_tuned_dynamic_rules_filename={path}",
    ]


def json_texts(found: LibraryResults, rules: Sequence[SizeRule]) -> dict[str, str]:
    rules = _without_unusable(found, rules)
    if not rules:
        return {}
    collectives = {
        JSON_NAMES.get(of_collective[0].collective, of_collective[0].collective): [
            {
                "comm_size_min": ranks,
                "comm_size_max": ranks,
                "rules": [_json_rule(found, rule) for rule in of_ranks if not rule.is_default],
            }
            for ranks, of_ranks in _grouped(of_collective, lambda rule: rule.ranks)
        ]
        for _, of_collective in _grouped(rules, lambda rule: IDS[rule.collective])
    }
    whole = {"rule_file_version": 3, "module": "tuned", "collectives": collectives}
    return {"": json.dumps(whole, indent=1) + "\n"}


def json_unloadable_because(found: LibraryResults) -> str:
    """Why the library that was measured cannot load JSON, or ""."""
    if _version(found) >= (6,):
        return ""
    return (
        f"{found.library} does not read rules in JSON, Open MPI 6 does; for this one: ompi-classic"
    )


def _classic_line(found: LibraryResults, rule: SizeRule) -> str:
    first = _size(rule, rule.bytes_from)
    if rule.is_default:
        return _own_choice(found, first)
    given = parameters_of(rule.winner)
    value = found.values[rule.collective, rule.winner.algorithm]
    words = [first, value, given.get("chains", 0), given.get("segment_bytes", 0)]
    if _has_requests(found):
        words.append(given.get("outstanding", 0))
    return " ".join(map(str, words)) + f"  # {rule.winner.algorithm}"


def _own_choice(found: LibraryResults, first: int = 0) -> str:
    return " ".join(map(str, [first, *[0] * (4 if _has_requests(found) else 3)]))


def _json_rule(found: LibraryResults, rule: SizeRule) -> dict[str, Any]:
    given = parameters_of(rule.winner)
    last = "inf" if rule.bytes_below is None else _size(rule, rule.bytes_below) - 1
    said = {
        "msg_size_min": _size(rule, rule.bytes_from),
        "msg_size_max": last,
        "alg": found.names[rule.collective, rule.winner.algorithm],
        "faninout": given.get("chains"),
        "seg_size": given.get("segment_bytes"),
        "reqs": given.get("outstanding"),
    }
    return {name: value for name, value in said.items() if value is not None}


def _size(rule: SizeRule, size: int) -> int:
    return size * rule.ranks if rule.collective in OF_ALL_RANKS else size


def _without_unusable(found: LibraryResults, rules: Sequence[SizeRule]) -> list[SizeRule]:
    """Where Open MPI does not see the size, one algorithm must be best for all sizes."""
    sizeless = SIZELESS if _version(found) >= (5,) else SIZELESS_BEFORE_5
    return [
        rule
        for rule in rules
        if rule.collective not in sizeless or (rule.bytes_from, rule.bytes_below) == (0, None)
    ]


def _with_ends(
    groups: list[tuple[int, list[SizeRule]]],
) -> list[tuple[int, list[SizeRule]]]:
    """Behind each number of ranks an empty one, unless the next was measured too."""
    measured = {ranks for ranks, _ in groups}
    ends = [(ranks + 1, []) for ranks in measured if ranks + 1 not in measured]
    return sorted([*groups, *ends], key=lambda group: group[0])


def _grouped(rules: Sequence[SizeRule], key: Any) -> list[tuple[int, list[SizeRule]]]:
    return [(name, list(group)) for name, group in groupby(sorted(rules, key=key), key=key)]


def _version(found: LibraryResults) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", found.library))


def _has_requests(found: LibraryResults) -> bool:
    return _version(found) >= VERSION_WITH_REQUESTS
