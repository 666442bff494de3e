"""The parts of a policy file: rows by where the ranks of a team are (docs/formats/policy.md)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tasuki.base.errors import usage_error

WORD = "nodes"


class NodeRange(NamedTuple):
    """Teams on so many nodes, with up to so many ranks on the fullest of them; None is any
    number."""

    nodes_from: int = 1
    nodes_up_to: int | None = None
    ranks_per_node_up_to: int | None = None

    def line(self) -> str:
        bounds = ("any" if bound is None else str(bound) for bound in self)
        return " ".join([WORD, *bounds])


ANYWHERE = NodeRange()


def parts_of(text: str, head: Iterable[str]) -> dict[NodeRange, list[str]]:
    """The rows of a file, as lines; none if it does not begin with the lines of `head`: it was
    measured elsewhere. Raises CommandError (exit code 2) for a line about nodes that is none."""
    stripped = (line.strip() for line in text.splitlines())
    lines = [line for line in stripped if line and not line.startswith("#")]
    begin = list(head)
    if lines[: len(begin)] != begin or "end" not in lines:
        return {}
    parts: dict[NodeRange, list[str]] = {}
    nodes = ANYWHERE
    for line in lines[len(begin) : lines.index("end")]:
        if line.split()[0] == WORD:
            nodes = _range_of(line)
        else:
            parts.setdefault(nodes, []).append(line)
    return parts


def with_rows(lines: Iterable[str], added: Sequence[str]) -> list[str]:
    """The rows of a part with `added` in the place of those for the same collective and ranks; of
    each collective those for fewer ranks come first, as the first row that holds decides."""
    replaced = set(map(_team_of, added))
    rows = [line for line in lines if _team_of(line) not in replaced] + list(added)
    collectives = list(dict.fromkeys(_team_of(line)[0] for line in rows))
    return sorted(rows, key=lambda line: (collectives.index(_team_of(line)[0]), _team_of(line)[1]))


def _team_of(line: str) -> tuple[str, float]:
    collective, ranks_up_to = line.split()[:2]
    return collective, float("inf") if ranks_up_to == "any" else int(ranks_up_to)


def require_known_nodes(text: str) -> None:
    """Raises as parts_of: called before the measuring, whose results would be lost."""
    for line in text.splitlines():
        if line.split()[:1] == [WORD]:
            _range_of(line)


def lines_of(parts: Mapping[NodeRange, list[str]]) -> list[str]:
    """What parts_of reads. The first row that holds decides, so parts for fewer teams come
    first."""
    lines = []
    for nodes in sorted(parts, key=_width):
        if len(parts) > 1 or nodes != ANYWHERE:
            lines.append(nodes.line())
        lines += parts[nodes]
    return lines


def _width(nodes: NodeRange) -> tuple[float, float, int]:
    """Sorts parts: if every team of one part is also of another, the other has the larger width."""
    _, nodes_up_to, ranks_per_node = nodes
    most = float("inf")
    return (
        most if nodes_up_to is None else nodes_up_to,
        most if ranks_per_node is None else ranks_per_node,
        -nodes.nodes_from,
    )


def _range_of(line: str) -> NodeRange:
    words = line.split()[1:]
    if len(words) == 3 and all(word == "any" or word.isdecimal() for word in words):
        bounds = [None if word == "any" else int(word) for word in words]
        found = NodeRange(1 if bounds[0] is None else bounds[0], *bounds[1:])
        if 0 not in found and found.nodes_from <= (found.nodes_up_to or found.nodes_from):
            return found
    remedy = f"as in: {WORD} 2 4 any (from, up to, ranks on each); mend the file or remove it"
    raise usage_error("tune", f"the policy there has the line {line}", remedy)
