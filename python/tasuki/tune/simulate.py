"""`tasuki tune --simulate`: simulates a cluster that need not exist, shows which algorithms are
best there, writes the policy."""

import queue
import textwrap
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from tasuki.launcher.binding import cores_allowed
from tasuki.measurement.measurer import Candidate, Cell
from tasuki.measurement.policy_file import (
    ANY_MACHINE,
    require_writable,
    rows_of,
    text_at,
    text_of,
    write,
)
from tasuki.measurement.policy_parts import NodeRange, require_known_nodes
from tasuki.measurement.race import Result
from tasuki.output.progress import stepping
from tasuki.output.report import Row, envelope, line_columns, print_json
from tasuki.tune.best_algorithms import show_best
from tasuki.tune.rows import rows_of_race
from tasuki.tune.search import OF_UNKNOWN_SIZE, chosen_of, middle_of, open_crossovers
from tasuki.tune.simulator import SimulatedPlace, Simulator

# All algorithms are simulated at all powers of two from 4 B on. Measuring so many takes too long.
LARGEST_BYTES = 4 << 20
# Between two sizes, those that are so near to the best at one of them.
NEAR = 2.0


Race = Callable[[Cell, Collection[Candidate] | None], Result]


class SimulatedTuning(NamedTuple):
    """What the user asked for. `output` None: the result is shown only."""

    places: Sequence[SimulatedPlace]
    collectives: Sequence[str]
    output: Path | None


def tune_by_simulation(tuning: SimulatedTuning, as_json: bool) -> None:
    """After each place its rows are written, so that a long run that is cut off loses little."""
    output = tuning.output
    if output is not None:
        require_writable(output)
        require_known_nodes(text_at(output))
    rows: list[Row] = []
    with _simulators() as simulators:
        for place in tuning.places:
            results = _simulate(simulators, place, tuning.collectives)
            if output is not None:
                _write(output, place, results)
            if as_json:
                rows += _json_rows(place, results)
            else:
                show_best(results, place.text_of)
                print(textwrap.fill(_summary(place, results), line_columns()))
    if as_json:
        print_json(envelope("tune --simulate", rows, ranks=None, transport=None))
    elif output is None:
        print("Nothing was written: --output FILE keeps it.")
    else:
        print(f"Written to {output}; jobs use it with TASUKI_POLICY={output}.")


class _Simulators:
    """One for each core, lent to one thread at a time."""

    def __init__(self, simulators: Sequence[Simulator]) -> None:
        self.count = len(simulators)
        self._free: queue.SimpleQueue[Simulator] = queue.SimpleQueue()
        for one in simulators:
            self._free.put(one)

    @contextmanager
    def lend(self) -> Iterator[Simulator]:
        one = self._free.get()
        try:
            yield one
        finally:
            self._free.put(one)


@contextmanager
def _simulators() -> Iterator[_Simulators]:
    with ExitStack() as stack:
        made = [stack.enter_context(Simulator()) for _ in cores_allowed()]
        yield _Simulators(made)


def _simulate(
    simulators: _Simulators, place: SimulatedPlace, collectives: Sequence[str]
) -> list[Result]:
    steps_count = sum(len(_cells_of(collective, place)) for collective in collectives)
    title = place.text_of(place.ranks)
    with (
        stepping(steps_count, title, "tune --simulate") as begin_step,
        ThreadPoolExecutor(simulators.count) as pool,
    ):
        shows = threading.Lock()

        def race(cell: Cell, among: Collection[Candidate] | None) -> Result:
            with simulators.lend() as simulator:
                result = simulator.race(place, cell, among)
            with shows:
                begin_step(f"{cell.collective}, {cell.message_bytes} B: {result.winner}")
            return result

        found = pool.map(lambda one: _results_of(one, place, race), collectives)
        return [result for results in found for result in results]


def _cells_of(collective: str, place: SimulatedPlace) -> list[Cell]:
    if collective == "barrier":
        return [Cell(collective, place.ranks, 0)]
    sizes = [1 << bits for bits in range(2, LARGEST_BYTES.bit_length())]
    return [Cell(collective, place.ranks, size) for size in sizes]


def _results_of(collective: str, place: SimulatedPlace, race: Race) -> list[Result]:
    """The grid of sizes and those between them, then what lies between sizes whose winners
    differ."""
    results = [race(cell, None) for cell in _cells_of(collective, place)]
    if collective in OF_UNKNOWN_SIZE:
        return chosen_of(results)

    def race_between(low: Result, high: Result) -> Result:
        middle = middle_of(low.cell.message_bytes, high.cell.message_bytes)
        return race(low.cell._replace(message_bytes=middle), _near(low) | _near(high))

    results += [race_between(*pair) for pair in pairwise(results)]
    while True:
        by_size = {one.cell.message_bytes: one for one in results}
        gaps = [gap for gap in open_crossovers(chosen_of(results)) if middle_of(*gap) not in gap]
        if not gaps:
            return chosen_of(results)
        results += [race_between(by_size[low], by_size[high]) for low, high in gaps]


def _near(result: Result) -> set[Candidate]:
    best = min(time.median for time in result.times.values())
    return {one for one, time in result.times.items() if time.median <= NEAR * best}


def _write(path: Path, place: SimulatedPlace, results: Sequence[Result]) -> None:
    nodes = NodeRange(2, place.nodes, place.ranks_per_node)
    rows = rows_of(results, cores=0)
    earlier = text_at(path)
    write(path, text_of(rows, ANY_MACHINE, place.transport, nodes=nodes, earlier=earlier))


def _summary(place: SimulatedPlace, results: Sequence[Result]) -> str:
    """How much better than the built-in policy, and how near to the best."""
    gains = sorted(one.gain for one in results if one.winner != one.incumbent)
    gained = f", {gains[len(gains) // 2]:.2f} times as fast in the middle" if gains else ""
    sized = [one for one in results if one.cell.collective not in OF_UNKNOWN_SIZE]
    most = f" What is chosen takes at most {_most_ratio(sized):.2f} times as long as the best."
    return (
        f"With {place.text_of(place.ranks)}, {len(gains)} of {len(results)} cells get another"
        f" algorithm than by the built-in policy{gained}.{most if sized else ''}"
    )


def _most_ratio(results: Sequence[Result]) -> float:
    return max(
        one.times[one.winner].median / min(time.median for time in one.times.values())
        for one in results
    )


def _json_rows(place: SimulatedPlace, results: Sequence[Result]) -> list[Row]:
    more = {
        "network": place.network,
        "nodes": place.nodes,
        "ranks_per_node": place.ranks_per_node,
        "nodes_per_group": place.nodes_per_group,
    }
    # Nothing shares the cores of this host.
    return [row for one in results for row in rows_of_race(one, "simulate", "tasuki", 1, **more)]
