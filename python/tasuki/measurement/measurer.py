"""Where the times come from: a job of the measuring program, which is asked in JSON."""

import contextlib
import json
import os
import subprocess
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from tasuki.base.errors import CommandError
from tasuki.base.programs import require_program
from tasuki.launcher.hosts import Host
from tasuki.launcher.mpiexec import allow_root, find_mpiexec
from tasuki.launcher.tied_command import tied
from tasuki.measurement.dialogue import ask
from tasuki.measurement.jobs import Job, command_of

OPERATION = "tune"
# What mpi_measure_* puts before the names of Tasuki's algorithms.
SCHEDULE = "schedule:"
END_S = 10.0  # A job that has not ended by then never will.


class Candidate(NamedTuple):
    """An algorithm with parameters, as a policy names them."""

    algorithm: str
    parameters: str = ""

    @property
    def is_schedule(self) -> bool:
        """Is it Tasuki's, among the algorithms of an MPI library?"""
        return self.algorithm.startswith(SCHEDULE)

    @property
    def plain_name(self) -> str:
        """As its library or, for a schedule, the registry calls it."""
        return self.algorithm.removeprefix(SCHEDULE)

    def __str__(self) -> str:
        return f"{self.algorithm}({self.parameters})" if self.parameters else self.algorithm


# What the policy in force chooses, as tasuki_measure is asked for it.
CHOSEN = Candidate("chosen")


class Cell(NamedTuple):
    """What one choice is made for. `message_bytes` are counted as in docs/formats/policy.md."""

    collective: str
    ranks: int
    message_bytes: int


class JobNodes(NamedTuple):
    """How many nodes the ranks of a job are on, and how many ranks the fullest of them has."""

    count: int
    most_ranks: int


class Measurer(Protocol):
    """Measures candidates of one number of ranks."""

    def candidates(self, cell: Cell) -> tuple[list[Candidate], Candidate]:
        """Those that can do it, and the one that is used now."""

    def measure(
        self, cell: Cell, candidate: Candidate, samples: int, seconds: float
    ) -> list[float]:
        """Seconds of a call, at most so many samples in about so much time; none if the candidate
        turns out not to apply."""


# Which values of a parameter are tried beside its default; the others are seldom better.
TRIED_VALUES = {
    "radix": (2, 4, 8),
    "segment_bytes": (8192, 65536),
    "piece_bytes": (16384, 65536),
    "chains": (1, 2),
    "outstanding": (2,),
}


def tasuki_measurer(
    ranks: int,
    transport: str,
    mpi: str = "auto",
    policy: str | None = "default",
    hosts: Sequence[Host] = (),
) -> "JobMeasurer":
    """Tasuki's algorithms, under `policy`: a value of TASUKI_POLICY, or None for the one in force.
    `hosts` as in Job.

    What is tuned is compared with the built-in policy, not with an earlier tuning. No policy gets
    an algorithm that gives the ranks different bits: MPI's own may do that (MPI 4.0, 6.9.1).
    """
    program = require_program(OPERATION, "tasuki_measure")
    if transport == "mpi":
        mpi = find_mpiexec(mpi)[0]
    environment = {} if policy is None else {"TASUKI_POLICY": policy}
    job = Job(program, (), ranks, transport, mpi, environment=environment, hosts=hosts)
    return JobMeasurer(job, needs_same_bits=True)


class JobMeasurer:
    """Ranks of a measuring program (apps/measure) that stay while they are asked. A context
    manager. With `needs_same_bits`, what gives the ranks different bits does not apply; without
    `with_schedules`, Tasuki's schedules are left out of the algorithms of an MPI library."""

    def __init__(
        self, job: Job, needs_same_bits: bool = False, with_schedules: bool = False
    ) -> None:
        self._job = job
        self._needs_same_bits = needs_same_bits
        self._with_schedules = with_schedules
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "JobMeasurer":
        if (self._job.transport, self._job.mpi) == ("mpi", "ompi"):
            allow_root(os.environ)  # Said once for all jobs of this process.
        self._process = subprocess.Popen(
            tied(command_of(self._job)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **self._job.environment},
        )
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        process = self._process
        assert process is not None and process.stdin is not None
        if kind is None:
            # Not every launcher passes on the end of the input.
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(f"{json.dumps({'command': 'end'})}\n")
                process.stdin.close()
        else:
            process.terminate()
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()  # The ranks are tied to it.
            process.wait()

    @property
    def pid(self) -> int:
        """Of the process that has started the ranks."""
        assert self._process is not None
        return self._process.pid

    def machine(self) -> str:
        """What the job runs on."""
        return self._ask("machine")["machine"]

    def nodes(self) -> JobNodes:
        """Where the ranks are."""
        answer = self._ask("machine")
        return JobNodes(answer["nodes_count"], answer["most_ranks_per_node"])

    def library(self) -> str:
        """Whose collectives these are, with the version of an MPI library."""
        return self._ask("machine")["library"]

    def library_file(self) -> str:
        """Where an MPI library was loaded from."""
        return self._ask("machine")["library_file"]

    def algorithms(self, cell: Cell) -> list[dict[str, Any]]:
        """All that there are, as the program lists them."""
        return self._list(cell)["algorithms"]

    def candidates(self, cell: Cell) -> tuple[list[Candidate], Candidate]:
        answer = self._list(cell)
        found = []
        for one in answer["algorithms"]:
            if not one["unavailable"]:
                found += variants_of(one["algorithm"], one["parameters"], cell)
        chosen = Candidate(answer["chosen"], answer["chosen_parameters"])
        if chosen not in found:
            found.append(chosen)
        return found, chosen

    def measure(
        self, cell: Cell, candidate: Candidate, samples: int, seconds: float
    ) -> list[float]:
        answer = self.check(cell, candidate, samples, seconds)
        if answer["unavailable"]:
            return []
        if self._needs_same_bits and not answer["same_bits"] and candidate != CHOSEN:
            return []
        if not answer["right"]:
            raise CommandError(
                OPERATION,
                f"{cell.collective} by {candidate} of {cell.message_bytes} bytes on {cell.ranks}"
                " ranks gave a wrong result",
                "report this with the output of tasuki info",
            )
        return [sample * 1e-9 for sample in answer["samples_ns"]]

    def check(
        self, cell: Cell, candidate: Candidate, samples: int, seconds: float
    ) -> dict[str, Any]:
        """Also whether the result was right, and the same bits on all ranks."""
        return self._ask(
            "measure",
            collective=cell.collective,
            message_bytes=cell.message_bytes,
            **candidate._asdict(),
            samples=samples,
            seconds=seconds,
        )

    def _list(self, cell: Cell) -> dict[str, Any]:
        answer = self._ask("list", collective=cell.collective, message_bytes=cell.message_bytes)
        if not self._with_schedules:
            algorithms = answer["algorithms"]
            answer["algorithms"] = [
                one for one in algorithms if not Candidate(one["algorithm"]).is_schedule
            ]
        return answer

    def _ask(self, command: str, **fields: str | float) -> dict[str, Any]:
        """The answer to a request of apps/measure/request.hpp."""
        process = self._process
        assert process is not None
        return ask(process, OPERATION, command=command, **fields)


def variants_of(algorithm: str, declared: Sequence[dict[str, Any]], cell: Cell) -> list[Candidate]:
    """The algorithm with its defaults, and with each parameter's other values that make a
    difference here."""
    defaults = {parameter["name"]: parameter["default"] for parameter in declared}
    found = [_candidate(algorithm, defaults)]
    for parameter in declared:
        for value in _values(parameter, cell):
            other = _candidate(algorithm, {**defaults, parameter["name"]: value})
            if other not in found:
                found.append(other)
    return found


def _candidate(algorithm: str, parameters: dict[str, int]) -> Candidate:
    return Candidate(algorithm, ",".join(f"{name}={value}" for name, value in parameters.items()))


def _values(parameter: dict[str, Any], cell: Cell) -> list[int]:
    name = parameter["name"]
    values = TRIED_VALUES.get(name, ())
    if name == "radix":
        most = max(cell.ranks, 2)
    elif name in ("chains", "outstanding"):  # More than there are other ranks are not used.
        most = cell.ranks - 2
    elif name.endswith("_bytes"):
        # Cutting what is shorter than a piece changes nothing.
        most = cell.message_bytes * cell.ranks - 1
    else:
        most = parameter["maximum"]
    return [
        value
        for value in values
        if parameter["minimum"] <= value <= min(most, parameter["maximum"])
    ]
