"""`tasuki bench npb`: the NAS Parallel Benchmarks over Tasuki, over MPI, or one beside the other.

Also what `tasuki reproduce` runs them with.
"""

import json
import statistics
from typing import Any, NamedTuple

from tasuki.errors import CommandError, NativeError
from tasuki.jobs import Job, Outcome, run_job
from tasuki.launcher.mpiexec import find_mpiexec
from tasuki.native import BUILD, BUILD_WITH_MPI, require_native
from tasuki.report import Row, envelope, print_json, print_table, result

KERNELS = ("cg", "is")
CLASSES = ("S", "W", "A", "B", "C")
IMPLEMENTATIONS = ("tasuki", "mpi", "both")


class NpbRun(NamedTuple):
    """One run of a kernel. `implementation` is tasuki or mpi; mpi always runs over MPI."""

    kernel: str
    problem_class: str
    ranks: int
    implementation: str = "tasuki"
    transport: str = "shm"
    mpi: str = "auto"
    node_shm: bool = True


def measure(run: NpbRun) -> dict[str, Any]:
    """The JSON object that the native program prints.

    Raises NativeError, with both values, if the answer is wrong or the job failed otherwise.
    """
    return solution(run_job(job_of(run)))


def solution(outcome: Outcome) -> dict[str, Any]:
    """What the ended program has printed; raises like `measure`."""
    if outcome.exit_code != 0:
        raise NativeError(outcome.stderr + _failed_check(outcome.stdout), outcome.exit_code)
    return _parse(outcome.stdout)


def job_of(run: NpbRun) -> Job:
    """Raises CommandError if this build has no such program."""
    transport = "mpi" if run.implementation == "mpi" else run.transport
    mpi = find_mpiexec(run.mpi)[0] if transport == "mpi" else run.mpi
    suffix = "tasuki" if run.implementation == "tasuki" else f"mpi_{mpi}"
    remedy = BUILD if suffix == "tasuki" else BUILD_WITH_MPI
    program = require_native("bench npb", f"npb_{run.kernel}_{suffix}", remedy)
    arguments = ("--class", run.problem_class, "--json")
    return Job(program, arguments, run.ranks, transport, mpi, run.node_shm)


def bench_npb(run: NpbRun, repetitions: int, as_json: bool) -> None:
    """Measures and prints `run`; implementation "both" alternates Tasuki and its MPI twin."""
    both = run.implementation == "both"
    implementations = ("tasuki", "mpi") if both else (run.implementation,)
    objects: dict[str, list[dict[str, Any]]] = {name: [] for name in implementations}
    for _ in range(repetitions):
        for name in implementations:
            objects[name].append(measure(run._replace(implementation=name)))
    rows = [row_of(run, name, objects[name]) for name in implementations]
    if both:
        rows[0] |= {
            "baseline": rows[1]["name"],
            "baseline_value": rows[1]["value"],
            "ratio": rows[0]["value"] / rows[1]["value"],
        }
    if as_json:
        transport = objects[implementations[0]][0]["transport"]
        print_json(envelope("bench npb", rows, ranks=run.ranks, transport=transport))
    else:
        _print(run, rows)


def row_of(run: NpbRun, implementation: str, objects: list[dict[str, Any]]) -> Row:
    """The row of the repetition with the median time, `spread` being between the quartiles."""
    middle = middle_of(objects)
    return result(
        f"npb_{run.kernel}_{implementation}",
        middle["seconds"],
        "s",
        spread=spread([one["seconds"] for one in objects]),
        repetitions=len(objects),
        **{key: value for key, value in middle.items() if key != "name"},
    )


def middle_of(objects: list[dict[str, Any]]) -> dict[str, Any]:
    """The one with the median time."""
    return sorted(objects, key=lambda one: one["seconds"])[(len(objects) - 1) // 2]


def spread(values: list[float]) -> float | None:
    """Half the distance between the quartiles / the median; None of a single value."""
    if len(values) < 2:
        return None
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / 2 / median


def _parse(stdout: str) -> dict[str, Any]:
    for line in stdout.splitlines():
        if line.startswith("{"):
            return json.loads(line)
    raise CommandError(
        "bench npb", "the program printed no result", "run it by itself with tasuki run to see why"
    )


def _failed_check(stdout: str) -> str:
    """Both values of a wrong answer, unless the program ended before it had one."""
    try:
        found = _parse(stdout)
    except (CommandError, ValueError):
        return ""
    if found["verified"]:
        return ""
    return (
        f"FAILED: NPB {found['name']} class {found['class']}: {found['checked']} is"
        f" {found[_value_key(found)]}, expected {found['expected']}\n"
    )


def _value_key(found: dict[str, Any]) -> str:
    """The result goes by the kernel's own word for it (zeta, ...), right before `expected`."""
    keys = list(found)
    return keys[keys.index("expected") - 1]


def _print(run: NpbRun, rows: list[Row]) -> None:
    lines = [
        ("transport", lambda row: row["transport"]),
        ("verified", lambda row: row["verified"]),
        (f"{rows[0]['checked']} (verified)", lambda row: f"{row[_value_key(row)]:.13g}"),
        ("time, s", lambda row: row["seconds"]),
        ("  computation, s", lambda row: row["compute_seconds"]),
        ("  communication, s", lambda row: row["communication_seconds"]),
        ("speed, Mop/s", lambda row: row["mops"]),
        ("messages", lambda row: row["messages"]),
        ("  MB", lambda row: row["bytes"] / 1e6),
    ]
    if rows[0]["spread"] is not None:
        lines.insert(4, ("  spread", lambda row: f"{row['spread']:.1%}"))
    if rows[0]["ratio"] is not None:
        lines.append(("time / time of MPI", lambda row: row["ratio"]))
    print_table(
        f"NPB {run.kernel.upper()} class {run.problem_class}, ranks: {run.ranks}",
        ("", *(row["name"] for row in rows)),
        [(title, *map(value, rows)) for title, value in lines],
    )
