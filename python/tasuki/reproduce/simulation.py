"""Clusters of simulated nodes: MPI programs linked with SimGrid's SMPI, run by smpirun.

The computation is real, but the time it takes is stated by the kernels
(apps/common/simulated_work.hpp) and not clocked, so that results are the same on each machine
and under each load. The network is that of the platform file, whose nodes are as fast as the core
on which the work was measured; who runs a program says how much slower they are. The processor time
that MPI and Tasuki take for themselves is not simulated.
"""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from xml.etree import ElementTree

from tasuki.base.programs import BUILD_WITH_SIMGRID, require_program
from tasuki.bench.baselines import solution
from tasuki.launcher.program import find_program
from tasuki.measurement.jobs import Outcome, run_command
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.repetitions import limit_s

NODES_MAX = 32
STATIC_TLS_BYTES = 1 << 18  # For 1,024 ranks and more.
PLATFORMS = Path(__file__).parent / "platforms"
NODE_HZ = 1e9  # A unit of work is a nanosecond.

_PROLOGUE = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
"""

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
    cluster = _platform(network).find("cluster")
    assert cluster is not None
    bandwidth, latency = cluster.attrib["bw"], cluster.attrib["lat"]
    return (
        f"{network.replace('_', ' ')}, {bandwidth.removesuffix('MBps')} MB/s each way,"
        f" {latency.removesuffix('us')} us for each of the two links of a message"
    )


class Cluster(NamedTuple):
    """Nodes of a network of PLATFORMS, `slowdown` times slower than the core of the work; further
    `settings` of SimGrid, as in smpi/allreduce:rdb."""

    network: str
    slowdown: float
    settings: tuple[str, ...] = ()


class Simulation(NamedTuple):
    """One run of a program of this build on `nodes` of the cluster, with further variables in its
    environment; `operation` is for errors."""

    operation: str
    program: str
    arguments: tuple[str, ...]
    nodes: int
    cluster: Cluster
    environment: Mapping[str, str] = MappingProxyType({})


def simulated_run(
    lab: Lab, key: Any, title: str, expected_s: float, simulation: Simulation
) -> Run | None:
    """Gives what the program says, and `counts` of what each rank asked of MPI if it counts that;
    None if this machine cannot do it."""
    if simulator() is None:
        lab.note("no simulated clusters: SimGrid's smpirun is not installed, as with:"
                 " apt install libsimgrid-dev")  # fmt: skip
        return None
    operation, name, arguments, nodes, cluster, variables = simulation
    program = lab.available(lambda: require_program(operation, name, BUILD_WITH_SIMGRID))
    if program is None:
        return None

    def measure(seconds_left: float) -> dict[str, Any]:
        most_s = min(seconds_left, limit_s(expected_s))
        with tempfile.NamedTemporaryFile(prefix="tasuki-") as counts:
            environment = {"MPCXX_COUNTS_FILE": counts.name, **variables}
            solved = solution(
                run_simulated(program, arguments, nodes, cluster, most_s, environment)
            )
            counted = Path(counts.name).read_text()
            return {**solved, "counts": json.loads(counted)["per_rank"]} if counted else solved

    return Run(key, title, expected_s, measure)


def run_simulated(
    program: Path,
    arguments: Sequence[str],
    ranks: int,
    cluster: Cluster,
    timeout_s: float,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Outcome:
    """Runs an SMPI program with one rank on each of `ranks` nodes.

    It uses one core, and what else this machine does has no influence on the result.
    """
    smpirun = simulator()
    assert smpirun is not None
    with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
        hosts, platform = Path(folder) / "hosts", Path(folder) / "platform.xml"
        hosts.write_text("".join(f"node-{node}\n" for node in range(ranks)))
        _write_platform(cluster, platform)
        command = [smpirun, "-np", str(ranks), "-hostfile", str(hosts)]
        command += ["-platform", str(platform), *_CONFIGURATION]
        command += [f"--cfg={setting}" for setting in cluster.settings]
        command += [str(program), *arguments]
        surroundings = {**_environment(folder), **environment}
        return run_command(command, timeout_s, surroundings, is_apart=True)


def _platform(network: str) -> ElementTree.ElementTree:
    return ElementTree.parse(PLATFORMS / f"{network}.xml")


def _write_platform(cluster: Cluster, path: Path) -> None:
    platform = _platform(cluster.network)
    nodes = platform.find("cluster")
    assert nodes is not None
    nodes.set("speed", f"{NODE_HZ / cluster.slowdown:.0f}f")
    text = ElementTree.tostring(platform.getroot(), encoding="unicode")
    path.write_text(f"{_PROLOGUE}{text}\n")


def _environment(folder: str) -> dict[str, str]:
    """smpirun keeps its files in TMPDIR; a Tasuki program has no other transport there.

    Each rank is a copy of the program, loaded by itself, with thread-local variables (112 bytes);
    the C library has set room for some 14 of those aside, unless it is told to.
    """
    room = f"glibc.rtld.optional_static_tls={STATIC_TLS_BYTES}"
    return {"TMPDIR": folder, "TASUKI_TRANSPORT": "mpi", "GLIBC_TUNABLES": room}
