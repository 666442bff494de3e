"""What benchmarks should reach; see docs/formats/bench.md.

Those of `bench micro` are for two pinned ranks over shm. c is the raw one-way time of a cache line
that the row's own run has measured (`cache_line_ns`). The limits are those of the design: each is
declared once, here or where a paper is reproduced.
"""

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from tasuki.output.report import Row

AT_MOST, AT_LEAST = "at_most", "at_least"


Limit = Callable[[Row], float | None]


class Goal(NamedTuple):
    """A limit for rows whose name matches `pattern` as a whole. `limit(row)` is in the row's unit,
    None where the run has not measured what it depends on."""

    pattern: str
    goal_is: str
    text: str
    limit: Limit


def _multiple(field: str, factor: float = 1.0, extra: float = 0.0) -> Limit:
    """That many times what the row has there, and `extra` more; None if it has nothing."""
    return lambda row: factor * row[field] + extra if row.get(field) else None


_lines = partial(_multiple, "cache_line_ns")
_of_baseline = partial(_multiple, "baseline_value")


def _barrier(row: Row) -> float | None:
    limits = (_lines(1.5)(row), _of_baseline(1.0)(row))
    return min((one for one in limits if one is not None), default=None)


def _stream_rate(row: Row) -> float | None:
    """The goal is a time, 1.3 x MPI_Send's below 512 B and 1.05 x above; a rate is its inverse."""
    return _of_baseline(1 / 1.3 if row["size_bytes"] < 512 else 1 / 1.05)(row)


def _beside_perftest(limit: Limit) -> Limit:
    """`limit` of rows that are measured beside ucx_perftest alone."""
    return lambda row: limit(row) if (row.get("baseline") or "").startswith("ucx_") else None


def _over(transport: str, limit: Limit) -> Limit:
    """`limit` of rows over that transport alone."""
    return lambda row: limit(row) if row["transport"] == transport else None


def _at_most_ratio(pattern: str, ratio: float) -> Goal:
    return Goal(pattern, AT_MOST, f"{ratio:g} x", _of_baseline(ratio))


def _at_least_ratio(pattern: str, ratio: float) -> Goal:
    return Goal(pattern, AT_LEAST, f"{ratio:g} x", _of_baseline(ratio))


GOALS = (
    Goal("put_8B", AT_MOST, "1.2 c", _lines(1.2)),
    Goal(
        "(message|put|get|atomic)_8B",
        AT_MOST,
        "1.05 x + 150 ns",
        _beside_perftest(_of_baseline(1.05, 150)),
    ),
    Goal(r"ucx_write_\w+", AT_LEAST, "0.95 x", _beside_perftest(_of_baseline(0.95))),
    Goal("invoke_inline", AT_MOST, "2 c + 120 ns", _lines(2, 120)),
    Goal("invoke_fiber", AT_MOST, "2 c + 250 ns", _lines(2, 250)),
    Goal("fiber_switch", AT_MOST, "15 ns", lambda _: 15.0),
    Goal("ainvoke_oneway", AT_LEAST, "60 M/s", lambda _: 60.0),
    Goal("barrier", AT_MOST, "1.5 c and no slower than MPI", _barrier),
    Goal("schedule_round_8B", AT_MOST, "by hand + 50 ns", _of_baseline(1.0, 50)),
    Goal(r"bulk_(put|get)_\d+[KM]?B", AT_LEAST, "0.95 x memcpy", _of_baseline(0.95)),
    Goal(r"bulk_put_private_\w+", AT_LEAST, "0.9 x the kernel's copy", _of_baseline(0.9)),
    Goal(r"mpi_write_\w+", AT_LEAST, "1.3 x (from 512 B 1.05 x) MPI_Send's time", _stream_rate),
    _at_most_ratio(r"call_\d+_ranks_cpp", 1.5),
    _at_most_ratio(r"call_\d+_ranks_python", 3),
    _at_most_ratio(r"call_\d+_ranks_python_beside_flight", 0.25),
    _at_least_ratio(r"send_2_ranks_hand-off", 0.9),
    _at_least_ratio(r"send_2_ranks_hand-off_beside_buffering", 1.5),
    _at_least_ratio(r"send_2_ranks_hand-off_beside_flight", 1.8),
    _at_least_ratio(r"send_2_ranks_hand-off_beside_dask", 3.5),
    _at_least_ratio(r"send_2_ranks_memory", 0.8),
    _at_least_ratio(r"send_2_ranks_memory_beside_ray", 2),
    Goal("histogram_by_post_beside_ygm", AT_LEAST, "4 x", _over("shm", _of_baseline(4))),
    Goal("histogram_by_post_beside_ygm", AT_LEAST, "1.5 x", _over("mpi", _of_baseline(1.5))),
    Goal("histogram_by_atomics", AT_LEAST, "30 M/s", _over("mpi", lambda _: 30.0)),
    Goal("index_gather_by_then", AT_LEAST, "40 M/s", _over("shm", lambda _: 40.0)),
    Goal("index_gather_by_reads", AT_LEAST, "60 M/s", _over("shm", lambda _: 60.0)),
    _at_least_ratio("map_insert_beside_ygm", 2),
    Goal("tree_search_beside_one_rank", AT_LEAST, "0.97 x", _over("shm", _of_baseline(0.97))),
    Goal("(stencil|transpose)_beside_mpi", AT_LEAST, "MPI / 1.02", _of_baseline(1 / 1.02)),
    Goal("memory_client", AT_MOST, "64 MiB", lambda _: 64.0),
    Goal("memory_front_end", AT_MOST, "16 MiB", lambda _: 16.0),
    Goal("memory_rank", AT_MOST, "32 MiB", lambda _: 32.0),
)


def add_goal(row: Row, goals: Iterable[Goal] = GOALS) -> Row:
    """`row` with `goal`, `goal_is`, `goal_text` and `ok`, if it has a value and a goal."""
    if row["value"] is None:
        return row
    for goal in goals:
        if not re.fullmatch(goal.pattern, row["name"]):
            continue
        limit = goal.limit(row)
        if limit is None:
            continue
        reached = row["value"] <= limit if goal.goal_is == AT_MOST else row["value"] >= limit
        return row | {
            "goal": limit, "goal_is": goal.goal_is, "goal_text": goal.text, "ok": reached
        }  # fmt: skip
    return row
