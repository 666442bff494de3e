"""Shortest paths on road networks with each algorithm, on this machine."""

from pathlib import Path

from tasuki.base.programs import DATA
from tasuki.measurement.measurer import Candidate, Cell
from tasuki.output.figure import MISSING, Point
from tasuki.output.place import cell_fields, ranks_and_place
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
from tasuki.reproduce.races import Inspection

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
            for library in laboratory.libraries:
                search = Search(library, Cell(collective, ranks, AGREED_BYTES), graph)
                panel = f"{collective} by {library.title}, {ranks_and_place(ranks)}"
                inspection, found = laboratory.searches.solve(search)
                points += [_point(search, inspection, panel, *outcome) for outcome in found.items()]
    return points


def _point(
    search: Search, inspection: Inspection, panel: str, candidate: Candidate, outcome: Outcome
) -> Point:
    solved = outcome.solved or {"seconds": None, "spread": None, "repetitions": 1}
    details = {
        **cell_fields(*search.cell),
        "message_bytes": None,
        "algorithm": candidate.algorithm,
        "seconds": solved["seconds"],
        "library": inspection.version,
        "paper_name": paper_name(search.library, inspection, candidate),
        **{field: solved.get(field) for field in DETAILS},
        **({} if outcome.solved else {MISSING: outcome.missing}),
    }
    place = series_of(search.library, inspection, candidate)
    return Point(panel, "time", place, solved["seconds"], "s", solved["spread"],
                 solved["repetitions"], details)  # fmt: skip


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
