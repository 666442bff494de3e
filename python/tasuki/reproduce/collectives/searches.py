"""Runs of the shortest paths with one collective forced to each algorithm of a library."""

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.bench.twins import TwinRun, job_of_twin, middle_of, solution, spread
from tasuki.errors import CommandError, ProgramError
from tasuki.jobs import EXIT_TIMED_OUT, Job, run_job
from tasuki.launcher.mpiexec import find_mpiexec
from tasuki.programs import BUILD_WITH_LZMA
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.races import Library, Races
from tasuki.reproduce.repetitions import limit_s
from tasuki.tune.library import NATIVE, SETTINGS
from tasuki.tune.measurer import Candidate, Cell
from tasuki.tune.policy_file import PolicyRow, text_of

# A run on two Xeon cores (Sapphire Rapids), reading the graph and checking the distances included.
_RUN_S = {"NY": 1.0, "BAY": 1.2, "FLA": 3.0}
_OTHER_GRAPH_S = 0.6
_ALGORITHMS_COUNT = 9  # Of a library for a collective, roughly.


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


class Searches:
    """All searches of one reproduction."""

    def __init__(self, lab: Lab, races: Races, mpi: str, repetitions: int) -> None:
        self._lab = lab
        self._races = races
        self._mpi = mpi
        self._repetitions = repetitions
        self._found: dict[Search, dict[Candidate, dict[str, Any]]] = {}

    def solve(self, search: Search) -> dict[Candidate, dict[str, Any]]:
        """By algorithm the median run, with `spread` and `repetitions`, of those that there are;
        NATIVE is what the library chooses by itself."""
        job = self._lab.available(lambda: job_of_twin(self._twin(search)))
        if job is None:
            return {}
        run_s = _RUN_S.get(search.graph.name.partition(".")[0], _OTHER_GRAPH_S)
        expected_s = _ALGORITHMS_COUNT * run_s * self._repetitions

        def measure(seconds_left: float) -> bool:
            self._solve(search, job, min(seconds_left, limit_s(expected_s)))
            return True

        self._lab.measured(Run(search, search.title, expected_s, measure))
        return self._found.get(search, {})

    def _solve(self, search: Search, job: Job, most_s: float) -> None:
        end_time = time.monotonic() + most_s
        listed = self._races.inspect(search.library, search.cell)
        able = {one["algorithm"]: one for one in listed if not one["unavailable"]}
        for candidate in (NATIVE, *map(Candidate, able)):
            with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
                own_name = able.get(candidate.algorithm, {})
                environment = self._forcing(search, candidate, own_name, Path(folder))
                forced = job._replace(environment=environment)
                try:
                    solved = self._repeated(forced, end_time)
                except CommandError as failure:
                    self._lab.take_note_of(failure, f"{search.title}, {candidate}")
                    continue
                self._found.setdefault(search, {})[candidate] = solved

    def _repeated(self, job: Job, end_time: float) -> dict[str, Any]:
        runs = []
        for _ in range(self._repetitions):
            left = end_time - time.monotonic()
            if left <= 0:
                raise ProgramError("", EXIT_TIMED_OUT)
            runs.append(solution(run_job(job, left)))
        seconds = spread([run["seconds"] for run in runs])
        return middle_of(runs) | {"spread": seconds, "repetitions": len(runs)}

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

    def _twin(self, search: Search) -> TwinRun:
        arguments = ("--graph", str(search.graph), "--method", "both", "--partition", "block",
                     "--no-split")  # fmt: skip
        implementation = "tasuki" if search.own else "mpi"
        return TwinRun("reproduce collectives", search.title, "sssp", arguments, search.cell.ranks,
                       implementation, mpi=self._mpi, remedy=BUILD_WITH_LZMA)  # fmt: skip
