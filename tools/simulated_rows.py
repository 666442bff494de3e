"""Makes src/coll/simulated/*.cpp: which algorithm the built-in policy uses on many nodes.

    python tools/simulated_rows.py build/release/bin/tasuki_explain alone

simulates every algorithm that sends messages, on all networks that come with Tasuki, for many
numbers of nodes and ranks per node and many sizes, and writes rows that are near the best of them
everywhere. A row says `up to`, so each cell stands for the sizes below it. Parts of the algorithms
that know nodes use rows of their own: make `one_node` first, build, then `alone`, build, and at
last `nodes`.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent.parent / "src/coll/simulated"
NETWORKS = ("gigabit_ethernet", "200g")
COLLECTIVES = (
    "barrier broadcast reduce allreduce gather scatter allgather allgatherv alltoall"
    " reduce_scatter_block reduce_scatter scan exscan"
).split()
HAVE_BLOCKS = COLLECTIVES[4:11]
SIZES = [4, 64, 256, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 16, 1 << 17, 1 << 19]
SIZES += [1 << 20, 1 << 22]
ALL_BLOCKS_MOST_BYTES = 1 << 28
RANKS_MOST = 256


class Tolerance(NamedTuple):
    """How much longer than the best algorithm one may take to do for a cell."""

    best_ratio: float
    # Where none is so good on all networks: longer than the one that is nearest to it.
    nearest_ratio: float


class Cell(NamedTuple):
    nodes: int
    ranks_per_node: int
    message_bytes: int

    @property
    def ranks(self) -> int:
        return self.nodes * self.ranks_per_node


Ratios = dict[str, float]  # Of an algorithm's time to the best one's, on the worst network.


@dataclass(frozen=True)
class Kind:
    """A file of rows."""

    function: str
    summary: str
    places: Sequence[tuple[int, int]]
    tolerance: Tolerance
    networks: Sequence[str] = NETWORKS


_MANY = (2, 3, 4, 6, 8, 12, 16, 32, 64)
KINDS = {
    "one_node": Kind(
        "one_node_rows",
        "For the ranks of one node, by messages.",
        [(1, ranks) for ranks in (9, 12, 16, 24, 32, 48, 64, 96, 128)],
        Tolerance(1.25, 1.05),
        NETWORKS[:1],  # All have the same node.
    ),
    "alone": Kind(
        "alone_rows",
        "For ranks of which each is on a node of its own.",
        [(nodes, 1) for nodes in (2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 64, 128, 256)],
        Tolerance(1.1, 1.05),
    ),
    "nodes": Kind(
        "nodes_rows",
        "For several nodes with several ranks on each.",
        [(nodes, ranks) for nodes in _MANY for ranks in _MANY if nodes * ranks <= RANKS_MOST],
        # With less there would be four times as many rows, for 5 % in one cell of ten.
        Tolerance(1.5, 1.3),
    ),
}


def cells_of(kind: Kind, collective: str) -> list[Cell]:
    sizes = [0] if collective == "barrier" else SIZES
    cells = [Cell(*place, size) for place in kind.places for size in sizes]
    if collective not in HAVE_BLOCKS:
        return cells
    return [cell for cell in cells if cell.ranks * cell.message_bytes <= ALL_BLOCKS_MOST_BYTES]


def simulate(program: str, collective: str, cell: Cell, network: str) -> dict[str, float]:
    """Returns: the time of each algorithm that can be simulated, in ns."""
    question = {
        "collective": collective,
        "ranks": cell.ranks,
        "message_bytes": cell.message_bytes,
        "transport": "mpi",
        "network": network,
        "contention": True,
        "ranks_per_node": cell.ranks_per_node,
        "nodes_per_group": None,
        "policy": None,
        "algorithm": "none",
        "parameters": None,
        "reproducible": False,
        "rank": 0,
        "is_drawn": False,
    }
    told = subprocess.run(
        [program], input=json.dumps(question), stdout=subprocess.PIPE, check=True, text=True
    )
    alternatives = json.loads(told.stdout)["alternatives"]
    return {
        each["algorithm"]: each["simulated"]["end_ns"] for each in alternatives if each["simulated"]
    }


def ratios_of(times: Sequence[dict[str, float]]) -> Ratios:
    """`times` has those of each network."""
    common = set.intersection(*(set(each) for each in times))
    return {name: max(each[name] / min(each.values()) for each in times) for name in common}


@dataclass
class Table:
    """The rows of one collective: as few as will do for all cells."""

    ratios: dict[Cell, Ratios]
    tolerance: Tolerance
    will_do: dict[Cell, frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        def limit(ratios: Ratios) -> float:
            nearest = self.tolerance.nearest_ratio * min(ratios.values())
            return max(self.tolerance.best_ratio, nearest)

        self.will_do = {
            cell: frozenset(name for name in ratios if ratios[name] <= limit(ratios))
            for cell, ratios in self.ratios.items()
        }

    def rows(self) -> list[tuple[Cell, str]]:
        """The last cell for which each row is, in the order of the policy."""
        nodes, per_node, sizes = (sorted({cell[i] for cell in self.ratios}) for i in range(3))

        def by_size(box: Sequence[Cell]) -> list[tuple[Cell, str]] | None:
            rows: list[tuple[Cell, str]] = []
            names: frozenset[str] = frozenset()
            taken: list[Cell] = []
            for size in sizes:
                cells = [cell for cell in box if cell.message_bytes == size and self._has(cell)]
                if not cells:
                    continue
                here = frozenset.intersection(*(self.will_do[cell] for cell in cells))
                if not here:
                    return None
                if taken and names & here:
                    rows.pop()
                else:
                    names, taken = here, []
                names &= here
                taken += cells
                rows.append((max(box)._replace(message_bytes=size), self._best(names, taken)))
            return rows

        def by_ranks(few: Sequence[int]) -> list[tuple[Cell, str]] | None:
            return _fewest(
                per_node,
                lambda some: by_size([Cell(n, r, s) for n in few for r in some for s in sizes]),
            )

        return _fewest(nodes, by_ranks) or []

    def _has(self, cell: Cell) -> bool:
        return cell in self.ratios

    def _best(self, names: Iterable[str], cells: Sequence[Cell]) -> str:
        return min(sorted(names), key=lambda name: sum(self.ratios[cell][name] for cell in cells))


Rows = list[tuple[Cell, str]]


def _fewest(values: Sequence[int], rows_of: Callable[[Sequence[int]], Rows | None]) -> Rows | None:
    """Cuts `values` into ranges that have the fewest rows together."""

    @cache
    def from_index(begin: int) -> Rows | None:
        if begin == len(values):
            return []
        found = None
        for end in range(len(values), begin, -1):
            rest = from_index(end)
            rows = None if rest is None else rows_of(tuple(values[begin:end]))
            if rows is None or rest is None:
                continue
            if found is None or len(rows) + len(rest) < len(found):
                found = rows + rest
        return found

    return from_index(0)


def open_ended(rows: Rows) -> list[tuple[list[int | None], str]]:
    """The bounds of each row; the largest cells stand for all beyond them."""
    most = [max(cell[i] for cell, _ in rows) for i in range(2)]
    found = []
    for index, (cell, name) in enumerate(rows):
        is_last_size = index + 1 == len(rows) or rows[index + 1][0][:2] != cell[:2]
        bounds: list[int | None] = [None if cell[i] == most[i] else cell[i] for i in range(2)]
        found.append(([*bounds, None if is_last_size else cell.message_bytes], name))
    return found


def text_of(kind: str, tables: dict[str, Rows]) -> str:
    lines = [
        f"// {KINDS[kind].summary}",
        "//",
        f"// Made by: python tools/simulated_rows.py build/release/bin/tasuki_explain {kind}",
        '#include "coll/simulated/rows.hpp"',
        "",
        "namespace tasuki::coll::simulated {",
        "namespace {",
        "",
        "using enum Collective;",
        "",
        "constexpr Row rows[] = {",
        "    // nodes, ranks per node and bytes: up to so many",
    ]
    for collective, rows in tables.items():
        for bounds, name in open_ended(rows):
            shown = ", ".join("any" if bound is None else str(bound) for bound in bounds)
            lines.append(f'    {{{collective}, {shown}, "{name}"}},')
    lines += ["};", "", "}  // namespace", ""]
    lines += [f"std::span<const Row> {KINDS[kind].function}() {{ return rows; }}", ""]
    lines += ["}  // namespace tasuki::coll::simulated", ""]
    return "\n".join(lines)


def measure(program: str, kind: Kind, kept: Path | None) -> dict[str, dict[Cell, Ratios]]:
    """`kept` has lines of what was simulated before, to go on with."""
    known: dict[str, dict[str, float]] = {}
    if kept is not None and kept.exists():
        known = dict(json.loads(line) for line in kept.read_text().splitlines())
    cells = [(c, cell) for c in COLLECTIVES for cell in cells_of(kind, c)]
    cells.sort(key=lambda each: each[1].ranks)

    def times_of(collective: str, cell: Cell, network: str) -> dict[str, float]:
        key = " ".join([collective, *map(str, cell), network])
        if key not in known:
            known[key] = simulate(program, collective, cell, network)
            if kept is not None:
                with kept.open("a") as file:
                    file.write(json.dumps([key, known[key]]) + "\n")
        return known[key]

    def ratios(each: tuple[str, Cell]) -> Ratios:
        return ratios_of([times_of(*each, network) for network in kind.networks])

    found: dict[str, dict[Cell, Ratios]] = defaultdict(dict)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for index, ((collective, cell), result) in enumerate(
            zip(cells, pool.map(ratios, cells), strict=True)
        ):
            if result:
                found[collective][cell] = result
            if sys.stderr.isatty():
                print(f"\r{index + 1} of {len(cells)}", end="", file=sys.stderr)
    return {collective: found[collective] for collective in COLLECTIVES}


def report(collective: str, ratios: dict[Cell, Ratios], rows: Rows) -> None:
    def chosen(cell: Cell) -> str:
        def holds(row: tuple[Cell, str]) -> bool:
            fits = all(own <= bound for own, bound in zip(cell, row[0], strict=True))
            return fits and row[1] in ratios[cell]

        return next(name for bound, name in rows if holds((bound, name)))

    found = sorted(each[chosen(cell)] for cell, each in ratios.items())
    median, ninth = found[len(found) // 2], found[len(found) * 9 // 10]
    print(
        f"{collective}: {len(rows)} rows; of the best algorithm's time {median:.2f} x (median),"
        f" {ninth:.2f} x (9 of 10), {found[-1]:.2f} x (most)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="tasuki_explain")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--keep", type=Path, help="file of simulations, to go on with")
    given = parser.parse_args()
    tables = {}
    for collective, ratios in measure(given.program, KINDS[given.kind], given.keep).items():
        tables[collective] = Table(ratios, KINDS[given.kind].tolerance).rows()
        report(collective, ratios, tables[collective])
    (FOLDER / f"{given.kind}.cpp").write_text(text_of(given.kind, tables))


if __name__ == "__main__":
    main()
