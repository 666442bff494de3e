"""The MPI libraries that Tasuki is compared with: which there are, and jobs of them.

A rank of an MPI polls while it waits, and would take the cores from the job that is measured. So on
this host all jobs but that one are stopped, and on several hosts there is one job at a time.
"""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.base.errors import usage_error
from tasuki.base.programs import BUILD_TREE, BUILD_WITH_MPI, require_program
from tasuki.launcher.hosts import Host, most_ranks_of, ranks_of
from tasuki.launcher.mpiexec import MPIS, find_mpiexec, kind_of
from tasuki.launcher.program import find_program
from tasuki.launcher.rank_process import children_of
from tasuki.measurement.jobs import NETWORKS, Job
from tasuki.measurement.library import SETTINGS
from tasuki.measurement.measurer import JobMeasurer
from tasuki.measurement.over_tcp import MPI_OVER_LOOPBACK, MPI_OVER_TCP, ucx_over_tcp
from tasuki.output.place import is_oversubscribed

OPERATION = "bench collectives"
# Where `./dev peers` installs some.
PEERS_FOLDER = BUILD_TREE.parent / "peers"
# What lets ranks that share cores answer soonest: of the settings that there are, these were the
# fastest of 4 ranks on 2 cores (allreduce of 8 bytes by MPICH 5.0: 13 us instead of 4,000).
YIELDING = {
    "ompi": {"OMPI_MCA_mpi_yield_when_idle": "1"},
    "mpich": {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1", "MPIR_CVAR_DEVICE_COLLECTIVES": "none"},
}


# Above the priority of all other components.
HAN = {"OMPI_MCA_coll_han_priority": "100"}


class Peer(NamedTuple):
    """An MPI by the folder of its mpiexec; `kind` is ompi or mpich."""

    name: str
    kind: str
    folder: Path


def parse_peers(operation: str, texts: Sequence[str]) -> list[Peer]:
    """Those of --peer, each "NAME=BIN_DIR". Raises CommandError (exit code 2) if there is no
    mpiexec that is known, or for a name of two."""
    peers = [_parse_peer(operation, one) for one in texts]
    require_distinct(operation, [peer.name for peer in peers])
    return peers


def require_distinct(operation: str, names: Sequence[str]) -> None:
    """Raises CommandError (exit code 2) if a table would have two columns of one name."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        remedy = "give --peer NAME=FOLDER with a name of its own for each"
        raise usage_error(operation, f"two libraries have the name {twice!r}", remedy)


def _parse_peer(operation: str, text: str) -> Peer:
    name, equals, folder = text.partition("=")
    mpiexec = Path(folder) / "mpiexec"
    kind = kind_of(str(mpiexec)) if equals and name and mpiexec.is_file() else None
    if kind is None:
        raise usage_error(
            operation,
            f"--peer {text} names no folder with the mpiexec of Open MPI or MPICH",
            "give --peer NAME=FOLDER, as in --peer mpich5=/opt/mpich/bin",
        )
    return Peer(name, kind, Path(folder).resolve())


def peers_here() -> list[Peer]:
    """Those of the system and those that `./dev peers` has installed."""
    found = []
    for kind, mpi in MPIS.items():
        path = find_program(mpi.other_name)
        if path is not None:
            found.append(Peer(mpi.other_name.removeprefix("mpiexec."), kind, Path(path).parent))
    of_system = {peer.name for peer in found}
    for mpiexec in sorted(PEERS_FOLDER.glob("*/bin/mpiexec")):
        kind, name = kind_of(str(mpiexec)), mpiexec.parent.parent.name
        if kind is not None:
            own_name = f"{name} from PyPI" if name in of_system else name
            found.append(Peer(own_name, kind, mpiexec.parent))
    return found


class Carrier(NamedTuple):
    """What carries Tasuki's messages; `mpi` (ompi, mpich or auto) is of transport mpi. Without
    `node_shm` the ranks of a host share no memory, also those of the peers: all use TCP."""

    transport: str = "shm"
    mpi: str = "auto"
    node_shm: bool = True


def choose_carrier(transport: str | None, mpi: str, node_shm: bool, has_hosts: bool) -> Carrier:
    """`transport` None: shm on this host, mpi on several. Raises CommandError (exit code 2) if that
    does not connect the ranks."""
    carrier = Carrier(transport or ("mpi" if has_hosts else "shm"), mpi, node_shm)
    if carrier.transport not in NETWORKS and (has_hosts or not node_shm):
        what = "--hosts" if has_hosts else "--no-node-shm"
        remedy = f"give --transport {' or '.join(NETWORKS)}, or leave {what} out"
        raise usage_error(OPERATION, f"{what} and --transport {carrier.transport}", remedy)
    return carrier


class HostLibrary(NamedTuple):
    """A library that is measured on several hosts: how a table names it, and the job."""

    name: str
    job: Job


def libraries_on_hosts(
    hosts: Sequence[Host], carrier: Carrier, peers: Sequence[Peer], own_name: str
) -> list[HostLibrary]:
    """Tasuki, then the peers; Open MPI also with its collectives of two levels (han), which 4.1
    does not choose by itself. They need memory that ranks of a host share."""
    ranks = ranks_of(hosts)
    libraries = [HostLibrary(own_name, own_job(ranks, carrier, hosts))]
    for peer in peers:
        program = require_program(OPERATION, f"mpi_measure_{peer.kind}", BUILD_WITH_MPI)
        environment = _environment_of(peer, most_ranks_of(hosts))
        if not carrier.node_shm:
            environment |= MPI_OVER_TCP[peer.kind]
        job = Job(program, (), ranks, "mpi", peer.kind, environment=environment, hosts=hosts)
        libraries.append(HostLibrary(peer.name, job))
        if peer.kind == "ompi" and carrier.node_shm:
            libraries.append(
                HostLibrary(f"{peer.name} han", job._replace(environment=environment | HAN))
            )
    require_distinct(OPERATION, [library.name for library in libraries])
    return libraries


class WaitingJob:
    """A measuring job that is stopped but while it is asked. A context manager."""

    def __init__(self, job: Job) -> None:
        self._measurer = JobMeasurer(job)

    def __enter__(self) -> "WaitingJob":
        with ExitStack() as stack:
            stack.enter_context(self._measurer)
            self.library = self._measurer.library()
            self.ranks = _leaves(self._measurer.pid)
            stack.pop_all()
        self._signal(signal.SIGSTOP)
        return self

    def __exit__(self, *error: Any) -> None:
        self._signal(signal.SIGCONT)
        self._measurer.__exit__(*error)

    @contextmanager
    def awake(self) -> Iterator[JobMeasurer]:
        """`with job.awake() as measurer:` asks it."""
        self._signal(signal.SIGCONT)
        try:
            yield self._measurer
        finally:
            self._signal(signal.SIGSTOP)

    def _signal(self, number: int) -> None:
        for pid in self.ranks:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue  # It has ended; the next question says so.


def own_job(ranks: int, carrier: Carrier, hosts: Sequence[Host] = ()) -> Job:
    """Tasuki's, with the policy in force (TASUKI_POLICY). An MPI below it has the devices that the
    peers have."""
    program = require_program(OPERATION, "tasuki_measure")
    kind = find_mpiexec(carrier.mpi)[0] if carrier.transport == "mpi" else carrier.mpi
    environment = {}
    if not carrier.node_shm and carrier.transport == "mpi":
        environment = (MPI_OVER_TCP if hosts else MPI_OVER_LOOPBACK)[kind]
    elif not carrier.node_shm:
        environment = ucx_over_tcp()
    transport, node_shm = carrier.transport, carrier.node_shm
    return Job(program, (), ranks, transport, kind, node_shm, environment, hosts=hosts)


def peer_job(peer: Peer, ranks: int, node_shm: bool) -> Job:
    program = require_program(OPERATION, f"mpi_measure_{peer.kind}", BUILD_WITH_MPI)
    environment = _environment_of(peer, ranks)
    if not node_shm:
        environment |= MPI_OVER_LOOPBACK[peer.kind]
    return Job(program, (), ranks, "mpi", peer.kind, environment=environment)


def _environment_of(peer: Peer, ranks_per_host: int) -> dict[str, str]:
    environment = dict(SETTINGS[peer.kind])
    if is_oversubscribed(ranks_per_host):
        environment |= YIELDING[peer.kind]
    environment["PATH"] = f"{peer.folder}:{os.environ.get('PATH', '')}"
    return environment


def _leaves(pid: int) -> list[int]:
    children = children_of(pid)
    return [leaf for child in children for leaf in _leaves(child)] if children else [pid]
