"""Jobs that commands start: `tasuki run` as a child, its output collected."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Job(NamedTuple):
    """One run of a native program. `mpi` (ompi, mpich or auto) matters with transport mpi only."""

    program: Path
    arguments: Sequence[str]
    ranks: int
    transport: str = "shm"
    mpi: str = "auto"
    node_shm: bool = True


class Outcome(NamedTuple):
    exit_code: int
    stdout: str
    stderr: str


def run_job(job: Job) -> Outcome:
    """Runs the job to its end. On Ctrl-C the job ends too, before KeyboardInterrupt goes on."""
    process = subprocess.Popen(
        command_of(job),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        stdout, stderr = process.communicate()
    except KeyboardInterrupt:
        process.communicate()  # The terminal has told `tasuki run` as well.
        raise
    return Outcome(process.returncode, stdout, stderr)


def command_of(job: Job) -> list[str]:
    """The command line of the job, as one could type it after `tasuki`'s own path."""
    command = [sys.executable, "-m", "tasuki", "run", "-n", str(job.ranks)]
    command += ["--transport", job.transport]
    if job.transport == "mpi":
        command += ["--mpi", job.mpi]
        if not job.node_shm:
            command.append("--no-node-shm")
    return [*command, "--", str(job.program), *job.arguments]
