"""The figures and tables: what each shows, and who measures it."""

from tasuki.output.figure import Figure
from tasuki.reproduce.command import Reproduction
from tasuki.reproduce.dimmnet import barriers, paper, times, what_if
from tasuki.reproduce.dimmnet.applications import Applications, conditions_of

_PARTS_REMARK = f"{times.SPLIT_REMARK} {times.SPEEDUP_REMARK}"

FIGURES = (
    Figure("fig1", "Time of a barrier", "lines", "ranks", "time, us", barriers.times,
           log_value=True, baseline_series="MPI", remark=barriers.REMARK),
    Figure("ratio", "Barriers of MPI / by flags", "table", "ranks", "", barriers.ratios,
           published=(paper.RATIO,), remark=barriers.REMARK),
    Figure("table2", "Where the time of radix sort and LU goes", "table", "application", "",
           times.shares, published=(paper.TABLE_2,), remark=times.SPLIT_REMARK),
    Figure("fig2", "Radix sort and LU: speed-up", "lines", "ranks", "speed-up", times.speedup,
           ideal=times.ideal_speedup, remark=times.SPEEDUP_REMARK),
    Figure("whatif", "Other bandwidths of sending and reading", "table", "sending:reading, MB/s",
           "", what_if.outlook, published=paper.WHAT_IF, remark=what_if.REMARK),
    Figure("times", "Radix sort and LU, all runs", "table", "ranks", "", times.table,
           remark=_PARTS_REMARK),
)  # fmt: skip
DIMMNET = Reproduction("dimmnet", lambda _: FIGURES, Applications, conditions_of)
