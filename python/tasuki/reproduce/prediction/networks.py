"""What carries the messages of a kernel: how each MPI is told, and where its ranks are."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tasuki.measurement.over_tcp import MPI_OVER_LOOPBACK, MPI_OVER_TCP
from tasuki.reproduce.links import RATE, linked

# Like the paper's workstations, which are not equal: one link is slower than the others.
LINK_RATES = (RATE, RATE, RATE, "30mbit")
_BEHIND_LINK = Path(__file__).with_name("behind_link.sh")
_END_AFTER_RESULT = Path(__file__).with_name("end_after_result.sh")
# By when all ranks have come to MPI_Finalize, and have reported.
END_AFTER_S = 0.5
# What it takes by itself where there are no other devices; so it needs not look for them.
_OPEN_MPI = {"OMPI_MCA_pml": "ob1"}


class Network(NamedTuple):
    """`settings` by kind of MPI is what the ranks' environment needs. `has_hosts`: each rank is on
    a host of its own, as many as LINK_RATES; else all are on this machine."""

    name: str
    title: str
    settings: Mapping[str, Mapping[str, str]]
    has_hosts: bool = False

    def command(self, mpi: str, mpiexec: Sequence[str], program: Sequence[str]) -> list[str]:
        """Starts the ranks: `mpiexec` with its options, then the program with its arguments."""
        behind = ["sh", str(_BEHIND_LINK)] if self.has_hosts else []
        command = self.ended(mpi, [*mpiexec, *behind, *program])
        return linked(command, LINK_RATES) if self.has_hosts else command

    def ended(self, mpi: str, command: Sequence[str]) -> list[str]:
        """The command of a job, which ends also where its MPI does not."""
        if mpi == "mpich" and self.settings[mpi]:
            return ["sh", str(_END_AFTER_RESULT), str(END_AFTER_S), *command]
        return list(command)


SHARED_MEMORY = Network("shm", "shared memory", {"ompi": _OPEN_MPI, "mpich": {}})
TCP = Network("tcp", "TCP", {
    "ompi": MPI_OVER_LOOPBACK["ompi"],
    "mpich": {**MPI_OVER_TCP["mpich"], "UCX_NET_DEVICES": "lo"},
})  # fmt: skip
LINKS = Network("links", "links of 100 Mbit/s", {
    "ompi": {
        **MPI_OVER_TCP["ompi"],
        "OMPI_MCA_btl_tcp_if_include": "10.231.8.0/24",
        # Its ranks reach its launcher by the same device.
        "PMIX_MCA_ptl_base_if_include": "cable",
        "PMIX_MCA_ptl_base_remote_connections": "1",
    },
    "mpich": {**MPI_OVER_TCP["mpich"], "UCX_NET_DEVICES": "cable"},
}, has_hosts=True)  # fmt: skip
NETWORKS = {one.name: one for one in (SHARED_MEMORY, TCP, LINKS)}
