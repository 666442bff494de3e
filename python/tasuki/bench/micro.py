"""`tasuki bench micro`: single operations, each beside its baseline in the same run."""

import json
from pathlib import Path
from typing import Any

from tasuki.errors import CommandError, NativeError
from tasuki.jobs import Job, run_job
from tasuki.launcher.mpiexec import MPIS, find_mpiexec, mpiexec_of
from tasuki.native import find_native, require_native
from tasuki.report import Row, envelope, print_json, print_table, result

PROGRAM = "bench_micro"
GOAL_TESTS = {
    "at_most": lambda value, goal: value <= goal,
    "at_least": lambda value, goal: value >= goal,
}
GOAL_SIGNS = {"at_most": "<=", "at_least": ">="}


def bench_micro(ranks: int, mpi: str, transport: str, as_json: bool) -> None:
    """Measures and prints all micro benchmarks.

    `mpi` says which MPI gives the baselines: ompi, mpich, none, or auto (one that this build and
    this machine have, or none).
    """
    program, kind = choose_program(mpi)
    if transport == "mpi" and kind == "none":
        raise CommandError("bench micro", "--transport mpi needs an MPI", "add --mpi ompi or mpich")
    job = Job(program, ("--json",), ranks, transport, kind)
    outcome = run_job(job)
    if outcome.exit_code != 0:
        raise NativeError(outcome.stderr, outcome.exit_code)
    rows = parse_rows(outcome.stdout)
    if as_json:
        print_json(envelope("bench micro", rows, ranks=ranks, transport=transport))
    else:
        _print(rows, ranks, transport)


def choose_program(mpi: str) -> tuple[Path, str]:
    """The program and the MPI of its baselines ("none": without)."""
    if mpi == "none":
        return require_native("bench micro", PROGRAM), "none"
    if mpi != "auto":
        find_mpiexec(mpi)
        return require_native("bench micro", f"{PROGRAM}_{mpi}"), mpi
    for kind in MPIS:
        program = find_native(f"{PROGRAM}_{kind}")
        if program is not None and mpiexec_of(kind) is not None:
            return program, kind
    return require_native("bench micro", PROGRAM), "none"


def parse_rows(stdout: str) -> list[Row]:
    """Rows from a JSON array, or from JSON objects one a line; `ok` is added where a goal is."""
    text = stdout.strip()
    found: list[dict[str, Any]] = (
        json.loads(text)
        if text.startswith("[")
        else [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    )
    return [_complete(row) for row in found]


def _complete(row: dict[str, Any]) -> Row:
    complete = result(row["name"], row["value"], row["unit"]) | row
    if complete["ratio"] is None and complete["baseline_value"]:
        complete["ratio"] = complete["value"] / complete["baseline_value"]
    if complete.get("goal") is not None:
        complete["ok"] = GOAL_TESTS[complete["goal_is"]](complete["value"], complete["goal"])
    return complete


def _print(rows: list[Row], ranks: int, transport: str) -> None:
    columns = ("name", "level", "value", "unit", "spread", "baseline", "baseline value", "ratio",
               "goal", "ok")  # fmt: skip
    print_table(
        f"Micro benchmarks, {ranks} ranks over {transport}",
        columns,
        [
            (
                row["name"],
                row.get("level"),
                row["value"],
                row["unit"],
                row["spread"],
                row["baseline"] or "",
                row["baseline_value"],
                row["ratio"],
                _goal(row),
                row.get("ok"),
            )
            for row in rows
        ],
    )


def _goal(row: Row) -> str:
    if row.get("goal") is None:
        return ""
    return f"{GOAL_SIGNS[row['goal_is']]} {row['goal']:.4g}"
