"""What is asked of the explaining program (apps/explain), and its answer."""

from pathlib import Path
from typing import Any, NamedTuple

from tasuki.base.program_answer import answer_of
from tasuki.measurement.policy_file import usual_path

BUILT_IN = Path("-")  # In the place of a policy file.
NO_ROUNDS = "none"  # In the place of an algorithm: only the costs are wanted.


class Question(NamedTuple):
    """`policy`, `algorithm` and `parameters` are None where the user named none.

    `ranks_per_node` is None where the user did not say it: then each rank is on a node of its own
    or, over shared memory, all are on one. `nodes_per_group` is None where nodes are all alike.
    `contention`: do messages wait for each other at the link of a simulated node?
    """

    collective: str
    ranks: int
    message_bytes: int
    transport: str
    network: str
    policy: Path | None
    algorithm: str | None
    parameters: str | None
    rank: int = 0
    contention: bool = False
    reproducible: bool = False
    ranks_per_node: int | None = None
    nodes_per_group: int | None = None


def ask_program(question: Question, is_drawn: bool) -> dict[str, Any]:
    usual = usual_path(question.transport)
    policy = question.policy or (usual if usual.exists() else None)
    if policy == BUILT_IN:
        policy = None
    request = question._asdict() | {"policy": policy and str(policy), "is_drawn": is_drawn}
    return answer_of("explain", "tasuki_explain", request)
