"""Rules for MPICH: its tree of conditions as JSON, with what was measured put into its own rules.

A file of rules takes the place of all that MPICH has built in, so it must hold the rest too: the
built-in rules lie as text in the library, and are read from there. On one node MPICH asks rules
of its shared-memory part first, which must leave the call to the others: so there are two files.
"""

import json
import mmap
import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from tasuki.base.errors import CommandError
from tasuki.measurement.measurer import OPERATION, Candidate
from tasuki.tune.library import LibraryResults
from tasuki.tune.size_rules import SizeRule

Tree = dict[str, Any]

NODE_ENDING = ".node"  # Of the name of the file for the shared-memory part.
# By which condition MPICH tells sizes apart; where a block counts, that of all ranks.
SIZE_CONDITIONS = {
    "broadcast": "avg_msg_size",
    "reduce": "avg_msg_size",
    "allreduce": "avg_msg_size",
    "alltoall": "avg_msg_size",
    "gather": "total_msg_size",
    "scatter": "total_msg_size",
    "allgather": "total_msg_size",
    "reduce_scatter_block": "total_msg_size",
}
# Measured with what the other answer would not allow: rules hold for these answers only.
MEASURED_WITH = {
    "reduce": ("is_commutative=yes", "is_commutative=no"),
    "allreduce": ("is_commutative=yes", "is_commutative=no"),
    "reduce_scatter_block": ("is_commutative=yes", "is_commutative=no"),
    "alltoall": ("is_sendbuf_inplace=no", "is_sendbuf_inplace=yes"),
}
# Parameters that rules must give, as the library's settings have them when it is forced.
EXCHANGE = ("k=2", "single_phase_recv=0")
PARAMETERS = {
    ("allreduce", "recursive_multiplying"): ("k=2",),
    ("allreduce", "recexch"): EXCHANGE,
    ("allreduce", "k_reduce_scatter_allgather"): EXCHANGE,
    ("barrier", "k_dissemination"): ("k=2",),
    ("barrier", "recexch"): EXCHANGE,
    ("allgather", "k_brucks"): ("k=2",),
    ("allgather", "recexch_doubling"): EXCHANGE,
    ("allgather", "recexch_halving"): EXCHANGE,
}
# Those have more parameters than are known here.
UNSAID = (
    ("allreduce", "tree"),
    ("broadcast", "tree"),
    ("broadcast", "pipelined_tree"),
    ("alltoall", "k_brucks"),
)


def can_say(_: LibraryResults, collective: str, candidate: Candidate) -> bool:
    return (collective, candidate.algorithm) not in UNSAID


def settings_of(path: Path) -> list[str]:
    return [
        f"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE={path}",
        f"MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE={path}{NODE_ENDING}",
    ]


def texts_of(found: LibraryResults, rules: Sequence[SizeRule]) -> dict[str, str]:
    """The two files; raises CommandError if the library's own rules are not found."""
    rules = [
        rule
        for rule in rules
        if rule.collective in SIZE_CONDITIONS or (rule.bytes_from, rule.bytes_below) == (0, None)
    ]
    if not rules:
        return {}
    general = built_in_rules(Path(found.library_file), "algorithm=MPIR_")
    of_node = built_in_rules(Path(found.library_file), "algorithm=MPIDI_POSIX_")
    for collective, group in groupby(
        sorted(rules, key=lambda rule: rule.collective), key=lambda rule: rule.collective
    ):
        own = list(group)
        name = f"collective={_short(collective)}"
        general[name] = _with_rules(collective, own, general[name], _algorithm)
        if name in of_node:
            of_node[name] = _with_rules(collective, own, of_node[name], _left_to_the_others)
    return {"": _text(general), NODE_ENDING: _text(of_node)}


def built_in_rules(library: Path, mark: str) -> Tree:
    """The rules in the library's file that name `mark`: JSON text, ended by a zero byte."""
    content = library.read_bytes()
    for found in re.finditer(rb'\{"collective=[^\0]*\}(?=\0)', content):
        if mark.encode() in found.group():
            return json.loads(found.group())
    raise CommandError(
        OPERATION,
        f"{library} does not hold the rules of MPICH that new ones are to complete",
        "use MPICH 4 or newer, with ch4",
    )


def _with_rules(collective: str, rules: Sequence[SizeRule], own: Tree, leaf: Any) -> Tree:
    """The `own` rules of one collective but for the numbers of ranks that were measured."""
    within = own.get("comm_type=intra", own)
    by_ranks: Tree = {}
    for ranks, group in groupby(sorted(rules, key=lambda rule: rule.ranks), lambda one: one.ranks):
        by_ranks[f"comm_size<{ranks}"] = within
        by_ranks[f"comm_size<={ranks}"] = _for_ranks(collective, list(group), within, leaf)
    by_ranks["comm_size=any"] = within
    if within is own:
        return by_ranks
    return {**own, "comm_type=intra": by_ranks}


def _for_ranks(collective: str, rules: Sequence[SizeRule], within: Tree, leaf: Any) -> Tree:
    condition = SIZE_CONDITIONS.get(collective)
    if condition is None:
        return leaf(rules[0])
    by_size: Tree = {}
    for rule in rules:
        below = rule.bytes_below
        if below is not None and condition == "total_msg_size":
            below *= rule.ranks
        test = f"{condition}=any" if below is None else f"{condition}<{below}"
        by_size[test] = within if rule.is_default else leaf(rule)
    if collective not in MEASURED_WITH:
        return by_size
    as_measured, otherwise = MEASURED_WITH[collective]
    return {as_measured: by_size, otherwise: within}


def _algorithm(rule: SizeRule) -> Tree:
    name = rule.winner.algorithm
    parameters = PARAMETERS.get((rule.collective, name), ())
    whole = f"algorithm=MPIR_{_short(rule.collective).capitalize()}_intra_{name}"
    return {whole: {parameter: {} for parameter in parameters}}


def _left_to_the_others(rule: SizeRule) -> Tree:
    """Conditions that no call of this kind meets: MPICH then goes on with its general rules."""
    short = _short(rule.collective)
    return {"comm_type=inter": {f"algorithm=MPIDI_POSIX_mpi_{short}_release_gather": {}}}


def _short(collective: str) -> str:
    return "bcast" if collective == "broadcast" else collective


def _text(tree: Tree) -> str:
    """MPICH maps the file and reads on to a zero byte: the last page must not be full."""
    text = json.dumps(tree, indent=1) + "\n"
    return text if len(text) % mmap.PAGESIZE else text + "\n"
