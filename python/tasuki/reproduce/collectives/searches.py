"""Runs of the shortest paths with one collective forced to each algorithm of a library."""

import random
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.base.errors import CommandError
from tasuki.base.programs import BUILD_WITH_LZMA
from tasuki.bench.baselines import Place, Problem, job_of, middle_of, solution, spread
from tasuki.launcher.mpiexec import find_mpiexec
from tasuki.measurement.jobs import EXIT_TIMED_OUT, Job, run_job
from tasuki.measurement.library import NATIVE, SETTINGS
from tasuki.measurement.measurer import Candidate, Cell
from tasuki.measurement.policy_file import PolicyRow, text_of
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.races import SEED, Inspection, Library, inspect

# A run on two Xeon cores (Sapphire Rapids), reading the graph and checking the distances included.
_RUN_S = {"NY": 1.0, "BAY": 1.2, "FLA": 3.0}
_OTHER_GRAPH_S = 0.6
_ALGORITHMS_COUNT = 9  # Of a library for a collective, roughly.
SEARCHES = 5  # That a run times, unless they take long.
# Why an algorithm has no time.
NOT_TRIED = "not tried"
NO_TIME = "no time left"
FAILED = "failed"


class Search(NamedTuple):
    """What is solved with each algorithm: `cell` says of which collective, and for how many ranks
    and bytes it must be able to do it."""

    library: Library
    cell: Cell
    graph: Path

    @property
    def title(self) -> str:
        return (
            f"{self.graph.name.partition('.')[0]}, {self.cell.collective} by {self.library.title},"
            f" {self.cell.ranks} ranks"
        )


class Outcome(NamedTuple):
    """`solved` is the middle one of all runs, with `spread` and `repetitions` (timed searches in
    all); or None, and `missing` says why."""

    solved: dict[str, Any] | None
    missing: str = ""


Found = tuple[Inspection, dict[Candidate, Outcome]]


class Searches:
    """All searches of one reproduction; a job is ended after `limit_s`."""

    def __init__(self, lab: Lab, mpi: str, repetitions: int, limit_s: float) -> None:
        self._lab = lab
        self._mpi = mpi
        self._repetitions = repetitions
        self._limit_s = limit_s
        # What has been measured, also if it ended before it had all.
        self._found: dict[Search, Found] = {}
        # Where the default of a library has had no end.
        self._hopeless: set[tuple[Library, int]] = set()

    def solve(self, search: Search) -> Found:
        """By algorithm what came of it; NATIVE is what the library chooses by itself."""
        nothing = (Inspection("", "", []), {})
        job = self._lab.available(lambda: self._job(search))
        if job is None:
            return nothing
        run_s = _RUN_S.get(search.graph.name.partition(".")[0], _OTHER_GRAPH_S)
        expected_s = _ALGORITHMS_COUNT * run_s * self._repetitions

        def measure(seconds_left: float) -> Any:
            self._solve(search, job, seconds_left)
            inspection, found = self._found[search]
            return {"inspected": inspection, "found": list(found.items())}

        key = ("search", search.title, search.cell)
        run = Run(key, search.title, expected_s, measure, _decoded, _is_final)
        inspection, found = self._lab.measured(run) or self._found.get(search, nothing)
        if found.get(NATIVE, Outcome(None)).missing not in ("", NO_TIME, FAILED):
            self._hopeless.add((search.library, search.cell.ranks))
        return inspection, found

    def _solve(self, search: Search, job: Job, most_s: float) -> None:
        """In rounds, so that a disturbance does not fall on all runs of one algorithm."""
        end_time = time.monotonic() + most_s
        inspection = inspect(search.library, search.cell)
        able = [one for one in inspection.listed if not one["unavailable"]]
        candidates = [NATIVE, *(Candidate(one["algorithm"]) for one in able)]
        runs: dict[Candidate, list[dict[str, Any]]] = {one: [] for one in candidates}
        missing: dict[Candidate, str] = {}
        generator = random.Random(SEED)
        for _ in range(self._repetitions):
            for candidate in (NATIVE, *generator.sample(candidates[1:], len(candidates) - 1)):
                if candidate in missing:
                    continue
                try:
                    left_s = end_time - time.monotonic()
                    outcome = self._try(search, job, inspection, candidate, left_s)
                    if isinstance(outcome, str):
                        missing[candidate] = outcome
                    else:
                        runs[candidate].append(outcome)
                finally:  # Ctrl-C too leaves what there is.
                    self._found[search] = (inspection, _outcomes(runs, missing))

    def _try(
        self, search: Search, job: Job, inspection: Inspection, candidate: Candidate, left_s: float
    ) -> dict[str, Any] | str:
        """What one more run has found; or why there is none, and none need be tried."""
        place = (search.library, search.cell.ranks)
        if place in self._hopeless:
            return NOT_TRIED
        if left_s <= 0:
            return NO_TIME
        with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
            environment = self._forcing(search, candidate, inspection, Path(folder))
            forced = job._replace(environment=environment)
            try:
                return solution(run_job(forced, min(self._limit_s, left_s)))
            except CommandError as failure:
                if failure.exit_code != EXIT_TIMED_OUT:
                    self._lab.take_note_of(failure, f"{search.title}, {candidate}")
                    return FAILED
        if left_s < self._limit_s:
            return NO_TIME
        if candidate == NATIVE:
            self._hopeless.add(place)
        return f"over {self._limit_s:g} s"

    def _forcing(
        self, search: Search, candidate: Candidate, inspection: Inspection, folder: Path
    ) -> Mapping[str, str]:
        """The settings with which a job uses the algorithm; `folder` may hold files for it."""
        if search.library.is_own:
            if candidate == NATIVE:
                return {"TASUKI_POLICY": "default"}
            row = PolicyRow(search.cell.collective, search.cell.ranks, None, candidate, "forced")
            policy = folder / "policy"
            policy.write_text(text_of([row], inspection.machine, "shm"))
            return {"TASUKI_POLICY": str(policy)}
        kind, _ = find_mpiexec(self._mpi)
        if candidate == NATIVE:
            return {}
        (listed,) = (one for one in inspection.listed if one["algorithm"] == candidate.algorithm)
        if kind == "ompi":
            name = f"OMPI_MCA_coll_tuned_{search.cell.collective}_algorithm"
            return {**SETTINGS[kind], name: str(listed["value"])}
        prefix = f"MPIR_CVAR_{search.cell.collective.upper()}"
        return {
            f"{prefix}_INTRA_ALGORITHM": listed["library_name"],
            f"{prefix}_DEVICE_COLLECTIVE": "0",
            "MPIR_CVAR_COLLECTIVE_FALLBACK": "error",
        }

    def _job(self, search: Search) -> Job:
        problem = Problem("reproduce collectives", search.title, "sssp",
                          search_arguments(search.graph, SEARCHES), BUILD_WITH_LZMA)  # fmt: skip
        implementation = "tasuki" if search.library.is_own else "mpi"
        return job_of(problem, Place(search.cell.ranks, implementation, mpi=self._mpi))


def search_arguments(graph: Path, searches: int) -> tuple[str, ...]:
    """Of the programs, for the paper's search."""
    return ("--graph", str(graph), "--method", "both", "--partition", "block", "--no-split",
            "--searches", str(searches))  # fmt: skip


def _decoded(record: Any) -> Found:
    found = {Candidate(*candidate): Outcome(*outcome) for candidate, outcome in record["found"]}
    return Inspection(*record["inspected"]), found


def _is_final(record: Any) -> bool:
    """Or may something else come of it another time?"""
    return not any(missing in (NO_TIME, FAILED) for _, (_, missing) in record["found"])


def _outcomes(
    runs: Mapping[Candidate, list[dict[str, Any]]], missing: Mapping[Candidate, str]
) -> dict[Candidate, Outcome]:
    found = {}
    for candidate, solutions in runs.items():
        if solutions:
            seconds = [one for solved in solutions for one in solved["search_seconds"]]
            more = {"spread": spread(seconds), "repetitions": len(seconds)}
            found[candidate] = Outcome(middle_of(solutions) | more)
        elif candidate in missing:
            found[candidate] = Outcome(None, missing[candidate])
    return found
