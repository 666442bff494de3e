"""`tasuki bench kernels`: kernels of irregular and regular programs over Tasuki, beside the same
over MPI and, where its headers are given, over YGM, interleaved in one run.

The programs are those of bench/kernels; each checks its result.
"""

import random
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tasuki.base.errors import CommandError, require_known
from tasuki.base.programs import find_program, require_program
from tasuki.bench.baselines import solution, spread
from tasuki.bench.goals import add_goal
from tasuki.bench.peers import YIELDING
from tasuki.bench.ygm import build_ygm, headers_of
from tasuki.launcher.mpiexec import MPIS, find_mpiexec, mpiexec_of
from tasuki.measurement.jobs import EXIT_TIMED_OUT, Job, run_job
from tasuki.measurement.race import time_of
from tasuki.output.place import is_oversubscribed, ranks_and_place
from tasuki.output.progress import stepping
from tasuki.output.report import Row, envelope, print_json, print_table, result

OPERATION = "bench kernels"
PROGRAM, MPI_PROGRAM = "kernels_tasuki", "kernels_mpi"
RUN_MOST_S = 300  # Of one run, which takes less than 10 s.
SIGNS = {"at_most": "<=", "at_least": ">="}
TABLE_DIGITS = 3  # Runs differ in the third.


class Kernel(NamedTuple):
    """`size` is what the programs are asked for, `quick_size` with --quick; `mpi` and `ygm` name
    the same kernel in these programs, "" if there is none. One that `is_spread` has a size of the
    whole, so that its efficiency is seen beside one rank."""

    name: str
    size: int
    quick_size: int
    mpi: str = ""
    ygm: str = ""
    is_spread: bool = False


KERNELS = {
    one.name: one
    for one in (
        Kernel("histogram_by_post", 16_000_000, 1000, "histogram", "histogram"),
        Kernel("histogram_by_atomics", 16_000_000, 1000, "histogram", "histogram"),
        Kernel("index_gather_by_then", 8_000_000, 1000, "index_gather", "index_gather"),
        Kernel("index_gather_by_reads", 8_000_000, 1000, "index_gather", "index_gather"),
        Kernel("permutation", 4_000_000, 1000),
        Kernel("topological_sort", 1_000_000, 1000),
        Kernel("triangles", 400_000, 100),
        Kernel("shortest_paths", 200_000, 1000),
        Kernel("map_insert", 4_000_000, 1000, ygm="map_insert"),
        Kernel("tree_search", 160_000, 20, is_spread=True),
        Kernel("transpose", 2000, 40, "transpose"),
        Kernel("stencil", 512, 16, "stencil"),
        Kernel("pipeline", 1_000_000, 100, "pipeline"),
    )
}


class KernelsRun(NamedTuple):
    """What to measure. `mpi` is ompi, mpich, none, or all that this build and this machine have;
    `kernels` empty: all. `ygm` is the folder of its headers or sources, if there is one."""

    ranks: int
    mpi: str
    kernels: Sequence[str]
    ygm: Path | None
    rounds: int
    seed: int
    is_quick: bool


class Contender(NamedTuple):
    """What takes turns: `library` is tasuki, one_rank (of Tasuki), mpi or ygm; `mpi` is the one
    that it uses, or ""."""

    library: str
    mpi: str

    @property
    def transport(self) -> str:
        return "mpi" if self.mpi else "shm"


class Sample(NamedTuple):
    """Of one run: operations of a rank in a second, and nanoseconds of a processor for one."""

    rate: float
    processor_ns: float


Samples = dict[Contender, list[Sample]]


def bench_kernels(run: KernelsRun, as_json: bool) -> None:
    require_known(OPERATION, "--kernel", run.kernels, KERNELS, "{} is no kernel")
    headers = None if run.ygm is None else headers_of(run.ygm)
    mpis = _mpis(run.mpi)
    kernels = [KERNELS[name] for name in dict.fromkeys(run.kernels or KERNELS)]
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="tasuki-kernels-") as folder:
        programs = _programs(mpis, headers, Path(folder))
        with stepping(len(kernels), OPERATION, "kernels") as begin_step:
            for kernel in kernels:
                begin_step(kernel.name)
                rows += _rows(run, kernel, _samples(run, kernel, programs))
    if as_json:
        print_json(envelope(OPERATION, rows, ranks=run.ranks, transport=None))
    else:
        _show(rows)


def _mpis(wanted: str) -> list[str]:
    if wanted == "all":
        return [one for one in MPIS if find_program(f"{MPI_PROGRAM}_{one}") and mpiexec_of(one)]
    return [] if wanted == "none" else [find_mpiexec(wanted)[0]]


def _programs(mpis: Sequence[str], headers: Path | None, folder: Path) -> dict[Contender, Path]:
    own = require_program(OPERATION, PROGRAM)
    programs = {Contender("tasuki", ""): own, Contender("one_rank", ""): own}
    for mpi in mpis:
        programs[Contender("tasuki", mpi)] = own
        programs[Contender("mpi", mpi)] = require_program(OPERATION, f"{MPI_PROGRAM}_{mpi}")
        if headers is not None:
            ygm = build_ygm(headers, find_mpiexec(mpi)[1], folder)
            programs[Contender("ygm", mpi)] = ygm
    return programs


def _samples(run: KernelsRun, kernel: Kernel, programs: dict[Contender, Path]) -> Samples:
    """One of each round; all take turns, in an order that is shuffled anew in each round."""
    alone = kernel.name if kernel.is_spread else ""
    words = {"tasuki": kernel.name, "one_rank": alone, "mpi": kernel.mpi, "ygm": kernel.ygm}
    samples: Samples = {one: [] for one in programs if words[one.library]}
    size = str(kernel.quick_size if run.is_quick else kernel.size)
    order = random.Random(run.seed)
    for _ in range(run.rounds):
        for one in order.sample(list(samples), len(samples)):
            ranks = 1 if one.library == "one_rank" else run.ranks
            outcome = run_job(
                _job(one, programs[one], (words[one.library], size), ranks), RUN_MOST_S
            )
            if outcome.exit_code == EXIT_TIMED_OUT:
                raise _not_ended(kernel, one)
            found = solution(outcome)
            operations = found["operations"]
            processor_ns = found["processor_seconds"] / operations * 1e9
            samples[one].append(Sample(operations / ranks / found["seconds"], processor_ns))
    return samples


def _not_ended(kernel: Kernel, one: Contender) -> CommandError:
    what = f"{kernel.name} of {one.library}" + (f" over {one.mpi}" if one.mpi else "")
    remedy = "measure the other kernels by --kernel, and report this one"
    return CommandError(OPERATION, f"{what} has not ended within {RUN_MOST_S} s", remedy)


def _job(one: Contender, program: Path, arguments: Sequence[str], ranks: int) -> Job:
    """Tasuki's ranks are without node memory over MPI: they use what the MPI gives."""
    is_shared = is_oversubscribed(ranks) and one.library in ("mpi", "ygm")
    environment = YIELDING[one.mpi] if is_shared else {}
    mpi = one.mpi or "auto"
    return Job(program, arguments, ranks, one.transport, mpi, False, environment)


def _rows(run: KernelsRun, kernel: Kernel, samples: Samples) -> list[Row]:
    """Of each way of Tasuki's messages one row, and one for each baseline."""
    rows = list(_rows_of(kernel.name, samples, run.ranks))
    return [add_goal(row) for row in rows] if run.ranks == 2 and not run.is_quick else rows


def _rows_of(name: str, samples: Samples, ranks: int) -> Iterator[Row]:
    for own, own_samples in samples.items():
        if own.library != "tasuki":
            continue
        own_rates = [one.rate for one in own_samples]
        value = statistics.median(own_rates) / 1e6
        fields = {
            "spread": spread(own_rates), "repetitions": len(own_rates), "kernel": name,
            "transport": own.transport, "ranks": ranks, "processor_ns": _processor_ns(own_samples),
        }  # fmt: skip
        yield result(name, value, "M/s", **fields, mpi=own.mpi or None)
        for other, other_samples in samples.items():
            if other.library == "tasuki" or (own.mpi and own.mpi != other.mpi):
                continue
            other_rates = [one.rate for one in other_samples]
            ratio = time_of([a / b for a, b in zip(own_rates, other_rates, strict=True)])
            yield result(
                f"{name}_beside_{other.library}", value, "M/s", **fields, mpi=other.mpi or None,
                baseline=other.library, baseline_value=statistics.median(other_rates) / 1e6,
                baseline_processor_ns=_processor_ns(other_samples),
                ratio=ratio.median, ratio_low=ratio.low, ratio_high=ratio.high,
            )  # fmt: skip


def _processor_ns(samples: Sequence[Sample]) -> float:
    return statistics.median(one.processor_ns for one in samples)


def _show(rows: Sequence[Row]) -> None:
    for name in dict.fromkeys(row["kernel"] for row in rows):
        print_table(*_table([row for row in rows if row["kernel"] == name]), digits=TABLE_DIGITS)


def _table(rows: Sequence[Row]) -> tuple[str, Sequence[str], list[tuple[object, ...]]]:
    """Title, columns and cells of one kernel's table, which fits a line of TEXT_COLUMNS."""
    name, ranks = rows[0]["kernel"], rows[0]["ranks"]
    return (
        f"{name}, 10^6 operations of a rank in a second, {ranks_and_place(ranks)}",
        ("over", "Tasuki", "spread", "CPU ns", "beside", "its", "CPU ns", "ratio", "from", "to",
         "goal", "ok"),
        [_cells(row) for row in rows],
    )  # fmt: skip


def _cells(row: Row) -> tuple[object, ...]:
    goal = f"{SIGNS[row['goal_is']]} {row['goal_text']}" if "goal" in row else ""
    return (
        row["mpi"] if row["transport"] == "mpi" else row["transport"], row["value"],
        "" if row["spread"] is None else f"{row['spread']:.0%}", row["processor_ns"],
        _beside(row), row["baseline_value"], row.get("baseline_processor_ns"),
        *map(_short, (row["ratio"], row.get("ratio_low"), row.get("ratio_high"))), goal,
        row.get("ok"),
    )  # fmt: skip


def _short(ratio: float | None) -> float | None:
    """As wide below 0.1 as above."""
    return None if ratio is None else round(ratio, TABLE_DIGITS)


def _beside(row: Row) -> str:
    """What the baseline is: an MPI by its name, and what uses another than this row by both."""
    if row["baseline"] is None:
        return ""
    if row["baseline"] == "mpi":
        return str(row["mpi"])
    if row["mpi"] and row["transport"] != "mpi":
        return f"{row['baseline']}/{row['mpi']}"
    return str(row["baseline"])
