"""Clusters of simulated nodes: MPI programs linked with SimGrid's SMPI, run by smpirun.

The computation is real, but the time it takes is stated by the kernels
(apps/npb/common/simulated_work.hpp) and not clocked, so that results are the same on each machine
and under each load. Nodes and network are those of the platform file. The processor time that MPI
and Tasuki take for themselves is not simulated.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from tasuki.launcher.program import find_program
from tasuki.measurement.jobs import Outcome, run_command

NODES_MAX = 32
STATIC_TLS_BYTES = 1 << 18  # For 1,024 ranks and more.
PLATFORMS = Path(__file__).parent / "platforms"
NETWORKS = ("ethernet", "myrinet")

# The network is to be the platform file's alone, not corrected for SimGrid's reference cluster.
_CONFIGURATION = (
    "--cfg=smpi/simulate-computation:no",
    "--cfg=smpi/bw-factor:0:1",
    "--cfg=smpi/lat-factor:0:1",
    "--log=root.thres:critical",
)


def simulator() -> str | None:
    """The path of smpirun, or None if SimGrid is not installed."""
    return find_program("smpirun")


def describe_network(network: str) -> str:
    """What the platform file says, in words."""
    cluster = ElementTree.parse(PLATFORMS / f"{network}.xml").find("cluster")
    assert cluster is not None
    unit_ns = 1e3 / float(cluster.attrib["speed"].removesuffix("Mf"))
    bandwidth, latency = cluster.attrib["bw"], cluster.attrib["lat"]
    return (
        f"{network}, {bandwidth.removesuffix('MBps')} MB/s each way, {latency.removesuffix('us')}"
        f" us for each of the two links of a message, a processor {unit_ns:.0f} times slower than"
        " the one the kernels were measured on"
    )


def run_simulated(
    program: Path, arguments: Sequence[str], ranks: int, network: str, timeout_s: float
) -> Outcome:
    """Runs an SMPI program with one rank on each of `ranks` nodes of `network`.

    It uses one core, and what else this machine does has no influence on the result.
    """
    smpirun = simulator()
    assert smpirun is not None
    with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
        hosts = Path(folder) / "hosts"
        hosts.write_text("".join(f"node-{node}\n" for node in range(ranks)))
        command = [smpirun, "-np", str(ranks), "-hostfile", str(hosts)]
        command += ["-platform", str(PLATFORMS / f"{network}.xml"), *_CONFIGURATION]
        command += [str(program), *arguments]
        return run_command(command, timeout_s, _environment(folder), is_apart=True)


def _environment(folder: str) -> dict[str, str]:
    """smpirun keeps its files in TMPDIR; a Tasuki program has no other transport there.

    Each rank is a copy of the program, loaded by itself, with thread-local variables (112 bytes);
    the C library has set room for some 14 of those aside, unless it is told to.
    """
    room = f"glibc.rtld.optional_static_tls={STATIC_TLS_BYTES}"
    return {"TMPDIR": folder, "TASUKI_TRANSPORT": "mpi", "GLIBC_TUNABLES": room}
