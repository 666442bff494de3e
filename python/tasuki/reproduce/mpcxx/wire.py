"""An Ethernet on one machine: TCP between two network namespaces, shaped to 100 Mbit/s.

Where that is not possible (it takes root, iproute2 and the kernel's tbf) TCP over the loopback
device stands in for it.
"""

from functools import cache
from pathlib import Path

from tasuki.launcher.program import find_program
from tasuki.measurement.jobs import Job, Outcome, command_of, run_command
from tasuki.measurement.over_tcp import MPI_OVER_LOOPBACK, MPI_OVER_TCP

RATE = "100mbit"
TOOLS = ("unshare", "nsenter", "setpriv", "ip", "tc")
SHAPED = "TCP between two network namespaces, shaped to 100 Mbit/s by tc tbf"
LOOPBACK = "TCP over the loopback device, not shaped: namespaces take root, iproute2 and tbf"
# Over the wire the ranks of Open MPI reach its launcher by the same device.
OVER_WIRE = {
    "OMPI_MCA_btl_tcp_if_include": "10.231.7.0/24",
    "PMIX_MCA_ptl_base_if_include": "tasuki0",
    "PMIX_MCA_ptl_base_remote_connections": "1",
}
_TRIAL_S = 20.0
_FOLDER = Path(__file__).parent


@cache
def can_shape() -> bool:
    """Can namespaces be made and joined here?"""
    if not all(find_program(tool) for tool in TOOLS):
        return False
    return run_command(_wired(["true"]), _TRIAL_S).exit_code == 0


def describe_wire() -> str:
    return SHAPED if can_shape() else LOOPBACK


def run_over_wire(job: Job, timeout_s: float) -> Outcome:
    """Runs a job of Open MPI with two ranks, which are at the two ends of the wire."""
    if not can_shape():
        return run_command(command_of(job), timeout_s, MPI_OVER_LOOPBACK["ompi"])
    script = str(_FOLDER / "behind_wire.sh")
    wired = job._replace(program=Path("/bin/sh"),
                         arguments=(script, str(job.program), *job.arguments))  # fmt: skip
    return run_command(_wired(command_of(wired)), timeout_s, {**MPI_OVER_TCP["ompi"], **OVER_WIRE})


def _wired(command: list[str]) -> list[str]:
    return ["unshare", "--net", "sh", str(_FOLDER / "wire.sh"), RATE, *command]
