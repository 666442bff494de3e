"""The policy for ranks that count as nodes of their own: collectives by messages alone.

All ranks are on this machine, and Tasuki would carry collectives out in its memory. Over TCP and
over links that would show another gain than that of prediction.
"""

from functools import cache
from pathlib import Path

from tasuki.base.program_answer import answer_of
from tasuki.measurement.measurer import Candidate
from tasuki.measurement.policy_file import PRELOADED, PolicyRow, text_of

RANKS_MOST = 1 << 20
# For each collective of the kernels an algorithm that suits few ranks and any size.
ALGORITHMS = {
    "barrier": "dissemination",
    "broadcast": "binomial",
    "reduce": "binomial",
    "reduce_scatter": "pairwise",
    "allreduce": "recursive_doubling",
    "gather": "binomial",
    "allgather": "ring",
    "alltoall": "pairwise",
    "alltoallv": "pairwise",
}


def write_policy(path: Path) -> None:
    """Writes the file for this machine, as `tasuki run --policy` reads it. Raises CommandError if
    this build cannot tell what machine it is."""
    rows = [
        PolicyRow(collective, RANKS_MOST, None, Candidate(algorithm, ""), "by messages alone")
        for collective, algorithm in ALGORITHMS.items()
    ]
    path.write_text(text_of(rows, _machine(), PRELOADED))


@cache
def _machine() -> str:
    return answer_of("reproduce prediction", "tasuki_info")["topology"]["machine"]
