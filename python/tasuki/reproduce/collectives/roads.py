"""Shortest paths on road networks with each algorithm, on this machine."""

from pathlib import Path
from typing import Any

from tasuki.base.programs import DATA
from tasuki.measurement.measurer import Candidate
from tasuki.output.figure import MISSING, Point
from tasuki.output.place import is_oversubscribed, ranks_and_place
from tasuki.reproduce.collectives.graphs import file_of
from tasuki.reproduce.collectives.laboratory import Laboratory
from tasuki.reproduce.collectives.measured import (
    BUILT_IN_POLICY,
    COLLECTIVES,
    DEFAULT,
    paper_name,
    series_of,
)
from tasuki.reproduce.collectives.searches import Outcome, Search

NAMES = ("NY", "BAY", "FLA")
BASELINES = (DEFAULT, BUILT_IN_POLICY)
TOWN = DATA / "town.gr.xz"
# Two numbers of the measuring program stand for the two or three that the ranks agree on.
AGREED_BYTES = 8
DETAILS = (
    "graph",
    "nodes",
    "arcs",
    "method",
    "partition",
    "implementation",
    "phases",
    "verified",
    "messages",
    "bytes",
)
REMARK = (
    "Time of the search by Crauser's criteria IN and OUT together, each rank having consecutive"
    " nodes; the distances are those of Dijkstra. One collective is forced to the algorithm, the"
    " other is as the library, or Tasuki's built-in policy, chooses it. Algorithms that cannot"
    " agree on two numbers are left out."
)


def times(name: str, laboratory: Laboratory) -> list[Point]:
    """A panel for each number of ranks, collective and library, a bar for each algorithm."""
    graph = _graph(name, laboratory)
    if graph is None:
        return []
    points = []
    for ranks in laboratory.wishes.road_ranks:
        for collective in COLLECTIVES:
            for search in laboratory.searches_of(collective, ranks, AGREED_BYTES, graph):
                where = f"{search.library.title}, {ranks_and_place(ranks)}"
                points += [
                    _point(laboratory, search, f"{collective} by {where}", candidate, outcome)
                    for candidate, outcome in laboratory.searches.solve(search).items()
                ]
    return points


def _point(
    laboratory: Laboratory, search: Search, panel: str, candidate: Candidate, outcome: Outcome
) -> Point:
    place = series_of(laboratory, search.library, search.cell, candidate)
    details = _details(laboratory, search, candidate, outcome.solved or {})
    if outcome.solved is None:
        return Point(panel, "time", place, None, "s", details={**details, MISSING: outcome.missing})
    spread, repetitions = outcome.solved["spread"], outcome.solved["repetitions"]
    return Point(panel, "time", place, outcome.solved["seconds"], "s", spread, repetitions, details)


def _graph(name: str, laboratory: Laboratory) -> Path | None:
    """The file of that name among the user's, or what stands in for the first one."""
    folder = laboratory.wishes.graphs
    found = file_of(folder, name)
    if found is not None:
        return found
    missing = f"{name}.gr.xz is not in {folder}" if folder else "no folder with roads was named"
    if name == NAMES[0]:
        laboratory.lab.note(f"{missing}: the made-up town that comes with Tasuki stands in for"
                            f" {name} (--graphs)")  # fmt: skip
        return TOWN
    laboratory.lab.note(f"{missing}: nothing is shown of {name} (--graphs)")
    return None


def _details(
    laboratory: Laboratory, search: Search, candidate: Candidate, solved: dict[str, Any]
) -> dict[str, Any]:
    return {
        "collective": search.cell.collective,
        "algorithm": candidate.algorithm,
        "ranks": search.cell.ranks,
        "message_bytes": None,
        "seconds": solved.get("seconds"),
        "oversubscribed": is_oversubscribed(search.cell.ranks),
        "library": laboratory.races.version(search.library),
        "paper_name": paper_name(laboratory, search.library, search.cell, candidate),
        **{field: solved.get(field) for field in DETAILS},
    }
