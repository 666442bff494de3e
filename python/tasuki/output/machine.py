"""What machine this is, for the envelope of every JSON output."""

import functools
import os
import platform
import re
import subprocess
from pathlib import Path

from tasuki.launcher.binding import cores_allowed
from tasuki.launcher.mpiexec import MPIS, mpiexec_of


@functools.cache
def describe_machine() -> dict[str, object]:
    """cores (this process may use), cpu, kernel, and mpi: the MPIs found, or None."""
    return {
        "cores": len(cores_allowed()),
        "cpu": _cpu_model(),
        "kernel": f"{platform.system()} {platform.release()}",
        "mpi": ", ".join(_mpi_versions()) or None,
    }


def _cpu_model() -> str:
    fields = ("model name", "cpu model", "Model", "Hardware")
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() in fields:
            return value.strip()
    return platform.machine()


def _mpi_versions() -> list[str]:
    """As in ["Open MPI 4.1.4", "MPICH 4.0.2"]."""
    found = []
    for kind, mpi in MPIS.items():
        mpiexec = mpiexec_of(kind)
        if mpiexec is None:
            continue
        shown = subprocess.run(
            [mpiexec, "--version"],
            capture_output=True,
            text=True,
            env={**os.environ, "LC_ALL": "C"},
        ).stdout
        version = re.search(r"\d+\.\d+[\w.]*", shown)
        found.append(f"{mpi.title} {version.group()}" if version else mpi.title)
    return found
