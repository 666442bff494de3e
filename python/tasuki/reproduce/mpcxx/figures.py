"""The figures and tables of the paper's evaluation: what each shows, and who measures it."""

from functools import partial

from tasuki.reproduce.figure import Figure
from tasuki.reproduce.mpcxx import messages, source_lines, throughput, times

_SIZE = "size of a write, bytes"
_TIME = "time, s"

FIGURES = (
    Figure("fig5", "Throughput of remote writes over MPI", "lines", _SIZE, "MB/s",
           throughput.over_mpi, log_x=True, log_value=True),
    Figure("fig6", "Throughput of remote writes over shared memory", "lines", _SIZE, "MB/s",
           throughput.over_shm, log_x=True, log_value=True),
    Figure("fig7", "Time of a remote write / time of MPI_Send", "lines", _SIZE, "ratio",
           throughput.time_ratio, log_x=True),
    Figure("fig8", "CG, here and on simulated Ethernet", "lines", "ranks", _TIME,
           partial(times.both_places, "cg", "ethernet"), log_x=True, log_value=True),
    Figure("fig9", "IS, here and on simulated Ethernet", "lines", "ranks", _TIME,
           partial(times.both_places, "is", "ethernet"), log_x=True, log_value=True),
    Figure("fig10", "CG, here and on a simulated Myrinet-like network", "lines", "ranks", _TIME,
           partial(times.both_places, "cg", "myrinet"), log_x=True, log_value=True),
    Figure("fig11", "IS, here and on a simulated Myrinet-like network", "lines", "ranks", _TIME,
           partial(times.both_places, "is", "myrinet"), log_x=True, log_value=True),
    Figure("fig12", "CG: computation and communication", "stacked", "version, ranks", _TIME,
           partial(times.split, "cg")),
    Figure("fig13", "IS: computation and communication", "stacked", "version, ranks", _TIME,
           partial(times.split, "is")),
    Figure("table4", "Messages by ranks, Tasuki over MPI", "table", "ranks", "",
           messages.by_ranks),
    Figure("table5", "What each rank asks of MPI: CG in MPI", "table", "rank", "",
           partial(messages.counts, "MPI", "cg")),
    Figure("table6", "What each rank asks of MPI: CG in Tasuki", "table", "rank", "",
           partial(messages.counts, "Tasuki over MPI", "cg")),
    Figure("table7", "What each rank asks of MPI: IS in MPI", "table", "rank", "",
           partial(messages.counts, "MPI", "is")),
    Figure("table8", "What each rank asks of MPI: IS in Tasuki", "table", "rank", "",
           partial(messages.counts, "Tasuki over MPI", "is")),
    Figure("lines", "Lines that differ between the versions of a kernel", "table", "kernel", "",
           source_lines.differing_lines),
)  # fmt: skip

IDS = tuple(figure.figure_id for figure in FIGURES)
