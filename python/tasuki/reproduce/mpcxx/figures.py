"""The figures and tables of the paper's evaluation: what each shows, and who measures it."""

from collections.abc import Callable
from functools import partial

from tasuki.output.figure import Figure
from tasuki.reproduce.mpcxx import messages, source_lines, throughput, times
from tasuki.reproduce.simulation import describe_network

_SIZE = "size of a write, bytes"
_TIME = "time, s"

_STREAM_REMARK = (
    "A stream of writes of one size from rank 0 to rank 1, then a barrier; the median of 9. Tasuki"
    " over MPI leaves its own shared memory aside, so that MPI carries both."
)
_TIMES_REMARK = (
    "This machine: median of 3 runs; with more ranks than cores they take turns. Simulated nodes:"
    " {network}. The computation is real; its simulated time is stated by the kernels, from"
    " measurements, and the messages' by SimGrid, so that these numbers repeat exactly. The"
    " processor time of MPI and Tasuki themselves is not simulated."
)
_SPLIT_REMARK = (
    "Communication: time inside communication calls, waiting for the others included, mean of the"
    " ranks; computation: the rest."
)


def _throughput(figure_id: str, title: str, measure: Callable) -> Figure:
    return Figure(
        figure_id, title, "lines", _SIZE, "MB/s", measure, log_x=True, log_value=True,
        baseline_series="MPI_Send", remark=_STREAM_REMARK,
    )  # fmt: skip


def _times(figure_id: str, kernel: str, network: str, title: str) -> Figure:
    return Figure(
        figure_id, title, "lines", "ranks", _TIME, partial(times.both_places, kernel, network),
        log_x=True, log_value=True, baseline_series="MPI",
        remark=_TIMES_REMARK.format(network=describe_network(network)),
    )  # fmt: skip


def _split(figure_id: str, kernel: str) -> Figure:
    return Figure(
        figure_id, f"{kernel.upper()}: computation and communication", "stacked", "version, ranks",
        _TIME, partial(times.split, kernel), remark=_SPLIT_REMARK,
    )  # fmt: skip


def _counts(figure_id: str, kernel: str, variant_title: str, version: str) -> Figure:
    return Figure(
        figure_id, f"What each rank asks of MPI: {kernel.upper()} in {version}", "table", "rank",
        "", partial(messages.counts, variant_title, kernel), remark=messages.COUNTS_REMARK,
    )  # fmt: skip


FIGURES = (
    _throughput("fig5", "Throughput of remote writes over MPI", throughput.over_mpi),
    _throughput("fig6", "Throughput of remote writes over shared memory", throughput.over_shm),
    Figure("fig7", "Time of a remote write / time of MPI_Send", "lines", _SIZE, "ratio",
           throughput.time_ratio, log_x=True, log_value=True, remark=_STREAM_REMARK),
    _times("fig8", "cg", "ethernet", "CG, here and on simulated Ethernet"),
    _times("fig9", "is", "ethernet", "IS, here and on simulated Ethernet"),
    _times("fig10", "cg", "myrinet", "CG, here and on a simulated Myrinet-like network"),
    _times("fig11", "is", "myrinet", "IS, here and on a simulated Myrinet-like network"),
    _split("fig12", "cg"),
    _split("fig13", "is"),
    Figure("table4", "Messages by ranks, Tasuki over MPI", "table", "ranks", "",
           messages.by_ranks, remark=messages.TOTALS_REMARK),
    _counts("table5", "cg", "MPI", "MPI"),
    _counts("table6", "cg", "Tasuki over MPI", "Tasuki"),
    _counts("table7", "is", "MPI", "MPI"),
    _counts("table8", "is", "Tasuki over MPI", "Tasuki"),
    Figure("lines", "Lines that differ between the versions of a kernel", "table", "kernel", "",
           source_lines.differing_lines, remark=source_lines.REMARK),
)  # fmt: skip

IDS = tuple(figure.figure_id for figure in FIGURES)
