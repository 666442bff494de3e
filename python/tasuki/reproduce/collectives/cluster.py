"""The paper's measurements on 8 simulated nodes of gigabit Ethernet: its loops and its roads.

SimGrid has Open MPI's algorithms, ported, and chooses one where it is told to; AL0 is what they
choose from by themselves, in the version of Open MPI that SimGrid has followed.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.reproduce.collectives.paper import CALLS, NODES
from tasuki.reproduce.collectives.searches import search_arguments
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.simulation import Cluster, Simulation, simulated_run

NETWORK = "gigabit_ethernet"
SLOWDOWN = 1.0  # The paper's Core i7-3770 is taken for as fast as the core of the work.
# Seconds that each side spends on a message; with the platform's latency 25 us in all.
_MESSAGE_S = "0:5e-6:0"
_OVERHEAD = tuple(f"smpi/{side}:{_MESSAGE_S}" for side in ("os", "ois", "or"))
_OPEN_MPI = "smpi/coll-selector:ompi"
# By collective and the paper's number what SimGrid is told. Allreduce AL1 is a linear reduction and
# a linear broadcast, AL2 those that Open MPI chooses. SimGrid has no AL4 of alltoall: the programs
# bring their own. AL5 of alltoall exchanges between two processes alone.
SETTINGS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "allreduce": {
        "AL0": (_OPEN_MPI,),
        "AL1": ("smpi/allreduce:redbcast", "smpi/reduce:ompi_basic_linear", "smpi/bcast:flattree"),
        "AL2": (_OPEN_MPI, "smpi/allreduce:redbcast"),
        "AL3": (_OPEN_MPI, "smpi/allreduce:rdb"),
        "AL4": (_OPEN_MPI, "smpi/allreduce:lr"),
        "AL5": (_OPEN_MPI, "smpi/allreduce:ompi_ring_segmented"),
    },
    "alltoall": {
        "AL0": (_OPEN_MPI,),
        "AL1": (_OPEN_MPI, "smpi/alltoall:basic_linear"),
        "AL2": (_OPEN_MPI, "smpi/alltoall:ring"),
        "AL3": (_OPEN_MPI, "smpi/alltoall:bruck"),
        "AL4": (_OPEN_MPI,),
        "AL5": (_OPEN_MPI, "smpi/alltoall:pair"),
    },
}
# What apps/common/alltoall_linear_sync.cpp is told: no limit, as is Open MPI's default.
VARIABLES: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("alltoall", "AL4"): {"ALLTOALL_MAX_REQUESTS": "0"}
}
TWO_ONLY = ("alltoall", "AL5")
_SIMULATED_CALLS = 20  # They repeat exactly.
_LOOP_S = 0.3
# For a phase of the search with 8 nodes, on a Xeon core (Sapphire Rapids); phases of our graphs.
_PHASE_S = 1.5e-3
_PHASES_OF_ROOT = 4.6


class Case(NamedTuple):
    """An algorithm of a collective on so many nodes."""

    collective: str
    algorithm: str
    nodes: int


def told(collective: str, algorithm: str) -> list[str]:
    """What chooses the algorithm: SimGrid's settings, then variables of the environment."""
    variables = VARIABLES.get((collective, algorithm), {})
    return [
        *(setting.removeprefix("smpi/") for setting in SETTINGS[collective][algorithm]),
        *(f"{name}={value}" for name, value in variables.items()),
    ]


def cases_of(collective: str) -> list[Case]:
    """All that can be simulated."""
    return [
        Case(collective, algorithm, nodes)
        for algorithm in SETTINGS[collective]
        for nodes in NODES
        if (collective, algorithm) != TWO_ONLY or nodes == 2
    ]


class SimulatedCluster:
    """All runs on simulated nodes of one reproduction."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab

    def loops(self, collective: str, size_bytes: int) -> dict[Case, float]:
        """Seconds of CALLS calls; of those that could be had."""
        arguments = (collective, str(size_bytes), str(_SIMULATED_CALLS))
        found = self._run(
            "repeated_collective_smpi", collective, str(size_bytes), _LOOP_S, arguments
        )
        share = CALLS / _SIMULATED_CALLS
        return {case: one["seconds"] * share for case, one in found.items()}

    def searches(self, collective: str, graph: Path, nodes_of_graph: int) -> dict[Case, dict]:
        """Shortest paths on the graph; of those that could be had what the program says."""
        arguments = (*search_arguments(graph, 1), "--json")
        expected_s = _PHASE_S * _PHASES_OF_ROOT * nodes_of_graph**0.5
        return self._run("sssp_mpi_smpi", collective, graph.name, expected_s, arguments)

    def _run(
        self, program: str, collective: str, of: str, expected_s: float, arguments: tuple[str, ...]
    ) -> dict[Case, Any]:
        """Several at once: load does not matter."""
        runs: dict[Case, Run] = {}
        for case in cases_of(collective):
            settings = (*SETTINGS[collective][case.algorithm], *_OVERHEAD)
            cluster = Cluster(NETWORK, SLOWDOWN, settings)
            title = f"{collective} by {case.algorithm}, {of}, {case.nodes} simulated nodes"
            simulation = Simulation(
                "reproduce collectives", program, arguments, case.nodes, cluster,
                VARIABLES.get((collective, case.algorithm), {}),
            )  # fmt: skip
            run = simulated_run(self._lab, (program, *case, of), title, expected_s, simulation)
            if run is not None:
                runs[case] = run
        self._lab.measure_together(list(runs.values()))
        found = {case: self._lab.measured(run) for case, run in runs.items()}
        return {case: value for case, value in found.items() if value is not None}
