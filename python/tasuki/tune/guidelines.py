"""What users may expect of collectives that are chosen well: none is slower than its equivalents.

Performance guidelines in the manner of J. L. Träff, W. D. Gropp and R. Thakur, "Self-consistent MPI
performance guidelines" (2010), and of S. Hunold's work on verifying and tuning them (2017-2018).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tasuki.measurement.measurer import Cell
from tasuki.measurement.race import Time

# Sums of two medians and days of one machine differ by that much.
TOLERANCE = 1.05


class Call(NamedTuple):
    """A collective on the data of a guideline; `part` is "whole" or one rank's "block" of it."""

    collective: str
    part: str = "whole"


class Guideline(NamedTuple):
    """`first` must not take longer than `others` in a row, which do the same together, as the
    algorithm `alike` of `first` does (or "")."""

    first: Call
    others: Sequence[Call]
    alike: str = ""

    def __str__(self) -> str:
        return f"{self.first.collective} <= {' + '.join(one.collective for one in self.others)}"


def _of(first: str, *others: str, alike: str = "") -> Guideline:
    return Guideline(_call(first), tuple(map(_call, others)), alike)


# How each counts its bytes: of the whole vector, or of one rank's block.
OF_BLOCKS = ("gather", "scatter", "allgather", "alltoall", "reduce_scatter_block")


def _call(collective: str) -> Call:
    return Call(collective, "block" if collective in OF_BLOCKS else "whole")


GUIDELINES = (
    _of("allreduce", "reduce", "broadcast", alike="nonoverlapping"),
    _of("allreduce", "reduce_scatter_block", "allgather", alike="rabenseifner"),
    _of("broadcast", "allreduce"),
    _of("broadcast", "scatter", "allgather", alike="scatter_allgather"),
    _of("reduce", "allreduce"),
    _of("reduce", "reduce_scatter_block", "gather", alike="rabenseifner"),
    _of("gather", "allgather"),
    _of("scatter", "broadcast"),
    _of("allgather", "gather", "broadcast"),
    _of("allgather", "alltoall"),
    _of("reduce_scatter_block", "reduce", "scatter", alike="nonoverlapping"),
    _of("reduce_scatter_block", "allreduce"),
    _of("exscan", "scan"),  # Of the rank before, and on the way to a scan's result.
    _of("allreduce", "scan", "broadcast"),
)


class Demand(NamedTuple):
    """A guideline for one size: `cell` must not take longer than `others` together."""

    text: str
    cell: Cell
    others: Sequence[Cell]
    alike: str = ""


def demands_of(collectives: Sequence[str], ranks: int, sizes: Sequence[int]) -> list[Demand]:
    """All that concern these collectives: the guidelines for vectors of about these sizes, that no
    larger call is faster, and that the barrier takes no longer than the smallest allreduce."""
    wholes = sorted({_divisible(size, ranks) for size in sizes})
    demands = []
    if "barrier" in collectives:
        small = Cell("allreduce", ranks, 4)
        demands.append(Demand("barrier <= allreduce", Cell("barrier", ranks, 0), [small]))
    for guideline in GUIDELINES:
        if guideline.first.collective not in collectives:
            continue
        for whole in wholes:
            cell, *others = (_cell(one, ranks, whole) for one in (guideline[0], *guideline[1]))
            demands.append(Demand(str(guideline), cell, others, guideline.alike))
    for collective in collectives:
        if collective != "barrier":
            cells = [_cell(_call(collective), ranks, whole) for whole in wholes]
            demands += [
                Demand(f"{collective}: smaller <= larger", small, [large])
                for small, large in pairwise(cells)
            ]
    return demands


def is_broken(own: Time, others: Sequence[Time]) -> bool:
    """Does `own` take longer than the others together, beyond tolerance and noise?"""
    together = sum(one.median for one in others)
    return own.low > sum(one.high for one in others) and own.median > together * TOLERANCE


def _divisible(size: int, ranks: int) -> int:
    """The next size whose blocks are whole floats."""
    return -(-size // (4 * ranks)) * 4 * ranks


def _cell(call: Call, ranks: int, whole: int) -> Cell:
    return Cell(call.collective, ranks, whole if call.part == "whole" else whole // ranks)
