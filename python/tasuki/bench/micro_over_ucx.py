"""`tasuki bench micro --transport ucx`: operations over UCX, each beside ucx_perftest, in turn."""

import statistics
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tasuki.bench.baselines import spread
from tasuki.bench.ucx_perftest import (
    BANDWIDTH,
    LATENCY,
    MISSING,
    PerfTest,
    find_perftest,
    run_perftest,
)
from tasuki.measurement.jobs import Job
from tasuki.measurement.over_tcp import ucx_over_tcp
from tasuki.output.progress import stepping
from tasuki.output.report import Row, result

OPERATION = "bench micro"
ROUNDS = 5
RANKS = 2  # As many as ucx_perftest has.
_WORD_BYTES = 8
_STREAM_BYTES = {"4KB": 4096, "64KB": 65536, "1MB": 1 << 20}
_STREAM_ITERATIONS = {4096: 20_000, 65536: 2000, 1 << 20: 200}
# Over TCP each get takes a millisecond.
_GET_ITERATIONS = 300
_ONE_AT_A_TIME = ("-O", "1")


class Pair(NamedTuple):
    """A row: its name, what bench_micro measures of which suite, and beside which test."""

    name: str
    measured: str
    suite: str
    test: PerfTest


def _latency(name: str, test: str, iterations: int, *arguments: str) -> Pair:
    return Pair(name, name, "shm", PerfTest(test, _WORD_BYTES, iterations, LATENCY, arguments))


def _streams(ending: str, test: str) -> list[Pair]:
    return [
        Pair(
            f"ucx_write_{size}{ending}",
            f"ucx_write_{size}",
            "stream",
            PerfTest(test, size_bytes, _STREAM_ITERATIONS[size_bytes], BANDWIDTH),
        )
        for size, size_bytes in _STREAM_BYTES.items()
    ]


PAIRS = (
    _latency("message_8B", "ucp_am_lat", 20_000),
    _latency("put_8B", "ucp_put_lat", 20_000),
    _latency("get_8B", "ucp_get", _GET_ITERATIONS, *_ONE_AT_A_TIME),
    _latency("atomic_8B", "ucp_fadd", 20_000, *_ONE_AT_A_TIME),
    *_streams("", "ucp_put_bw"),
    *_streams("_vs_messages", "ucp_am_bw"),
)


class Sample(NamedTuple):
    """Of one round; `beside` is None where there is no ucx_perftest. `row` is what the program has
    said of the measurement."""

    value: float
    beside: float | None
    row: Row


def rows_over_ucx(program: Path, only: str, measure: Callable[[Job], list[Row]]) -> list[Row]:
    """Those whose names begin with `only`; `measure` runs a job and gives the rows it prints."""
    pairs = [pair for pair in PAIRS if pair.name.startswith(only)]
    perftest = find_perftest()
    samples: dict[Pair, list[Sample]] = {pair: [] for pair in pairs}
    with stepping(ROUNDS * len(pairs), OPERATION, "operations over UCX") as begin_step:
        for _ in range(ROUNDS):
            for pair in pairs:
                begin_step(pair.name)
                samples[pair].append(_sample(program, pair, perftest, measure))
    return [_row(pair, samples[pair]) for pair in pairs]


def _sample(
    program: Path, pair: Pair, perftest: str | None, measure: Callable[[Job], list[Row]]
) -> Sample:
    arguments = ("--suite", pair.suite, "--only", pair.measured)
    job = Job(program, arguments, RANKS, "ucx", node_shm=False, environment=ucx_over_tcp())
    row = next(row for row in measure(job) if row["name"] == pair.measured)
    beside = None if perftest is None else run_perftest(perftest, pair.test, ucx_over_tcp())
    return Sample(row["value"], beside, row)


def _row(pair: Pair, samples: list[Sample]) -> Row:
    values = [sample.value for sample in samples]
    row = result(
        pair.name,
        statistics.median(values),
        samples[0].row["unit"],
        spread=spread(values),
        repetitions=len(values),
        **{key: samples[0].row[key] for key in ("size_bytes",) if key in samples[0].row},
    )
    beside = [sample.beside for sample in samples if sample.beside is not None]
    if not beside:
        return row | {"missing_baseline": MISSING}
    ratios = (value / its for value, its in zip(values, beside, strict=True))
    return row | {
        "baseline": pair.test.title,
        "baseline_value": statistics.median(beside),
        "ratio": statistics.median(ratios),
    }
