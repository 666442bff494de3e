"""`tasuki bench micro`: single operations, each beside its baseline in the same run."""

import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.base.errors import CommandError, ProgramError, usage_error
from tasuki.base.programs import BUILD, BUILD_WITH_MPI, require_program
from tasuki.bench.baselines import mpi_of_baseline
from tasuki.bench.goals import add_goal
from tasuki.bench.micro_over_ucx import RANKS, rows_over_ucx
from tasuki.launcher.job_file import JobFile
from tasuki.launcher.mpiexec import find_mpiexec
from tasuki.measurement.jobs import Job, run_job
from tasuki.output.report import Row, envelope, print_json, print_table, result

PROGRAM = "bench_micro"
SHM_RANK = Path(__file__).with_name("shm_rank.sh")
GOAL_SIGNS = {"at_most": "<=", "at_least": ">="}


class MicroRun(NamedTuple):
    """What to measure. `mpi` gives the baselines: ompi, mpich, none, or auto (one that this build
    and this machine have, or none). `only` is a prefix of names; "" is all."""

    ranks: int
    transport: str
    mpi: str
    only: str


def bench_micro(run: MicroRun, as_json: bool) -> None:
    """Measures and prints the micro benchmarks, and the streams over MPI where there is one; over
    UCX those that ucx_perftest has too."""
    rows = _rows_over_ucx(run) if run.transport == "ucx" else _rows(run)
    if run.only and not rows:
        raise CommandError(
            "bench micro",
            f"--only {run.only}: no results: no name begins so",
            "see the names without --only",
        )
    if as_json:
        print_json(envelope("bench micro", rows, ranks=run.ranks, transport=run.transport))
    else:
        _print(rows, run)


def _rows(run: MicroRun) -> list[Row]:
    program, kind = choose_program(run.mpi)
    rows: list[Row] = []
    if run.transport == "shm":
        rows += _measure(_shm_job(program, kind, run), run)
    elif kind == "none":
        raise usage_error("bench micro", "--transport mpi needs an MPI", BUILD_WITH_MPI)
    else:
        rows += _measure(Job(program, _arguments("shm", run), run.ranks, "mpi", kind, False), run)
    if kind != "none":
        job = Job(program, _arguments("stream", run), run.ranks, "mpi", kind, node_shm=False)
        rows += _measure(job, run)
    return rows


def _rows_over_ucx(run: MicroRun) -> list[Row]:
    if run.ranks != RANKS:
        raise usage_error(
            "bench micro", f"--transport ucx is measured with {RANKS} ranks", "leave -n out"
        )
    program = require_program("bench micro", PROGRAM)
    rows = rows_over_ucx(program, run.only, lambda job: _measure(job, run))
    return [add_goal(row) for row in rows]


def choose_program(mpi: str) -> tuple[Path, str]:
    """The program and the MPI of its baselines ("none": without)."""
    kind = mpi_of_baseline(mpi, PROGRAM)
    if kind == "none":
        return require_program("bench micro", PROGRAM), kind
    find_mpiexec(kind)
    return require_program("bench micro", f"{PROGRAM}_{kind}", BUILD_WITH_MPI), kind


def _arguments(suite: str, run: MicroRun) -> tuple[str, ...]:
    return ("--suite", suite, *(("--only", run.only) if run.only else ()))


def _shm_job(program: Path, kind: str, run: MicroRun) -> Job:
    """Without MPI a plain job; else mpiexec starts the ranks, so that they have both."""
    arguments = _arguments("shm", run)
    if kind == "none":
        return Job(program, arguments, run.ranks)
    job_file = JobFile(os.environ.get("TASUKI_SHM_BACKING") or "auto")
    place = (str(os.getpid()), str(job_file.fd), job_file.identity, str(run.ranks))
    return Job(SHM_RANK, (*place, str(program), *arguments), run.ranks, "mpi", kind)


def _measure(job: Job, run: MicroRun) -> list[Row]:
    outcome = run_job(job)
    if outcome.exit_code != 0:
        raise ProgramError(outcome.stderr, outcome.exit_code)
    return parse_rows(outcome.stdout, run.ranks)


def parse_rows(stdout: str, ranks: int) -> list[Row]:
    """The rows of the JSON array that the program prints; goals are for two ranks."""
    try:
        found: list[dict[str, Any]] = json.loads(stdout)
    except ValueError as failure:
        raise CommandError(
            "bench micro", f"the program printed no rows but {stdout[:80]!r}", BUILD
        ) from failure
    rows = [result(row["name"], row["value"], row["unit"]) | row for row in found]
    return [add_goal(row) for row in rows] if ranks == 2 else rows


def _print(rows: list[Row], run: MicroRun) -> None:
    columns = ("name", "level", "value", "unit", "spread", "baseline", "value", "ratio", "goal",
               "ok")  # fmt: skip
    print_table(
        f"Micro benchmarks over {run.transport}, ranks: {run.ranks}",
        columns,
        [
            (
                row["name"],
                row.get("level"),
                row["value"],
                row["unit"],
                "" if row["spread"] is None else f"{row['spread']:.0%}",
                row["baseline"] or "",
                row["baseline_value"],
                row["ratio"],
                _goal(row),
                row.get("ok"),
            )
            for row in rows
        ],
    )
    for row in rows:
        if row["value"] is None:
            sys.stdout.write(f"{row['name']} could not be measured: {row['missing']}.\n")
    for why in dict.fromkeys(row.get("missing_baseline") for row in rows):
        if why is not None:
            sys.stdout.write(f"Without a baseline: {why}.\n")


def _goal(row: Row) -> str:
    if "goal" not in row:
        return ""
    return f"{GOAL_SIGNS[row['goal_is']]} {row['goal']:.4g} ({row['goal_text']})"
