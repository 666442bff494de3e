"""Jobs that commands start: `tasuki run` as a child, its output collected."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from tasuki.launcher.hosts import Host, text_of_hosts
from tasuki.launcher.rank_process import children_of
from tasuki.launcher.tied_command import tied

NETWORKS = ("mpi", "ucx")  # Transports that also work between hosts.
EXIT_TIMED_OUT = 124  # As of timeout(1).
OWN_END_S = 1.0


class Job(NamedTuple):
    """A run of a compiled program. `mpi` (ompi, mpich or auto) matters with transport mpi only.
    `hosts` have numbers of ranks, whose sum is `ranks`; without any, all ranks are on this host."""

    program: Path
    arguments: Sequence[str]
    ranks: int
    transport: str = "shm"
    mpi: str = "auto"
    node_shm: bool = True
    environment: Mapping[str, str] = MappingProxyType({})
    hosts: Sequence[Host] = ()


class Outcome(NamedTuple):
    exit_code: int
    stdout: str
    stderr: str


def run_job(job: Job, timeout_s: float | None = None) -> Outcome:
    """As `run_command`."""
    return run_command(command_of(job), timeout_s, job.environment)


def run_command(
    command: Sequence[str],
    timeout_s: float | None = None,
    environment: Mapping[str, str] | None = None,
    is_apart: bool = False,
) -> Outcome:
    """Runs any command to its end; `environment` is added to this process's.

    A command that `is_apart` does not see the terminal's Ctrl-C.

    After `timeout_s` it is ended with all it has started; its exit code is EXIT_TIMED_OUT then.
    On Ctrl-C, and whatever else ends this process, the command ends too, before that goes on; if
    this process is killed, with it. May be called by several threads.
    """
    process = subprocess.Popen(
        tied(list(command)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
        start_new_session=is_apart,
    )
    try:
        stdout, stderr = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        _terminate(process.pid)
        stdout, stderr = process.communicate()
        return Outcome(EXIT_TIMED_OUT, stdout, f"{stderr}tasuki: ended after {timeout_s:g} s.\n")
    except BaseException:
        _end(process)
        raise
    return Outcome(process.returncode, stdout, stderr)


def end_children() -> None:
    """Ends all commands that other threads of this process run."""
    for child in children_of(os.getpid()):
        _terminate(child)


def _end(process: subprocess.Popen[str]) -> None:
    """Waits for it a while, because the terminal tells the command too of Ctrl-C; then ends it."""
    try:
        process.communicate(timeout=OWN_END_S)
    except subprocess.TimeoutExpired:
        _terminate(process.pid)
        process.communicate()


def _terminate(pid: int) -> None:
    """Ends the process and all it has started: smpirun, for one, does not pass signals on.

    Of a group of its own all members, also those whose parent has ended before them: what it
    started just now is in no list of children yet.
    """
    for child in children_of(pid):
        _terminate(child)
    with contextlib.suppress(ProcessLookupError):
        if os.getpgid(pid) == pid:
            os.killpg(pid, signal.SIGTERM)
        else:
            os.kill(pid, signal.SIGTERM)


def command_of(job: Job) -> list[str]:
    """The command line of the job, as one could type it after `tasuki`'s own path."""
    command = [sys.executable, "-m", "tasuki", "run", "-n", str(job.ranks)]
    command += ["--transport", job.transport]
    if job.hosts:
        command += ["--hosts", text_of_hosts(job.hosts)]
    if job.transport == "mpi":
        command += ["--mpi", job.mpi]
    if job.transport in NETWORKS and not job.node_shm:
        command.append("--no-node-shm")
    return [*command, "--", str(job.program), *job.arguments]
