"""One run of a kernel in one way, and what all runs of this way in a cell have given."""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.base.programs import BUILD_WITH_MPI, require_program
from tasuki.bench.baselines import solution
from tasuki.launcher.mpiexec import allow_root, find_mpiexec
from tasuki.measurement.jobs import Job, command_of, run_command
from tasuki.profile.command import FOLDER_SETTING
from tasuki.profile.preload import PREDICT_SETTING, preloaded_environment, tuned_settings
from tasuki.reproduce.prediction.by_messages import write_policy
from tasuki.reproduce.prediction.cells import Cell, shares_cores
from tasuki.reproduce.prediction.consumption import Consumption
from tasuki.reproduce.prediction.networks import SHARED_MEMORY
from tasuki.reproduce.prediction.variants import GUARDED, Variant
from tasuki.tuned.command import EARLIER_SETTING, PREDICT_REPORT_SETTING, REPORT_SETTING
from tasuki.tuned.prediction_report import Report, read_reports, sum_of
from tasuki.tuned.usage import Usage

OPERATION = "reproduce prediction"


class Outcome(NamedTuple):
    """Of one run. The counts are of all ranks: collectives that Tasuki carried out or left to the
    library. `report` is None where nothing of predictions was reported, `joules` where the
    processor does not tell."""

    seconds: float
    cpu_s: float
    joules: float | None
    by_tasuki: int
    native: int
    report: Report | None


class Runs(NamedTuple):
    """All runs of one variant in a cell: columns with one entry for each, in order.

    `rounds` are the numbers of the rounds in which they ran, `report` is the sum.
    """

    rounds: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()
    cpu_s: tuple[float, ...] = ()
    joules: tuple[float | None, ...] = ()
    by_tasuki: int = 0
    native: int = 0
    report: Report | None = None

    def plus(self, number: int, one: Outcome) -> "Runs":
        reports = [report for report in (self.report, one.report) if report is not None]
        return Runs(
            (*self.rounds, number),
            (*self.seconds, one.seconds),
            (*self.cpu_s, one.cpu_s),
            (*self.joules, one.joules),
            self.by_tasuki + one.by_tasuki,
            self.native + one.native,
            sum_of(reports),
        )

    @staticmethod
    def decode(record: Sequence[Any]) -> "Runs":
        """From what JSON has made of it."""
        *columns, by_tasuki, native, report = record
        if report is not None:
            report = Report(*report[:-1], tuple(report[-1]))
        return Runs(*map(tuple, columns), by_tasuki, native, report)


class Runner:
    """Runs a kernel in one cell, in all ways; its temporary files are in `folder`.

    Raises CommandError if this build has no such kernel, or there is no such MPI.
    """

    def __init__(self, cell: Cell, folder: Path) -> None:
        self._cell = cell
        self._folder = folder
        kind, mpiexec = find_mpiexec(cell.mpi)
        name = f"npb_{cell.kernel}_mpi_{kind}"
        program = require_program(OPERATION, name, BUILD_WITH_MPI)
        options = ["--oversubscribe"] if kind == "ompi" and shares_cores(cell) else []
        # Starts the ranks, in `environment`.
        self.command = cell.network.command(
            kind,
            [mpiexec, *options, "-n", str(cell.rank_count)],
            [str(program), *self._arguments()],
        )
        self.environment = {**cell.network.settings[kind], **_what_root_needs(kind)}
        self._kind = kind

    def run(self, variant: Variant, timeout_s: float) -> Outcome:
        """Raises ProgramError if it fails, or its answer is wrong."""
        with tempfile.TemporaryDirectory(dir=self._folder) as name:
            folder = Path(name)
            environment = {**self.environment, **variant.settings.get(self._kind, {})}
            command = self.command
            if variant.is_own:
                command = self._command_of_own()
                environment[PREDICT_SETTING] = str(variant.predict)
            elif variant.predict is not None:
                environment |= self._tuned(variant, folder)
            used = Consumption()
            outcome = run_command(command, timeout_s, environment)
            cpu_s, joules = used.end()
            seconds = solution(outcome)["seconds"]
            usage = Usage(_made(folder / "collectives"))
            ranks = read_reports(_made(folder / "predictions").read_text().splitlines())
            report = sum_of([one.report for one in ranks])
        return Outcome(seconds, cpu_s, joules, usage.by_tasuki_count(), usage.native_count(),
                       report)  # fmt: skip

    def record_events(self, timeout_s: float) -> None:
        """A run whose events the variants that know an earlier one are given. Its waits are
        guarded: those of ranks that spin on shared cores last for time slices."""
        folder = self._events_folder()
        folder.mkdir()
        setting = {**self._tuned(GUARDED, self._folder), FOLDER_SETTING: str(folder)}
        solution(run_command(self.command, timeout_s, {**self.environment, **setting}))

    def _arguments(self) -> tuple[str, ...]:
        return ("--class", self._cell.problem_class, "--json")

    def _command_of_own(self) -> list[str]:
        """Of the kernel over Tasuki, which over TCP leaves its own shared memory aside."""
        program = require_program(OPERATION, f"npb_{self._cell.kernel}_tasuki")
        job = Job(program, self._arguments(), self._cell.rank_count)
        if self._cell.network != SHARED_MEMORY:
            job = job._replace(transport="mpi", mpi=self._kind, node_shm=False)
        return self._cell.network.ended(self._kind, command_of(job))

    def _tuned(self, variant: Variant, folder: Path) -> Mapping[str, str]:
        """As `tasuki run --tuned --predict` makes it."""
        assert variant.predict is not None
        policy = "default"
        if self._cell.network != SHARED_MEMORY:
            policy = str(folder / "policy")
            write_policy(Path(policy))
        settings = {
            **preloaded_environment(OPERATION),
            **tuned_settings(policy, variant.predict),
            REPORT_SETTING: str(_made(folder / "collectives")),
            PREDICT_REPORT_SETTING: str(_made(folder / "predictions")),
        }
        if variant.knows_earlier:
            settings[EARLIER_SETTING] = str(self._events_folder())
        return settings

    def _events_folder(self) -> Path:
        return self._folder / "events"


@contextmanager
def runner_of(cell: Cell) -> Iterator[Runner]:
    """Raises like Runner."""
    with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
        yield Runner(cell, Path(folder))


@cache
def _what_root_needs(kind: str) -> Mapping[str, str]:
    """To start jobs; says so once."""
    settings = dict(os.environ)
    if kind == "ompi":
        allow_root(settings)
    return {name: value for name, value in settings.items() if name not in os.environ}


def _made(path: Path) -> Path:
    """Ranks append to a file that is there."""
    path.touch()
    return path
