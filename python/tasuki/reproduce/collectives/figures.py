"""The figures and tables: what each shows, and who measures it."""

from functools import partial

from tasuki.output.figure import Figure
from tasuki.reproduce.collectives import measured, roads, simulated

_SIZE = "size, bytes"


def _measured(figure_id: str, collective: str) -> Figure:
    return Figure(
        figure_id, f"{collective.capitalize()}: all algorithms", "lines", _SIZE, "time, us",
        partial(measured.times, collective), log_x=True, log_value=True, columns=2,
        baseline_series=measured.DEFAULT, remark=measured.REMARK,
    )  # fmt: skip


def _roads(figure_id: str, name: str) -> Figure:
    return Figure(
        figure_id, f"Shortest paths on the roads of {name}", "stacked", "algorithm", "time, s",
        partial(roads.times, name), columns=2, baseline_places=roads.BASELINES,
        remark=roads.REMARK,
    )  # fmt: skip


def _simulated(figure_id: str, collective: str) -> Figure:
    return Figure(
        figure_id, f"{collective.capitalize()} on simulated clusters", "lines", _SIZE, "time, us",
        lambda laboratory: simulated.times(collective, laboratory.simulations),
        log_x=True, log_value=True, columns=len(simulated.DRAWN_RANKS), remark=simulated.REMARK,
    )  # fmt: skip


FIGURES = (
    _measured("fig1", "allreduce"),
    _measured("fig2", "alltoall"),
    Figure("fig3", "The best of each, beside the library's default", "lines", _SIZE, "time, us",
           measured.best, log_x=True, log_value=True, columns=2, baseline_series=measured.DEFAULT,
           remark=measured.REMARK),
    Figure("table5", "Best algorithm by size", "table", "bytes", "", measured.best_table,
           remark=measured.BEST_REMARK),
    *(_roads(f"fig{number}", name) for number, name in enumerate(roads.NAMES, start=4)),
    Figure("networks", "Simulated networks", "table", "network", "",
           lambda laboratory: simulated.networks(laboratory.simulations)),
    _simulated("sim_allreduce", "allreduce"),
    _simulated("sim_alltoall", "alltoall"),
    Figure("sim_best", "Best algorithm on simulated clusters", "map", _SIZE, "ranks",
           lambda laboratory: simulated.best(laboratory.simulations), remark=simulated.REMARK),
)  # fmt: skip
