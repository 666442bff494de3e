"""The figures and tables: what each shows, and who measures it."""

from functools import partial

from tasuki.output.figure import Figure
from tasuki.reproduce.collectives import by_nodes, measured, paper, roads, simulated
from tasuki.reproduce.collectives.laboratory import Laboratory, conditions_of
from tasuki.reproduce.collectives.paper import RoadNetwork
from tasuki.reproduce.command import Reproduction

_SIZE = "size, bytes"
_PROCESSES = "processes"
_HERE_REMARK = " This machine: with more processes than cores they take turns."


def _names(number: int, collective: str) -> Figure:
    return Figure(
        f"table{number}", f"Algorithms of {collective}, and what SimGrid is told", "table",
        "number", "", partial(by_nodes.names, collective),
        published=(paper.names_table(number, collective),),
    )  # fmt: skip


def _loops(number: int, collective: str, size_bytes: int, said: str) -> Figure:
    return Figure(
        f"fig{number}", f"{collective.capitalize()} of {size_bytes:,} bytes, {paper.CALLS:,} calls",
        "lines", _PROCESSES, "time, s", partial(by_nodes.loops, collective, size_bytes),
        log_value=True,
        remark=f"The paper: {said} {by_nodes.SIMULATED_REMARK}{_HERE_REMARK}",
    )  # fmt: skip


def _searches(number: int, collective: str, road: RoadNetwork, said: str) -> Figure:
    return Figure(
        f"fig{number}", f"{collective.capitalize()}: shortest paths on the roads of {road.title}",
        "lines", _PROCESSES, "time, s", partial(by_nodes.searches, collective, road),
        remark=f"The paper: {said} {by_nodes.SIMULATED_REMARK}",
    )  # fmt: skip


def _measured(figure_id: str, collective: str) -> Figure:
    return Figure(
        figure_id, f"{collective.capitalize()}: all algorithms", "lines", _SIZE, "time, us",
        partial(measured.times, collective), log_x=True, log_value=True, columns=2,
        baseline_series=measured.DEFAULT, remark=measured.REMARK,
    )  # fmt: skip


def _roads(name: str) -> Figure:
    return Figure(
        name.lower(), f"Shortest paths on the roads of {name}, here", "stacked", "algorithm",
        "time, s", partial(roads.times, name), columns=2, baseline_places=roads.BASELINES,
        remark=roads.REMARK,
    )  # fmt: skip


def _simulated(figure_id: str, collective: str) -> Figure:
    return Figure(
        figure_id, f"{collective.capitalize()} on simulated clusters", "lines", _SIZE, "time, us",
        lambda laboratory: simulated.times(collective, laboratory.simulations),
        log_x=True, log_value=True, columns=len(simulated.DRAWN_RANKS), remark=simulated.REMARK,
    )  # fmt: skip


FIGURES = (
    _names(2, "allreduce"),
    _names(3, "alltoall"),
    _loops(1, "allreduce", 4096, paper.FIGURE_1),
    _loops(2, "allreduce", 16384, paper.FIGURE_2),
    _loops(3, "alltoall", 4, paper.FIGURE_3),
    Figure("table4", "Road networks", "table", "network", "", by_nodes.networks,
           published=(paper.TABLE_4,), remark=by_nodes.ROADS_REMARK),
    _searches(4, "allreduce", paper.CALIFORNIA, paper.FIGURE_4),
    _searches(5, "alltoall", paper.SETO, paper.FIGURE_5),
    _searches(6, "alltoall", paper.USA, paper.FIGURE_6),
    Figure("table5", "Best algorithms of allreduce by size", "table", "size", "", by_nodes.best,
           published=(paper.TABLE_5,), remark=by_nodes.BEST_REMARK),
    # Beyond the paper.
    _measured("allreduce", "allreduce"),
    _measured("alltoall", "alltoall"),
    Figure("best", "The best of each, beside the library's default", "lines", _SIZE, "time, us",
           measured.best, log_x=True, log_value=True, columns=2, baseline_series=measured.DEFAULT,
           remark=measured.REMARK),
    Figure("best_by_size", "Best algorithm by size", "table", "bytes", "", measured.best_table,
           remark=measured.BEST_REMARK),
    *(_roads(name) for name in roads.NAMES),
    Figure("networks", "Simulated networks", "table", "network", "",
           lambda laboratory: simulated.networks(laboratory.simulations)),
    _simulated("sim_allreduce", "allreduce"),
    _simulated("sim_alltoall", "alltoall"),
    Figure("sim_best", "Best algorithm on simulated clusters", "map", _SIZE, "ranks",
           lambda laboratory: simulated.best(laboratory.simulations), remark=simulated.REMARK),
)  # fmt: skip
# Left out unless they are named, or the run is full.
LONG = tuple(name.lower() for name in roads.NAMES)
COLLECTIVES = Reproduction("collectives", lambda _: FIGURES, Laboratory, conditions_of, LONG)
