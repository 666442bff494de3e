"""The races of `tasuki tune --simulate`: what each algorithm costs is computed, not measured."""

import subprocess
from collections.abc import Collection, Iterable, Sequence
from statistics import mean
from typing import Any, NamedTuple

from tasuki.base.errors import ProgramError, usage_error
from tasuki.base.programs import require_program
from tasuki.measurement.dialogue import ask
from tasuki.measurement.measurer import Candidate, Cell, variants_of
from tasuki.measurement.race import Result, Time, winner_of

OPERATION = "tune"
ELEMENT_BYTES = 4
RANKS_MOST = 65536  # As of `tasuki explain`.


class SimulatedPlace(NamedTuple):
    """So many ranks on each of so many nodes of a network, as `tasuki explain --network` names it;
    `nodes_per_group` None: all nodes are at one switch."""

    network: str
    nodes: int
    ranks_per_node: int
    nodes_per_group: int | None
    transport: str

    @property
    def ranks(self) -> int:
        return self.nodes * self.ranks_per_node

    def text_of(self, _: int) -> str:
        per_node = f"{self.ranks_per_node} on each" if self.ranks_per_node > 1 else "each alone"
        return f"{self.ranks} ranks on {self.nodes} nodes, {per_node}, {self.network}"


def simulated_places(
    network: str,
    nodes: Sequence[int],
    ranks_per_node: Sequence[int],
    nodes_per_group: int | None,
    transport: str | None,
) -> list[SimulatedPlace]:
    """All pairs of the two numbers. Raises CommandError (exit code 2) for what is no network
    between nodes."""
    if transport == "shm":
        remedy = "give --transport mpi or ucx, or leave it out"
        raise usage_error("tune", "--simulate and --transport shm, which is for one node", remedy)
    if nodes[0] < 2:
        remedy = "give two nodes at least; one is measured: tasuki tune"
        raise usage_error("tune", "--nodes 1: no network is simulated within a node", remedy)
    if nodes[-1] * ranks_per_node[-1] > RANKS_MOST:
        happened = f"{ranks_per_node[-1]} ranks on each of {nodes[-1]} nodes"
        raise usage_error("tune", happened, f"give up to {RANKS_MOST} ranks in all")
    return [
        SimulatedPlace(network, some, each, nodes_per_group, transport or "mpi")
        for some in nodes
        for each in ranks_per_node
    ]


class Simulator:
    """A process that simulates one call after the other. A context manager; one thread at a time
    may use it."""

    def __init__(self) -> None:
        program = require_program(OPERATION, "tasuki_simulate")
        # It ends when its input does, also where this process is killed.
        self._process = subprocess.Popen(
            [program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "Simulator":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()  # It may have seconds to go.
        self._process.communicate()

    def race(
        self, place: SimulatedPlace, cell: Cell, among: Collection[Candidate] | None = None
    ) -> Result:
        """All algorithms, with the parameters that are tried, or those `among` these; the built-in
        policy's choice is what is used now. Ranks of a node share its link and its memory."""
        call = {
            "collective": cell.collective,
            "ranks": cell.ranks,
            "message_bytes": cell.message_bytes,
            "transport": place.transport,
            "network": place.network,
            "contention": True,
            "ranks_per_node": place.ranks_per_node,
            "nodes_per_group": place.nodes_per_group,
        }
        answer = self._ask("list", call)
        incumbent = Candidate(answer["chosen"], answer["chosen_parameters"])
        candidates = [
            candidate
            for one in answer["algorithms"]
            if not one["unavailable"]
            for candidate in variants_of(one["algorithm"], one["parameters"], cell)
            if among is None or candidate in among
        ]
        times = self._times_of(call, list(dict.fromkeys([incumbent, *candidates])))
        if incumbent not in times:  # With too many steps to simulate it is no match for others.
            incumbent = min(times, key=lambda one: times[one].median)
        return Result(cell, winner_of(times, incumbent), incumbent, times)

    def _times_of(
        self, call: dict[str, Any], candidates: Iterable[Candidate]
    ) -> dict[Candidate, Time]:
        """The mean of the size and of that with an element more, whose blocks are not all of one
        size: a row is for both."""
        size = call["message_bytes"]
        sizes = (size, size + ELEMENT_BYTES) if size else (size,)
        times = {}
        for candidate in candidates:
            asked = call | candidate._asdict()
            answers = [self._ask("measure", asked | {"message_bytes": one}) for one in sizes]
            if not any(one["unavailable"] for one in answers):
                seconds = mean(one["end_ns"] for one in answers) * 1e-9
                times[candidate] = Time(seconds, seconds, seconds, 1)
        return times

    def _ask(self, command: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Raises ProgramError with what the program says of fields that cannot be simulated."""
        try:
            return ask(self._process, OPERATION, command=command, **fields)
        except ProgramError as ended:
            assert self._process.stderr is not None
            raise ProgramError(self._process.stderr.read() or str(ended), ended.exit_code) from None
