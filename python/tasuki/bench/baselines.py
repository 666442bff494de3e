"""Programs that exist twice, over Tasuki and over MPI: what `tasuki bench` runs and shows."""

import json
import statistics
from typing import Any, NamedTuple

from tasuki.base.errors import CommandError, ProgramError
from tasuki.base.programs import BUILD, BUILD_WITH_MPI, find_program, require_program
from tasuki.launcher.mpiexec import MPIS, find_mpiexec, mpiexec_of
from tasuki.measurement.jobs import Job, Outcome, run_command, run_job
from tasuki.output.report import Row, envelope, print_json, print_table, result

# What programs have found besides the checked value, if they say so.
FINDINGS = ("cut", "phases", "reached", "unreached")
IMPLEMENTATIONS = ("tasuki", "mpi", "both")
# What is measured in turn, the baseline last.
PAIRS = {"both": ("tasuki", "mpi"), "threads": ("tasuki", "openmp")}


class Problem(NamedTuple):
    """What is solved. `program` lacks its ending, as in npb_cg for npb_cg_tasuki; `json_option` is
    what makes it print one JSON object; `remedy` says how to have it."""

    command: str
    title: str
    program: str
    arguments: tuple[str, ...]
    remedy: str = BUILD
    json_option: tuple[str, ...] = ("--json",)


class Place(NamedTuple):
    """Where it is solved. `implementation` is tasuki, mpi or openmp (or one of PAIRS, to be
    measured in turn); mpi always runs over MPI, openmp has threads for ranks."""

    ranks: int
    implementation: str = "tasuki"
    transport: str = "shm"
    mpi: str = "auto"
    node_shm: bool = True


class Conditions(NamedTuple):
    """Where and how often a problem is measured, and whether its result is JSON."""

    place: Place
    repetitions: int
    as_json: bool


def measure(problem: Problem, place: Place) -> dict[str, Any]:
    """The JSON object that the compiled program prints.

    Raises ProgramError, with both values, if the answer is wrong or the job failed otherwise;
    CommandError if this build has no such program.
    """
    if place.implementation != "openmp":
        return solution(run_job(job_of(problem, place)))
    program = require_program(problem.command, f"{problem.program}_openmp", problem.remedy)
    environment = {"OMP_NUM_THREADS": str(place.ranks), "OMP_PROC_BIND": "true"}
    command = [str(program), *problem.arguments, *problem.json_option]
    return solution(run_command(command, None, environment))


def solution(outcome: Outcome) -> dict[str, Any]:
    """What the ended program has printed; raises like `measure`."""
    if outcome.exit_code != 0:
        raise ProgramError(outcome.stderr + _failed_check(outcome.stdout), outcome.exit_code)
    return _parse(outcome.stdout)


def job_of(problem: Problem, place: Place) -> Job:
    """Raises CommandError if this build has no such program."""
    transport = "mpi" if place.implementation == "mpi" else place.transport
    mpi = find_mpiexec(place.mpi)[0] if transport == "mpi" else place.mpi
    suffix = "tasuki" if place.implementation == "tasuki" else f"mpi_{mpi}"
    remedy = problem.remedy if suffix == "tasuki" else BUILD_WITH_MPI
    program = require_program(problem.command, f"{problem.program}_{suffix}", remedy)
    arguments = (*problem.arguments, *problem.json_option)
    return Job(program, arguments, place.ranks, transport, mpi, place.node_shm)


def bench_baselines(problem: Problem, conditions: Conditions) -> None:
    """Measures and prints it; implementations of PAIRS alternate."""
    place, repetitions, as_json = conditions
    implementations = PAIRS.get(place.implementation, (place.implementation,))
    objects: dict[str, list[dict[str, Any]]] = {name: [] for name in implementations}
    for _ in range(repetitions):
        for name in implementations:
            objects[name].append(measure(problem, place._replace(implementation=name)))
    rows = [row_of(problem, name, objects[name]) for name in implementations]
    if len(rows) > 1:
        rows[0] |= {
            "baseline": rows[1]["name"],
            "baseline_value": rows[1]["value"],
            "ratio": rows[0]["value"] / rows[1]["value"],
        }
    if as_json:
        transport = objects[implementations[0]][0]["transport"]
        print_json(envelope(problem.command, rows, ranks=place.ranks, transport=transport))
    else:
        _print(f"{problem.title}, ranks: {place.ranks}", rows)


def row_of(problem: Problem, implementation: str, objects: list[dict[str, Any]]) -> Row:
    """The row of the repetition with the median time, `spread` being between the quartiles."""
    middle = middle_of(objects)
    return result(
        f"{problem.program}_{implementation}",
        middle["seconds"],
        "s",
        spread=spread([one["seconds"] for one in objects]),
        repetitions=len(objects),
        **{key: value for key, value in middle.items() if key != "name"},
    )


def middle_of(objects: list[dict[str, Any]]) -> dict[str, Any]:
    """The one with the median time."""
    return sorted(objects, key=lambda one: one["seconds"])[(len(objects) - 1) // 2]


def mpi_of_baseline(mpi: str, program: str) -> str:
    """`mpi`; for auto the first of which this machine has an mpiexec and this build
    `program`_MPI, or none."""
    if mpi != "auto":
        return mpi
    there = (one for one in MPIS if find_program(f"{program}_{one}") and mpiexec_of(one))
    return next(there, "none")


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
        "bench", "the program printed no result", "run it by itself with tasuki run to see why"
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
        f"FAILED: {_problem(found)}: {found['checked']} is"
        f" {found[_value_key(found)]}, expected {found['expected']}\n"
    )


def _problem(found: dict[str, Any]) -> str:
    """Name and class, or all that precedes the implementation, which every program has."""
    if "class" in found:
        return f"NPB {found['name']} class {found['class']}"
    words = list(found.items())
    parameters = words[1 : list(found).index("implementation")]
    return " ".join([found["name"], *(f"{name} {value}" for name, value in parameters)])


def _value_key(found: dict[str, Any]) -> str:
    """The result goes by the kernel's own word for it (zeta, ...), right before `expected`."""
    keys = list(found)
    return keys[keys.index("expected") - 1]


def _print(title: str, rows: list[Row]) -> None:
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
    if "wait_seconds" in rows[0]:
        lines.insert(6, ("  waiting, s", lambda row: row["wait_seconds"]))
    lines += [(name, lambda row, name=name: row[name]) for name in FINDINGS if name in rows[0]]
    if "speedup" in rows[0]:
        lines.append(("sequential, s", lambda row: row["sequential_seconds"]))
        lines.append(("  speed-up", lambda row: row["speedup"]))
    if rows[0]["spread"] is not None:
        lines.insert(4, ("  spread", lambda row: f"{row['spread']:.1%}"))
    if rows[0]["ratio"] is not None:
        lines.append((f"time / {rows[0]['baseline']}", lambda row: row["ratio"]))
    print_table(
        title,
        ("", *(row["name"] for row in rows)),
        [(title, *map(value, rows)) for title, value in lines],
    )
