"""`tasuki bench scale`: what many ranks on this machine cost, beside the same ranks of MPI."""

import resource
import statistics
import time
from typing import NamedTuple

from tasuki.bench.baselines import Place, Problem, job_of, mpi_of_baseline, solution, spread
from tasuki.measurement.jobs import Job, run_job
from tasuki.output.progress import stepping
from tasuki.output.report import Row, envelope, print_json, print_table, result

SCALE_RANKS_MOST = 4096
UNITS = {"run": "s", "processor": "s", "barrier": "us", "memory_per_rank": "MB"}
TITLES = ("run, s", "processor, s", "barrier, us", "MB a rank")
RATIO_TITLES = ("run / MPI", "processor", "barrier", "memory")


class ScaleRun(NamedTuple):
    """What to measure. `mpi` gives the baseline: ompi, mpich, none, or auto (one that this build
    and this machine have, or none)."""

    ranks: list[int]
    barriers: int
    repetitions: int
    mpi: str


def bench_scale(run: ScaleRun, as_json: bool) -> None:
    """Runs a job of each number of ranks again and again, in turn with the baseline's."""
    mpi = mpi_of_baseline(run.mpi, "scale_mpi")
    rows = []
    with stepping(len(run.ranks), "bench scale", "jobs of many ranks") as begin_step:
        for ranks in run.ranks:
            begin_step(f"{ranks} ranks")
            rows += _rows(run, ranks, mpi)
    if as_json:
        print_json(envelope("bench scale", rows, ranks=None, transport="shm"))
    else:
        _print(run, rows, mpi)


def _rows(run: ScaleRun, ranks: int, mpi: str) -> list[Row]:
    """Those of one number of ranks; the implementations take turns."""
    arguments = ("--barriers", str(run.barriers))
    problem = Problem("bench scale", "scale", "scale", arguments, json_option=())
    names = ("tasuki",) if mpi == "none" else ("tasuki", "mpi")
    jobs = {name: job_of(problem, Place(ranks, name, mpi=mpi)) for name in names}
    samples: dict[str, list[dict[str, float | None]]] = {name: [] for name in jobs}
    for _ in range(run.repetitions):
        for name, job in jobs.items():
            samples[name].append(_sample(job))
    return [_row(ranks, name, samples) for name in UNITS]


def _sample(job: Job) -> dict[str, float | None]:
    """Runs it once; by name what was measured; None is what the system does not tell."""
    processor_s, start_s = _children_s(), time.monotonic()
    outcome = run_job(job)
    wall_s, processor_s = time.monotonic() - start_s, _children_s() - processor_s
    found = solution(outcome)
    memory = found["memory_bytes"]
    return {
        "run": wall_s - found["timed_seconds"],
        "processor": processor_s,
        "barrier": found["barrier_seconds"] * 1e6,
        "memory_per_rank": None if memory is None else memory / 1e6,
    }


def _children_s() -> float:
    """Processor time of all processes that this one has started and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _row(ranks: int, name: str, samples: dict[str, list[dict[str, float | None]]]) -> Row:
    values = {
        one: [value for sample in taken if (value := sample[name]) is not None]
        for one, taken in samples.items()
    }
    medians = {one: statistics.median(taken) for one, taken in values.items() if taken}
    own, baseline = medians.get("tasuki"), medians.get("mpi")
    beside = {}
    if own is not None and baseline:
        beside = {"baseline": "mpi", "baseline_value": baseline, "ratio": own / baseline}
    return result(
        name, own, UNITS[name], spread=spread(values["tasuki"]),
        repetitions=len(samples["tasuki"]), ranks=ranks, **beside,
    )  # fmt: skip


def _print(run: ScaleRun, rows: list[Row], mpi: str) -> None:
    columns = ["ranks", *TITLES]
    if mpi != "none":
        columns += RATIO_TITLES
    lines = []
    for ranks in run.ranks:
        chosen = [row for row in rows if row["ranks"] == ranks]
        ratios = [] if mpi == "none" else [row["ratio"] for row in chosen]
        lines.append((ranks, *(row["value"] for row in chosen), *ratios))
    beside = "" if mpi == "none" else f", beside {mpi}"
    print_table(f"Jobs of many ranks over shm{beside}, medians of {run.repetitions}",
                columns, lines)  # fmt: skip
