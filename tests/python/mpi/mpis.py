"""The MPIs of the tests: the system's, and the newest, as `./dev test` installs them."""

from pathlib import Path
from typing import NamedTuple

from tasuki.bench.peers import PEERS_FOLDER


class Mpi(NamedTuple):
    """`conditions` are those of recorded.expected."""

    name: str
    compiler: Path | str
    mpiexec: Path | str
    conditions: tuple[str, ...]


def _peer(name: str, package: str, compiler: str, *conditions: str) -> Mpi:
    folder = PEERS_FOLDER / package / "bin"
    return Mpi(name, folder / compiler, folder / "mpiexec", conditions)


MPIS = (
    Mpi("openmpi", "mpicc.openmpi", "mpiexec.openmpi", ("ompi",)),
    Mpi("mpich", "mpicc.mpich", "mpiexec.mpich", ("mpich",)),
    _peer("newest openmpi", "openmpi", "mpicc", "ompi"),
    _peer("newest mpich", "mpich", "mpicc", "mpich"),
    _peer("abi", "mpich", "mpicc_abi", "mpich"),
)
ABI_HEADER = PEERS_FOLDER / "mpich" / "include" / "mpi_abi.h"
