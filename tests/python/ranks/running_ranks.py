"""How the tests of Python on ranks run programs."""

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
PROGRAMS = Path(__file__).parent / "programs"

# Transport -> options of `tasuki run`; loopback has all ranks in one process.
TRANSPORTS = {
    "shm": [],
    "ompi": ["--transport", "mpi", "--mpi", "ompi", "--no-node-shm"],
    "mpich": ["--transport", "mpi", "--mpi", "mpich", "--no-node-shm"],
    "mpich_node": ["--transport", "mpi", "--mpi", "mpich"],
}

# Else `tasuki run` says on standard error that root has to be allowed.
ROOT_ALLOWED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def run_parts(tasuki, parts, transport="shm"):
    """Runs a job of several programs to its end; `parts` are numbers of ranks with commands."""
    tasuki.environment.update(ROOT_ALLOWED)
    # Open MPI 5 complains on a machine whose only network interface is that of the loopback.
    tasuki.environment["OMPI_MCA_btl"] = "^tcp"
    (count, command), *others = parts
    rest = [word for number, other in others for word in (":", "-n", number, *other)]
    return tasuki("run", "-n", count, *TRANSPORTS[transport], *command, *rest)


def run_ranks(tasuki, program, count, transport="shm", seed=1, arguments=()):
    """Runs a Python program on ranks to its end."""
    command = [sys.executable, str(program), *map(str, arguments)]
    if transport != "loopback":
        return run_parts(tasuki, [(count, command)], transport)
    settings = {"TASUKI_LOOPBACK_RANKS": str(count), "TASUKI_LOOPBACK_SEED": str(seed)}
    environment = {**tasuki.environment, "TASUKI_TRANSPORT": "loopback", **settings}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)


def expect_printed(result, text):
    """The job has printed `text`, nothing on standard error, and is done."""
    assert (result.returncode, result.stderr, result.stdout) == (0, "", text)
