"""Runs of the shortest paths with one collective forced to each algorithm of a library."""

import random
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.base.errors import CommandError
from tasuki.base.programs import BUILD_WITH_LZMA
from tasuki.bench.baselines import BaselineRun, job_of_baseline, middle_of, solution, spread
from tasuki.launcher.mpiexec import find_mpiexec
from tasuki.measurement.jobs import EXIT_TIMED_OUT, Job, run_job
from tasuki.measurement.library import NATIVE, SETTINGS
from tasuki.measurement.measurer import Candidate, Cell
from tasuki.measurement.policy_file import PolicyRow, text_of
from tasuki.reproduce.lab import Kept, Lab, Run
from tasuki.reproduce.races import SEED, Library, Races

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
    and bytes it must be able to do it. `own` is whether the library is Tasuki."""

    library: Library
    own: bool
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


class Searches:
    """All searches of one reproduction; a job is ended after `limit_s`."""

    def __init__(self, lab: Lab, races: Races, mpi: str, repetitions: int, limit_s: float) -> None:
        self._lab = lab
        self._races = races
        self._mpi = mpi
        self._repetitions = repetitions
        self._limit_s = limit_s
        self._found: dict[Search, dict[Candidate, Outcome]] = {}
        # Where the default of a library has had no end.
        self._hopeless: set[tuple[Library, int]] = set()

    def solve(self, search: Search) -> dict[Candidate, Outcome]:
        """By algorithm what came of it; NATIVE is what the library chooses by itself."""
        job = self._lab.available(lambda: job_of_baseline(self._baseline(search)))
        if job is None:
            return {}
        run_s = _RUN_S.get(search.graph.name.partition(".")[0], _OTHER_GRAPH_S)
        expected_s = _ALGORITHMS_COUNT * run_s * self._repetitions

        def measure(seconds_left: float) -> bool:
            self._solve(search, job, seconds_left)
            return True

        kept = Kept(lambda _: self._record(search), lambda record: self._restore(search, record))
        key = ("search", search.title, search.cell)
        self._lab.measured(Run(key, search.title, expected_s, measure, kept))
        return self._found.get(search, {})

    def _record(self, search: Search) -> Any:
        """As what JSON has; None if something may come of it another time."""
        found = self._found[search]
        if any(one.missing in (NO_TIME, FAILED) for one in found.values()):
            return None
        inspected = self._races.record_of_inspection(search.library, search.cell)
        return {"inspected": inspected, "found": list(found.items())}

    def _restore(self, search: Search, record: Any) -> bool:
        self._races.restore_inspection(search.library, search.cell, record["inspected"])
        found = {Candidate(*candidate): Outcome(*outcome) for candidate, outcome in record["found"]}
        self._found[search] = found
        if found[NATIVE].missing:
            self._hopeless.add((search.library, search.cell.ranks))
        return True

    def _solve(self, search: Search, job: Job, most_s: float) -> None:
        """In rounds, so that a disturbance does not fall on all runs of one algorithm."""
        end_time = time.monotonic() + most_s
        listed = self._races.inspect(search.library, search.cell)
        able = {one["algorithm"]: one for one in listed if not one["unavailable"]}
        candidates = [NATIVE, *map(Candidate, able)]
        runs: dict[Candidate, list[dict[str, Any]]] = {one: [] for one in candidates}
        missing: dict[Candidate, str] = {}
        generator = random.Random(SEED)
        for _ in range(self._repetitions):
            for candidate in (NATIVE, *generator.sample(candidates[1:], len(candidates) - 1)):
                if candidate in missing:
                    continue
                try:
                    missing.update(self._try(search, job, able, candidate, runs, end_time))
                finally:  # Ctrl-C too leaves what there is.
                    self._found[search] = _outcomes(runs, missing)

    def _try(
        self,
        search: Search,
        job: Job,
        able: Mapping[str, dict[str, Any]],
        candidate: Candidate,
        runs: dict[Candidate, list[dict[str, Any]]],
        end_time: float,
    ) -> dict[Candidate, str]:
        """One more run. Returns: why there is none, if there is none and none need be tried."""
        place = (search.library, search.cell.ranks)
        if place in self._hopeless:
            return {candidate: NOT_TRIED}
        left_s = end_time - time.monotonic()
        if left_s <= 0:
            return {candidate: NO_TIME}
        with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
            own = able.get(candidate.algorithm, {})
            environment = self._forcing(search, candidate, own, Path(folder))
            forced = job._replace(environment=environment)
            try:
                runs[candidate].append(solution(run_job(forced, min(self._limit_s, left_s))))
            except CommandError as failure:
                if failure.exit_code != EXIT_TIMED_OUT:
                    self._lab.take_note_of(failure, f"{search.title}, {candidate}")
                    return {candidate: FAILED}
                if left_s < self._limit_s:
                    return {candidate: NO_TIME}
                if candidate == NATIVE:
                    self._hopeless.add(place)
                return {candidate: f"over {self._limit_s:g} s"}
        return {}

    def _forcing(
        self, search: Search, candidate: Candidate, listed: dict[str, Any], folder: Path
    ) -> Mapping[str, str]:
        """The settings with which a job uses the algorithm; `folder` may hold files for it."""
        if search.own:
            if candidate == NATIVE:
                return {"TASUKI_POLICY": "default"}
            row = PolicyRow(search.cell.collective, search.cell.ranks, None, candidate, "forced")
            policy = folder / "policy"
            policy.write_text(text_of([row], self._races.machine(search.library), "shm"))
            return {"TASUKI_POLICY": str(policy)}
        kind, _ = find_mpiexec(self._mpi)
        if candidate == NATIVE:
            return {}
        if kind == "ompi":
            name = f"OMPI_MCA_coll_tuned_{search.cell.collective}_algorithm"
            return {**SETTINGS[kind], name: str(listed["value"])}
        prefix = f"MPIR_CVAR_{search.cell.collective.upper()}"
        return {
            f"{prefix}_INTRA_ALGORITHM": listed["library_name"],
            f"{prefix}_DEVICE_COLLECTIVE": "0",
            "MPIR_CVAR_COLLECTIVE_FALLBACK": "error",
        }

    def _baseline(self, search: Search) -> BaselineRun:
        arguments = ("--graph", str(search.graph), "--method", "both", "--partition", "block",
                     "--no-split", "--searches", str(SEARCHES))  # fmt: skip
        implementation = "tasuki" if search.own else "mpi"
        return BaselineRun("reproduce collectives", search.title, "sssp", arguments,
                           search.cell.ranks, implementation, mpi=self._mpi,
                           remedy=BUILD_WITH_LZMA)  # fmt: skip


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
