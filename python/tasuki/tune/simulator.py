"""The races of `tasuki tune --simulate`: what each algorithm costs is computed, not measured."""

import queue
import subprocess
from collections.abc import Collection, Iterable, Sequence
from statistics import mean
from typing import Any, NamedTuple

from tasuki.base.errors import CommandError, ProgramError, usage_error
from tasuki.base.programs import require_program
from tasuki.measurement.dialogue import ask
from tasuki.measurement.measurer import OPERATION, Candidate, Cell, variants_of
from tasuki.measurement.race import Result, Time, winner_of

ELEMENT_BYTES = 4


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

    @property
    def text(self) -> str:
        per_node = f"{self.ranks_per_node} on each" if self.ranks_per_node > 1 else "each alone"
        return f"{self.ranks} ranks on {self.nodes} nodes, {per_node}, {self.network}"


def simulated_places(
    network: str,
    nodes: Sequence[int],
    ranks_per_node: Sequence[int],
    nodes_per_group: int | None,
    transport: str | None,
) -> list[SimulatedPlace]:
    """All pairs of the two numbers, in ascending order. Raises CommandError (exit code 2) for what
    is no network between nodes."""
    if transport == "shm":
        remedy = "give --transport mpi or ucx, or leave it out"
        raise usage_error(OPERATION, "--simulate and --transport shm, which is for a node", remedy)
    if nodes[0] < 2:
        remedy = "give two nodes at least; one is measured: tasuki tune"
        raise usage_error(OPERATION, "--nodes 1: no network is simulated within a node", remedy)
    if nodes_per_group is not None and nodes_per_group >= nodes[-1]:
        happened = (
            f"--nodes-per-group {nodes_per_group} and at most {nodes[-1]} nodes are one group"
        )
        raise usage_error(OPERATION, happened, "leave --nodes-per-group out, or give more --nodes")
    if nodes_per_group is None and ",taper=" in network:
        happened = f"--simulate {network} and no --nodes-per-group: there is nothing to taper"
        raise usage_error(OPERATION, happened, "give --nodes-per-group, or leave taper out")
    return [
        SimulatedPlace(network, some, each, nodes_per_group, transport or "mpi")
        for some in nodes
        for each in ranks_per_node
    ]


class Simulators:
    """Processes that simulate one call after the other, each for one thread at a time. A context
    manager, with which they end; they also end with this process."""

    def __init__(self, count: int) -> None:
        program = require_program(OPERATION, "tasuki_simulate")
        self.count = count
        self._free: queue.SimpleQueue[subprocess.Popen[str]] = queue.SimpleQueue()
        self._all = []
        for _ in range(count):
            pipe = subprocess.PIPE
            process = subprocess.Popen([program], stdin=pipe, stdout=pipe, stderr=pipe, text=True)
            self._all.append(process)
            self._free.put(process)

    def __enter__(self) -> "Simulators":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """Whoever waits for an answer gets an error."""
        for process in self._all:
            process.kill()  # It may have seconds to go.
        for process in self._all:
            process.wait()

    def race(
        self, place: SimulatedPlace, cell: Cell, among: Collection[Candidate] | None = None
    ) -> Result | None:
        """All algorithms, with the parameters that are tried, or those `among` these; the built-in
        policy's choice is what is used now, or where that cannot be simulated, the best. Ranks of a
        node share its link and its memory. None: nothing can be simulated for so many ranks."""
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
        process = self._free.get()
        try:
            answer = _ask(process, "list", call)
            candidates = [
                candidate
                for one in answer["algorithms"]
                if not one["unavailable"]
                for candidate in variants_of(one["algorithm"], one["parameters"], cell)
                if among is None or candidate in among
            ]
            incumbent = Candidate(answer["chosen"], answer["chosen_parameters"])
            times = _times_of(process, call, dict.fromkeys([incumbent, *candidates]))
        finally:
            self._free.put(process)
        if not times:
            return None
        if incumbent not in times:
            incumbent = min(times, key=lambda one: times[one].median)
        return Result(cell, winner_of(times, incumbent), incumbent, times)


def _times_of(
    process: subprocess.Popen[str], call: dict[str, Any], candidates: Iterable[Candidate]
) -> dict[Candidate, Time]:
    """The mean of the size and of that with an element more, whose blocks are not all of one size:
    a row is for both."""
    size = call["message_bytes"]
    sizes = (size, size + ELEMENT_BYTES) if size else (size,)
    times = {}
    for candidate in candidates:
        asked = call | candidate._asdict()
        answers = [_ask(process, "measure", asked | {"message_bytes": one}) for one in sizes]
        if not any(one["unavailable"] for one in answers):
            seconds = mean(one["end_ns"] for one in answers) * 1e-9
            times[candidate] = Time(seconds, seconds, seconds, 1)
    return times


def _ask(process: subprocess.Popen[str], command: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Raises ProgramError with what the program says of fields that cannot be simulated, and
    CommandError if it has been killed."""
    try:
        return ask(process, OPERATION, command=command, **fields)
    except ProgramError as ended:
        assert process.stderr is not None
        said = process.stderr.read()
        if said:
            raise ProgramError(said, ended.exit_code) from None
        raise CommandError(
            OPERATION,
            f"the simulator was killed at {fields['collective']} of {fields['message_bytes']} bytes"
            f" on {fields['ranks']} ranks",
            "give fewer --nodes: it may have lacked memory",
        ) from None
