"""The tables of a program of Tasuki's runtime that programs of MPI do not have."""

from tasuki.profile.analysis import Analysis
from tasuki.profile.collective_tables import MEGABYTE, Table
from tasuki.profile.runtime_totals import RuntimeTotals


def print_runtime_tables(analysis: Analysis, table: Table) -> None:
    totals = RuntimeTotals(analysis)
    table(
        "What each rank did, s: main function, functions that others called, nothing (idle)",
        ("rank", "time", "main", "collectives", "called", "idle", "calls", "messages", "sent, MB"),
        [(*one[:-1], one.sent_bytes / MEGABYTE) for one in totals.loads],
    )
    if totals.called:
        table(
            "Functions that other ranks called, all ranks",
            ("function", "calls", "s", "without waiting, s", "received, MB"),
            [(*one[:-1], one.received_bytes / MEGABYTE) for one in totals.called],
        )
    if totals.waits:
        table(
            "What fibers waited for, all ranks",
            ("wait", "times", "s", "longest, s"),
            [tuple(one) for one in totals.waits],
        )
