"""`tasuki tune --simulate`: simulates a cluster that need not exist, shows which algorithms are
best there, writes the policy."""

import textwrap
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from tasuki.base.errors import usage_error
from tasuki.base.interrupts import until_interrupted
from tasuki.launcher.binding import cores_allowed
from tasuki.measurement.measurer import Candidate, Cell
from tasuki.measurement.policy_file import (
    ANY_MACHINE,
    has_rows,
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
from tasuki.tune.simulator import SimulatedPlace, Simulators

# All algorithms are simulated at all powers of two from 4 B on. Measuring so many takes too long.
LARGEST_BYTES = 4 << 20
# Between two sizes, those that are so near to the best at one of them.
RACED_BETWEEN_RATIO = 2.0


class SimulatedTuning(NamedTuple):
    """What the user asked for, on one network. `output` None: the result is shown only."""

    places: Sequence[SimulatedPlace]
    collectives: Sequence[str]
    output: Path | None

    @property
    def transport(self) -> str:
        return self.places[0].transport


class Asked(NamedTuple):
    """`among` None: all algorithms there are."""

    cell: Cell
    among: Collection[Candidate] | None = None


def tune_by_simulation(tuning: SimulatedTuning, as_json: bool) -> int:
    """The exit code. After each place its rows are shown and written; a signal such as
    Ctrl-C leaves those."""
    if tuning.output is not None:
        _require_same_kind(tuning.output, tuning.transport)
    rows: list[Row] = []
    is_written = False
    with until_interrupted() as interruption, Simulators(len(cores_allowed())) as simulators:
        for place in tuning.places:
            results = _simulate(simulators, place, tuning.collectives)
            with interruption.held_back():
                if tuning.output is not None and results:
                    _write(tuning.output, place, results)
                    is_written = True
                if as_json:
                    rows += _json_rows(place, results)
                else:
                    _show(place, results, tuning)
    if as_json:
        print_json(
            envelope(
                "tune --simulate",
                rows,
                ranks=None,
                transport=tuning.transport,
                is_incomplete=interruption.has_come,
            )
        )
    elif tuning.output is None:
        print("Nothing was written: --output FILE keeps it.")
    elif not is_written:
        print(f"Nothing was written to {tuning.output}: nothing has been simulated to its end.")
    else:
        print(f"Written to {tuning.output}; jobs use it with TASUKI_POLICY={tuning.output}.")
    return interruption.exit_code()


def _require_same_kind(path: Path, transport: str) -> None:
    """Raises CommandError (exit code 2) if what is in the file would be lost, or the result."""
    require_writable(path)
    earlier = text_at(path)
    require_known_nodes(earlier)
    if earlier and not has_rows(earlier, ANY_MACHINE, transport):
        raise usage_error(
            "tune",
            f"{path} is no policy for any machine over {transport}",
            "name another file with --output, or remove that one",
        )


def _simulate(
    simulators: Simulators, place: SimulatedPlace, collectives: Sequence[str]
) -> list[Result]:
    """The grid of sizes and those between them, then what lies between sizes whose winners differ.
    Collectives that cannot be simulated are left out."""
    cells = [cell for collective in collectives for cell in _cells_of(collective, place)]
    steps_count = len(cells) + sum(
        len(_cells_of(collective, place)) - 1
        for collective in collectives
        if collective not in OF_UNKNOWN_SIZE
    )
    with (
        stepping(steps_count, place.text, "tune --simulate") as begin_step,
        ThreadPoolExecutor(simulators.count) as pool,
    ):

        def race(asked: Asked) -> Result | None:
            return simulators.race(place, asked.cell, asked.among)

        def race_all(asked: Sequence[Asked]) -> list[Result]:
            found = []
            for one, result in zip(asked, pool.map(race, asked), strict=True):
                begin_step(f"{one.cell.collective}, {one.cell.message_bytes} B")
                found += [] if result is None else [result]
            return found

        try:
            results = race_all([Asked(cell) for cell in cells])
            results += race_all(list(_between(results)))
            while more := list(_crossovers(results)):
                results += [one for one in pool.map(race, more) if one is not None]
        except BaseException:
            simulators.kill()  # What waits for their answers ends then.
            pool.shutdown(cancel_futures=True)
            raise
    return [
        one
        for of_one in _by_collective(results).values()
        if _can_choose(of_one)
        for one in chosen_of(of_one)
    ]


def _can_choose(results: Sequence[Result]) -> bool:
    """One for all sizes must be there at all sizes."""
    if results[0].cell.collective not in OF_UNKNOWN_SIZE:
        return True
    return bool(set.intersection(*(set(one.times) for one in results)))


def _cells_of(collective: str, place: SimulatedPlace) -> list[Cell]:
    if collective == "barrier":
        return [Cell(collective, place.ranks, 0)]
    sizes = [1 << bits for bits in range(2, LARGEST_BYTES.bit_length())]
    return [Cell(collective, place.ranks, size) for size in sizes]


def _by_collective(results: Sequence[Result]) -> dict[str, list[Result]]:
    ordered = sorted(results, key=lambda one: one.cell)
    groups = groupby(ordered, key=lambda one: one.cell.collective)
    return {collective: list(group) for collective, group in groups}


def _between(results: Sequence[Result]) -> Iterator[Asked]:
    for collective, of_one in _by_collective(results).items():
        if collective not in OF_UNKNOWN_SIZE:
            for low, high in pairwise(of_one):
                yield _middle(low, high)


def _crossovers(results: Sequence[Result]) -> Iterator[Asked]:
    for collective, of_one in _by_collective(results).items():
        if collective in OF_UNKNOWN_SIZE:
            continue
        by_size = {one.cell.message_bytes: one for one in of_one}
        for gap in open_crossovers(chosen_of(of_one)):
            if middle_of(*gap) not in gap:
                low, high = gap
                yield _middle(by_size[low], by_size[high])


def _middle(low: Result, high: Result) -> Asked:
    middle = middle_of(low.cell.message_bytes, high.cell.message_bytes)
    return Asked(low.cell._replace(message_bytes=middle), _near(low) | _near(high))


def _near(result: Result) -> set[Candidate]:
    best = min(time.median for time in result.times.values())
    return {one for one, time in result.times.items() if time.median <= RACED_BETWEEN_RATIO * best}


def _write(path: Path, place: SimulatedPlace, results: Sequence[Result]) -> None:
    nodes = NodeRange(2, place.nodes, place.ranks_per_node)
    rows = [
        row._replace(reason=f"{place.network}: {row.reason}") for row in rows_of(results, cores=0)
    ]
    earlier = text_at(path)
    write(path, text_of(rows, ANY_MACHINE, place.transport, nodes=nodes, earlier=earlier))


def _show(place: SimulatedPlace, results: Sequence[Result], tuning: SimulatedTuning) -> None:
    left_out = set(tuning.collectives) - set(_by_collective(results))
    if results:
        show_best(results, lambda _: place.text)
        print(textwrap.fill(_summary(place, results), line_columns()))
    for collective in sorted(left_out):
        said = f"{collective} takes too many steps to simulate: the built-in policy chooses."
        print(f"With {place.text}, {said}")


def _summary(place: SimulatedPlace, results: Sequence[Result]) -> str:
    """How much better than the built-in policy, and how near to the best."""
    gains = sorted(one.gain for one in results if one.winner != one.incumbent)
    gained = f", {gains[len(gains) // 2]:.2f} times as fast in the middle" if gains else ""
    sized = [one for one in results if one.cell.collective not in OF_UNKNOWN_SIZE]
    most = f" What is chosen takes at most {_worst_ratio(sized):.2f} times as long as the best."
    return (
        f"With {place.text}, {len(gains)} of {len(results)} cells get another"
        f" algorithm than by the built-in policy{gained}.{most if sized else ''}"
    )


def _worst_ratio(results: Sequence[Result]) -> float:
    """Of a chosen algorithm's time to that of the best one that was simulated."""
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
