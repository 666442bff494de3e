"""`tasuki bench rpc`: calls of a server's routines beside bare connections of the same run."""

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tasuki.base.programs import DATA, require_program
from tasuki.bench.baselines import solution, spread
from tasuki.bench.raw_sockets import RawSockets
from tasuki.idl.parser import parse_file
from tasuki.idl.registration import Registration
from tasuki.measurement.jobs import run_command
from tasuki.output.progress import stepping
from tasuki.output.report import Row, envelope, print_json, print_table, result
from tasuki.rpc.address import url_of
from tasuki.rpc.client import connect
from tasuki.rpc.errors import CallError
from tasuki.rpc.programs import Launch, ServedProgram
from tasuki.rpc.remote_module import RemoteModule
from tasuki.rpc.serving import FrontEnd

SHOWN = ("name", "value", "unit", "baseline", "baseline_value", "ratio", "spread")
CALLS = 200  # In a batch.
COLUMNS = 8192  # Of the matrix, in float64.
# By which ways a matrix goes -> beside what.
MODES = {"memory": "copy", "hand-off": "tcp", "buffering": "tcp", "original": "tcp"}


class RpcRun(NamedTuple):
    """What to measure: a matrix of so many bytes to and from so many ranks."""

    ranks: int
    matrix_bytes: int
    repetitions: int


def bench_rpc(run: RpcRun, as_json: bool) -> None:
    """Serves routines that compute nothing, and measures calls of them."""
    file = DATA / "bench" / "transfer.idl"
    program = require_program("bench rpc", "rpc_transfer_routines")
    served = ServedProgram(Registration(parse_file(file), program, "tasuki"), file)
    rows = []
    with stepping(3, "bench rpc", "calls beside bare connections") as begin_step:
        for ranks in (1, run.ranks):
            begin_step(f"small calls of {ranks} ranks")
            with FrontEnd([served], Launch(ranks), 0) as front_end:
                rows += _small_calls(front_end.port, ranks, run.repetitions)
        begin_step(f"{run.matrix_bytes >> 20} MiB")
        with FrontEnd([served], Launch(run.ranks), 0) as front_end:
            rows += _matrices(front_end.port, run)
    if as_json:
        print_json(envelope("bench rpc", rows, ranks=None, transport=None))
        return
    print_table(
        "Calls beside bare connections over TCP and copies, on this machine",
        ("what", "value", "unit", "beside", "its value", "ratio", "spread"),
        [[row[field] for field in SHOWN] for row in rows],
    )


def _small_calls(port: int, ranks: int, repetitions: int) -> list[Row]:
    program = require_program("bench rpc", "rpc_round_trips")
    command = [str(program), str(port), str(repetitions), str(CALLS)]
    samples: list[dict[str, float]] = solution(run_command(command, None, {}))["rounds"]
    nothing = connect(url_of("localhost", port)).transfer.nothing
    nothing(1)
    in_python = []
    with RawSockets(1, 0) as raw:
        for _ in range(repetitions):
            bare_s = statistics.fmean(raw.round_trip_s() for _ in range(CALLS))
            call_s = statistics.fmean(_seconds(nothing, 1) for _ in range(CALLS))
            in_python.append({"bare": bare_s, "call": call_s})
    return [
        _row(f"call_{ranks}_ranks_cpp", "us", samples, lambda s: s * 1e6),
        _row(f"call_{ranks}_ranks_python", "us", in_python, lambda s: s * 1e6),
    ]


def _matrices(port: int, run: RpcRun) -> list[Row]:
    rows_count = max(run.ranks, run.matrix_bytes // (8 * COLUMNS))
    matrix, back = np.ones((2, rows_count, COLUMNS))
    rows = []
    with RawSockets(run.ranks, matrix.nbytes // run.ranks) as raw:
        baselines = {"tcp": raw.send_s, "copy": lambda data: _seconds(np.copyto, back, data)}
        for mode, baseline in MODES.items():
            transfer = connect(url_of("localhost", port), mode).transfer
            try:
                transfer.take(matrix)
            except CallError as fault:
                print(f"tasuki: bench rpc: {mode} is left out: {fault}", file=sys.stderr)
                continue
            rows += _by_mode(transfer, matrix, back, run, (mode, baseline, baselines[baseline]))
    return rows


def _by_mode(
    transfer: RemoteModule,
    matrix: np.ndarray,
    back: np.ndarray,
    run: RpcRun,
    way: tuple[str, str, Callable[[np.ndarray], float]],
) -> list[Row]:
    """Rows of a mode beside its baseline: mode, name of the baseline, its seconds."""
    mode, baseline, bare_s_of = way

    def give() -> Any:
        return transfer.give(len(matrix), COLUMNS, out={"a": back})

    sent, returned = [], []
    bare_s_of(matrix)
    give()
    for _ in range(run.repetitions):
        bare_s = bare_s_of(matrix)
        sent.append({"bare": bare_s, "call": _seconds(transfer.take, matrix)})
        returned.append({"bare": bare_s, "call": _seconds(give)})
    return [
        _row(
            f"{name}_{run.ranks}_ranks_{mode}", "GB/s", samples,
            lambda s: matrix.nbytes / s * 1e-9, baseline,
        )
        for name, samples in (("send", sent), ("return", returned))
    ]  # fmt: skip


def _seconds(work: Callable[..., Any], *arguments: Any) -> float:
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def _row(
    name: str,
    unit: str,
    samples: list[dict[str, float]],
    value_of: Callable[[float], float],
    baseline: str = "tcp",
) -> Row:
    """Medians; the ratio is that of the two values, measured in turn."""
    own = [value_of(one["call"]) for one in samples]
    bare = [value_of(one["bare"]) for one in samples]
    ratios = [value_of(one["call"]) / value_of(one["bare"]) for one in samples]
    return result(
        name, statistics.median(own), unit, spread=spread(own), repetitions=len(own),
        baseline=baseline, baseline_value=statistics.median(bare), ratio=statistics.median(ratios),
    )  # fmt: skip
