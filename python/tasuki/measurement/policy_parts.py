"""The parts of a policy file: rows by where the ranks of a team are (docs/formats/policy.md)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

WORD = "nodes"


class NodeRange(NamedTuple):
    """Teams on so many nodes, with so many ranks on the fullest of them; None is any number."""

    nodes_from: int = 1
    nodes_up_to: int | None = None
    ranks_per_node_up_to: int | None = None

    def line(self) -> str:
        bounds = ("any" if bound is None else str(bound) for bound in self)
        return " ".join([WORD, *bounds])


ANYWHERE = NodeRange()


def parts_of(text: str, head: Iterable[str]) -> dict[NodeRange, list[str]]:
    """The rows of a file, as lines; none if it does not begin with the lines of `head`: it was
    measured elsewhere."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    begin = list(head)
    if lines[: len(begin)] != begin or lines[-1] != "end":
        return {}
    parts: dict[NodeRange, list[str]] = {}
    nodes = ANYWHERE
    for line in lines[len(begin) : -1]:
        if line.split()[0] == WORD:
            nodes = NodeRange(*(_bound(word) for word in line.split()[1:]))
        else:
            parts.setdefault(nodes, []).append(line)
    return parts


def lines_of(parts: Mapping[NodeRange, list[str]]) -> list[str]:
    """What parts_of reads. As the first row that holds decides, parts that hold for fewer teams
    come first."""
    lines = []
    for nodes in sorted(parts, key=_width):
        if len(parts) > 1 or nodes != ANYWHERE:
            lines.append(nodes.line())
        lines += parts[nodes]
    return lines


def _width(nodes: NodeRange) -> tuple[float, float, int]:
    """A part that holds wherever another one does is wider."""
    _, nodes_up_to, ranks_per_node = nodes
    most = float("inf")
    return (
        most if nodes_up_to is None else nodes_up_to,
        most if ranks_per_node is None else ranks_per_node,
        -nodes.nodes_from,
    )


def _bound(word: str) -> int | None:
    return None if word == "any" else int(word)
