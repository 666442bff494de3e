"""`tasuki bench rpc`: calls of a server's routines beside bare connections of the same run."""

import statistics
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
from tasuki.rpc.programs import Launch, ServedProgram
from tasuki.rpc.serving import FrontEnd

CALLS = 200  # In a batch.
COLUMNS = 8192  # Of the matrix, in float64.


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
        "Calls beside bare connections over TCP, on this machine",
        ("what", "value", "unit", "bare", "ratio", "spread"),
        [
            [row[field] for field in ("name", "value", "unit", "baseline_value", "ratio", "spread")]
            for row in rows
        ],
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
    matrix = np.ones((rows_count, COLUMNS))
    back = np.ones_like(matrix)
    transfer = connect(url_of("localhost", port)).transfer
    sent, returned = [], []

    def give() -> Any:
        return transfer.give(rows_count, COLUMNS, out={"a": back})

    with RawSockets(run.ranks, matrix.nbytes // run.ranks) as raw:
        for warm in (raw.send_s, transfer.take):
            warm(matrix)
        give()
        for _ in range(run.repetitions):
            bare_s = raw.send_s(matrix)
            sent.append({"bare": bare_s, "call": _seconds(transfer.take, matrix)})
            returned.append({"bare": bare_s, "call": _seconds(give)})
    return [
        _row(f"{name}_{run.ranks}_ranks", "GB/s", samples, lambda s: matrix.nbytes / s * 1e-9)
        for name, samples in (("send", sent), ("return", returned))
    ]


def _seconds(work: Callable[..., Any], *arguments: Any) -> float:
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def _row(
    name: str, unit: str, samples: list[dict[str, float]], value_of: Callable[[float], float]
) -> Row:
    """Medians; the ratio is that of the two values, measured in turn."""
    own = [value_of(one["call"]) for one in samples]
    bare = [value_of(one["bare"]) for one in samples]
    ratios = [value_of(one["call"]) / value_of(one["bare"]) for one in samples]
    return result(
        name, statistics.median(own), unit, spread=spread(own), repetitions=len(own),
        baseline="tcp", baseline_value=statistics.median(bare), ratio=statistics.median(ratios),
    )  # fmt: skip
