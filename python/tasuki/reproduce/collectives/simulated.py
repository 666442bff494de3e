"""All algorithms on clusters that need not exist: the LogGP simulator, 2 to 1024 ranks."""

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tasuki.base.errors import ProgramError
from tasuki.base.programs import require_program
from tasuki.explain.question import BUILT_IN, NO_ROUNDS, Question, ask_program
from tasuki.measurement.jobs import EXIT_TIMED_OUT
from tasuki.output.figure import Point
from tasuki.output.place import cell_fields
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.repetitions import limit_s

COLLECTIVES = ("allreduce", "alltoall")
NETWORKS = ("gigabit_ethernet", "200g")
# Powers of two, and numbers between them that are none.
RANKS = (2, 4, 6, 8, 16, 24, 32, 64, 96, 128, 256, 384, 512, 1024)
DRAWN_RANKS = (8, 64, 1024)
SIZES = tuple(4**exponent for exponent in range(1, 11))  # 4 B to 1 MiB.
# Of all algorithms at one size, roughly, on a Xeon core (Sapphire Rapids); grows with the messages.
_EXPECTED_S = {"allreduce": 0.6, "alltoall": 2.5}
_EXPECTED_RANKS = 1024
_GROWTH = 2
# Column, field, unit.
PARAMETERS = (
    ("latency, ns", "latency_ns", "ns"),
    ("overhead, ns", "overhead_ns", "ns"),
    ("gap, ns", "gap_ns", "ns"),
    ("ns for a byte", "gap_ns_per_byte", "ns"),
    ("copying, ns for a byte", "copy_ns_per_byte", "ns"),
    ("combining, ns for a byte", "reduce_ns_per_byte", "ns"),
)
REMARK = (
    "Simulated under LogGP, one rank on each node; all messages into a node, and all that leave it,"
    " pass through its one link. Algorithms have their own parameters; those in memory are left"
    " out. Two runs agree to the last digit."
)


class Simulated(NamedTuple):
    """What the simulator says of one cell: by algorithm the seconds, and on which network."""

    seconds: dict[str, float]
    network: dict[str, Any]
    source: str


def _decoded(record: dict[str, Any]) -> dict[int, Simulated]:
    """JSON makes texts of the sizes."""
    return {int(size): Simulated(*found) for size, found in record.items()}


class Simulations:
    """All simulations of one reproduction."""

    def __init__(self, lab: Lab, sizes: tuple[int, ...]) -> None:
        self.lab = lab
        self.sizes = sizes

    def cells(
        self, collective: str, all_ranks: Sequence[int]
    ) -> Iterator[tuple[str, int, int, Simulated]]:
        """Network, ranks and size of all that can be had; simulated several at once: load does not
        matter."""
        runs = {
            (network, ranks): run
            for network in NETWORKS
            for ranks in all_ranks
            if (run := self._run(collective, network, ranks))
        }
        self.lab.measure_together(list(runs.values()))
        for place, run in runs.items():
            for size, found in (self.lab.measured(run) or {}).items():
                yield *place, size, found

    def _run(self, collective: str, network: str, ranks: int) -> Run | None:
        if self.lab.available(lambda: require_program("reproduce", "tasuki_explain")) is None:
            return None
        share = (ranks / _EXPECTED_RANKS) ** _GROWTH
        expected_s = len(self.sizes) * (0.01 + _EXPECTED_S[collective] * share)

        def measure(seconds_left: float) -> dict[int, Simulated]:
            end_time = time.monotonic() + min(seconds_left, limit_s(expected_s))
            found = {}
            for size in self.sizes:
                if time.monotonic() > end_time:
                    raise ProgramError("", EXIT_TIMED_OUT)
                found[size] = _simulate(collective, network, ranks, size)
            return found

        title = f"{collective}, {ranks} ranks simulated on {network}"
        return Run(("simulate", collective, network, ranks), title, expected_s, measure, _decoded)


def times(collective: str, simulations: Simulations) -> list[Point]:
    """By size, a panel for each network and some numbers of ranks."""
    return [
        Point(f"{collective}, {ranks} ranks, {network}", algorithm, size, seconds * 1e6, "us",
              details=_details(collective, network, algorithm, ranks, size, found))
        for network, ranks, size, found in simulations.cells(collective, DRAWN_RANKS)
        for algorithm, seconds in found.seconds.items()
    ]  # fmt: skip


def best(simulations: Simulations) -> list[Point]:
    """The best algorithm for each number of ranks and size."""
    points = []
    for collective in COLLECTIVES:
        for network, ranks, size, found in simulations.cells(collective, RANKS):
            algorithm = min(found.seconds, key=lambda name: found.seconds[name])
            details = _details(collective, network, algorithm, ranks, size, found)
            panel = f"{collective} on {network}"
            points.append(Point(panel, str(ranks), size, algorithm, "", details=details))
    return points


def networks(simulations: Simulations) -> list[Point]:
    """The parameters of the networks, and where they are from."""
    cells = simulations.cells("allreduce", RANKS[:1])
    return [
        Point("parameters of LogGP and of memory", title, network, value, unit)
        for network, found in {network: found for network, _, _, found in cells}.items()
        for title, value, unit in (
            *((title, found.network[field], unit) for title, field, unit in PARAMETERS),
            ("source", found.source, ""),
        )
    ]


def _simulate(collective: str, network: str, ranks: int, size: int) -> Simulated:
    answer = ask_program(
        Question(collective, ranks, size, "mpi", network, BUILT_IN, NO_ROUNDS, None,
                 contention=True),
        is_drawn=False,
    )  # fmt: skip
    seconds = {
        one["algorithm"]: one["simulated"]["end_ns"] * 1e-9
        for one in answer["alternatives"]
        if one["simulated"]
    }
    return Simulated(seconds, answer["network_parameters"], answer["network_source"])


def _details(
    collective: str, network: str, algorithm: str, ranks: int, size: int, found: Simulated
) -> dict[str, Any]:
    return {
        **cell_fields(collective, ranks, size),
        "algorithm": algorithm,
        "seconds": found.seconds[algorithm],
        "oversubscribed": False,
        "network": network,
        "contention": found.network["contention"],
    }
