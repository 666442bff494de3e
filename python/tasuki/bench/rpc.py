"""`tasuki bench rpc`: calls of a server's routines, beside bare connections and other systems."""

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from tasuki.base.programs import DATA, require_program
from tasuki.bench.baselines import solution, spread
from tasuki.bench.goals import add_goal
from tasuki.bench.own_network import congestion_control
from tasuki.bench.raw_sockets import RawSockets
from tasuki.bench.rpc_peer import RpcPeer, peers_here
from tasuki.idl.parser import parse_file
from tasuki.idl.registration import Registration
from tasuki.measurement.jobs import run_command
from tasuki.measurement.peak_memory import PeakMemory, processes_of
from tasuki.output.progress import stepping
from tasuki.output.report import Row, envelope, print_json, print_table, result
from tasuki.rpc.address import url_of
from tasuki.rpc.client import connect
from tasuki.rpc.errors import CallError
from tasuki.rpc.programs import Launch, ServedProgram
from tasuki.rpc.serving import FrontEnd

PROGRAM = "rpc_transfer_routines"
CALLS = 200  # In a batch.
COLUMNS = 8192  # Of the matrix, in float64.
# By which ways a matrix goes -> beside what.
MODES = {
    "memory": ("copy", "ray"),
    "hand-off": ("tcp", "buffering", "flight", "dask"),
    "buffering": ("tcp",),
    "original": ("tcp",),
}

Samples = dict[str, list[float]]  # Seconds, by what was measured.


class RpcRun(NamedTuple):
    """What to measure: a matrix of so many bytes to and from so many ranks, and a large one once
    each way.

    A `large_bytes` of 0 leaves that out.
    """

    ranks: int
    matrix_bytes: int
    large_bytes: int
    repetitions: int


def bench_rpc(run: RpcRun, as_json: bool) -> None:
    """Serves routines that compute nothing, and measures calls of them."""
    rows = [result("congestion_control", congestion_control(), "")]
    with stepping(6, "bench rpc", "calls beside bare connections") as begin_step:
        ranks_of_calls = tuple(dict.fromkeys((1, run.ranks)))
        # Before other systems run, whose idle processes poll.
        begin_step("small calls from C++")
        for ranks in ranks_of_calls:
            with _serving(ranks) as front_end:
                rows += _small_calls_cpp(front_end.port, ranks, run.repetitions)
        begin_step("small calls from Python")
        for ranks in ranks_of_calls:
            with _serving(ranks) as front_end:
                rows += _small_calls(front_end.port, ranks, run.repetitions)
        begin_step("start of other systems")
        with peers_here(run.matrix_bytes, run.ranks) as peers:
            begin_step("small calls beside theirs")
            for ranks in ranks_of_calls if peers else ():
                with _serving(ranks) as front_end:
                    rows += _small_calls_beside(front_end.port, ranks, run.repetitions, peers)
            begin_step(f"{run.matrix_bytes >> 20} MiB")
            with _serving(run.ranks) as front_end:
                rows += _matrices(front_end.port, run, peers)
                rows += _other_order(front_end.port, run)
                rows += _memory(front_end, run)
        if run.large_bytes > 0:
            begin_step(f"{run.large_bytes >> 20} MiB")
            with _serving(run.ranks) as front_end:
                rows += _large(front_end.port, run)
    rows = [add_goal(row) for row in rows]
    if as_json:
        print_json(envelope("bench rpc", rows, ranks=None, transport=None))
        return
    print_table(
        "Calls beside bare connections over TCP, copies and other systems, on this machine",
        ("what", "value", "unit", "beside", "its value", "ratio", "spread", "goal", "reached"),
        [_shown(row) for row in rows],
    )


def _shown(row: Row) -> list[object]:
    shown = ("value", "unit", "baseline", "baseline_value", "ratio", "spread")
    reached = {True: "yes", False: "NO", None: None}[row.get("ok")]
    name = row["name"].partition("_beside_")[0]
    return [name, *(row[field] for field in shown), row.get("goal_text"), reached]


@contextmanager
def _serving(ranks: int) -> Iterator[FrontEnd]:
    file = DATA / "bench" / "transfer.idl"
    program = require_program("bench rpc", PROGRAM)
    served = ServedProgram(Registration(parse_file(file), program, "tasuki"), file)
    with FrontEnd([served], Launch(ranks), 0) as front_end:
        yield front_end


def _small_calls_cpp(port: int, ranks: int, repetitions: int) -> Iterator[Row]:
    program = require_program("bench rpc", "rpc_round_trips")
    command = [str(program), str(port), str(repetitions), str(CALLS)]
    rounds: list[dict[str, float]] = solution(run_command(command, None, {}))["rounds"]
    samples = {key: [one[key] for one in rounds] for key in ("call", "bare")}
    yield _row(f"call_{ranks}_ranks_cpp", "us", samples, ("call", "bare"), _us, "tcp")


def _small_calls(port: int, ranks: int, repetitions: int) -> Iterator[Row]:
    with RawSockets(1, 0) as raw:
        measures = {
            "call": _small_call(port),
            "tcp": lambda: statistics.fmean(raw.round_trip_s() for _ in range(CALLS)),
        }
        samples = _measured(measures, repetitions)
    yield _row(f"call_{ranks}_ranks_python", "us", samples, ("call", "tcp"), _us, "tcp")


def _small_calls_beside(
    port: int, ranks: int, repetitions: int, peers: Sequence[RpcPeer]
) -> Iterator[Row]:
    measures = {"call": _small_call(port), **{one.name: one.call_s for one in peers}}
    samples = _measured(measures, repetitions)
    for one in peers:
        pair = ("call", one.name)
        yield _beside(_row(f"call_{ranks}_ranks_python", "us", samples, pair, _us, one.name))


def _small_call(port: int) -> Callable[[], float]:
    """Gives the mean seconds of a batch of calls."""
    nothing = connect(url_of("localhost", port)).transfer.nothing
    nothing(1)
    return lambda: statistics.fmean(_seconds(nothing, 1) for _ in range(CALLS))


def _matrices(port: int, run: RpcRun, peers: Sequence[RpcPeer]) -> list[Row]:
    matrix, back = np.ones((2, _rows_count(run, run.matrix_bytes), COLUMNS))

    def gb_per_s(seconds: float) -> float:
        return matrix.nbytes / seconds * 1e-9

    with RawSockets(run.ranks, matrix.nbytes // run.ranks) as raw:
        measures: dict[str, Callable[[], float]] = {
            "copy": lambda: _seconds(np.copyto, back, matrix),
            "tcp": lambda: raw.send_s(matrix),
            **{one.name: one.send_s for one in peers},
        }
        modes = [mode for mode in MODES if _add_mode(measures, port, mode, (matrix, back))]
        samples = _measured(measures, run.repetitions)
    rows = []
    for mode in modes:
        for way in ("send", "return"):
            name = f"{way}_{run.ranks}_ranks_{mode}"
            bare, *others = MODES[mode]
            rows.append(_row(name, "GB/s", samples, (f"{way} {mode}", bare), gb_per_s, bare))
            for other in others:
                key = f"{way} {other}" if other in MODES else other
                if key in samples and (other in MODES or way == "send"):
                    pair = (f"{way} {mode}", key)
                    rows.append(_beside(_row(name, "GB/s", samples, pair, gb_per_s, other)))
    return rows


def _add_mode(
    measures: dict[str, Callable[[], float]],
    port: int,
    mode: str,
    arrays: tuple[np.ndarray, np.ndarray],
) -> bool:
    """Returns whether calls go by this mode here."""
    matrix, back = arrays
    transfer = connect(url_of("localhost", port), mode).transfer

    def again(work: Callable[..., Any], *arguments: Any) -> float:
        # The ranks are leased to another mode's client at first, and their memory is not mapped.
        work(*arguments)
        return _seconds(work, *arguments)

    try:
        transfer.take(matrix)
    except CallError as fault:
        print(f"tasuki: bench rpc: {mode} is left out: {fault}", file=sys.stderr)
        return False
    measures[f"send {mode}"] = lambda: again(transfer.take, matrix)
    measures[f"return {mode}"] = lambda: again(_give, transfer, back)
    return True


def _other_order(port: int, run: RpcRun) -> Iterator[Row]:
    """A matrix whose order in memory is not that of the ranks' blocks, beside one whose is."""
    rows_count = _rows_count(run, run.matrix_bytes)
    matrix, turned = np.ones((rows_count, COLUMNS)), np.ones((rows_count, COLUMNS), order="F")
    transfer = connect(url_of("localhost", port), "hand-off").transfer
    measures: dict[str, Callable[[], float]] = {
        "send": lambda: _seconds(transfer.take, matrix),
        "send turned": lambda: _seconds(transfer.take, turned),
        "return": lambda: _seconds(_give, transfer, matrix),
        "return turned": lambda: _seconds(_give, transfer, turned),
    }
    for work in measures.values():
        work()  # The ranks' memory is mapped by the first one.
    samples = _measured(measures, run.repetitions)
    for way in ("send", "return"):
        name = f"{way}_{run.ranks}_ranks_hand-off_other_order"
        pair = (f"{way} turned", way)
        yield _row(name, "GB/s", samples, pair, lambda s: matrix.nbytes / s * 1e-9, "hand-off")


def _give(transfer: Any, into: np.ndarray) -> None:
    transfer.give(len(into), COLUMNS, out={"a": into})


def _memory(front_end: FrontEnd, run: RpcRun) -> Iterator[Row]:
    """What each process needs in addition, while a matrix is handed off."""
    matrix = np.ones((_rows_count(run, run.matrix_bytes), COLUMNS))
    transfer = connect(url_of("localhost", front_end.port), "hand-off").transfer
    transfer.take(matrix[:1])
    pids = {
        "client": [os.getpid()],
        "front_end": [front_end.pid],
        "rank": processes_of(front_end.pid, PROGRAM),
    }
    peaks = {name: PeakMemory(some) for name, some in pids.items()}
    transfer.take(matrix)
    for name, peak in peaks.items():
        own_bytes = matrix.nbytes // run.ranks if name == "rank" else 0
        extra_bytes = max(peak.extra_bytes()) - own_bytes
        yield result(f"memory_{name}", max(0, extra_bytes) / 2**20, "MiB")


def _large(port: int, run: RpcRun) -> Iterator[Row]:
    """An array that is longer than 32-bit sizes tell, once each way, and whether it has arrived."""
    matrix = _numbers(_rows_count(run, run.large_bytes))
    wanted = [part.sum() for part in np.split(matrix, run.ranks)]
    transfer = connect(url_of("localhost", port), "hand-off").transfer
    name = f"{run.ranks}_ranks_hand-off_large"

    def row(way: str, seconds: float) -> Row:
        gb_per_s = matrix.nbytes / seconds * 1e-9
        return result(f"{way}_{name}", gb_per_s, "GB/s", bytes=matrix.nbytes)

    start = time.perf_counter()
    sums = transfer.sums(matrix, run.ranks)
    yield row("send", time.perf_counter() - start)
    if not np.array_equal(sums, wanted):
        raise CallError("bench rpc", f"the ranks have summed up {sums}, not {wanted}", "report it")
    matrix.fill(0)
    start = time.perf_counter()
    transfer.numbers(len(matrix), COLUMNS, out={"a": matrix})
    yield row("return", time.perf_counter() - start)
    if not np.array_equal(matrix, _numbers(len(matrix))):
        raise CallError("bench rpc", "other numbers have come back", "report it")


def _numbers(rows_count: int) -> np.ndarray:
    """As the ranks make them."""
    numbers = np.empty((rows_count, COLUMNS))
    numbers[:] = np.arange(rows_count)[:, np.newaxis] % 1021
    numbers += np.arange(COLUMNS) % 7
    return numbers


def _rows_count(run: RpcRun, whole_bytes: int) -> int:
    """Of the matrix: as many on each rank."""
    return max(1, whole_bytes // (8 * COLUMNS * run.ranks)) * run.ranks


def _measured(measures: dict[str, Callable[[], float]], repetitions: int) -> Samples:
    """Seconds, measured in turn, so that all see the same noise."""
    samples: Samples = {name: [] for name in measures}
    for _ in range(repetitions):
        for name, measure in measures.items():
            samples[name].append(measure())
    return samples


def _seconds(work: Callable[..., Any], *arguments: Any) -> float:
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def _us(seconds: float) -> float:
    return seconds * 1e6


def _beside(row: Row) -> Row:
    """The row under a name that has what it stands beside."""
    return row | {"name": f"{row['name']}_beside_{row['baseline']}"}


def _row(
    name: str,
    unit: str,
    samples: Samples,
    keys: tuple[str, str],
    value_of: Callable[[float], float],
    baseline: str,
) -> Row:
    """Medians of two samples; the ratio is the median of those of each turn."""
    own, bare = ([value_of(one) for one in samples[key]] for key in keys)
    ratios = [one / other for one, other in zip(own, bare, strict=True)]
    return result(
        name, statistics.median(own), unit, spread=spread(own), repetitions=len(own),
        baseline=baseline, baseline_value=statistics.median(bare), ratio=statistics.median(ratios),
    )  # fmt: skip
