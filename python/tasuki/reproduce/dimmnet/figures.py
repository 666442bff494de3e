"""The figures and tables: what each shows, and who measures it."""

from tasuki.output.figure import Figure
from tasuki.reproduce.dimmnet import barriers, times, what_if

_PARTS_REMARK = f"{times.SPLIT_REMARK} {times.SPEEDUP_REMARK}"

FIGURES = (
    Figure("barrier", "Barriers", "lines", "ranks", "time, us", barriers.times,
           log_value=True, baseline_series="MPI", remark=barriers.REMARK),
    Figure("table2", "Radix sort and LU", "table", "ranks", "", times.table, remark=_PARTS_REMARK),
    Figure("fig1", "Radix sort and LU: where the time goes", "stacked", "version, ranks",
           "time, s", times.split, remark=times.SPLIT_REMARK),
    Figure("fig2", "Radix sort and LU: speed-up", "lines", "ranks", "speed-up", times.speedup,
           ideal=times.ideal_speedup, remark=times.SPEEDUP_REMARK),
    Figure("whatif", "The speed-up if communication ran at a given bandwidth", "lines",
           "bandwidth of each rank, MB/s", "speed-up", what_if.speedups, log_x=True,
           starred_detail=what_if.MEASURED, remark=what_if.REMARK),
)  # fmt: skip
