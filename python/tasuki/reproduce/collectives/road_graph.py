"""Road-like graphs of any size, written as they are made: the memory is that of one row of the map.

Crossings stand on a jittered grid, numbered by rows. Neighbours in a row are joined by a road with
the chance ACROSS, neighbours in a column with the chance ALONG; a stretch of a row that no road
joins to the row above gets one, so that all crossings are connected (by induction over the rows,
the first of which is one stretch). As many roads leave a crossing as in the road network of the
USA, 2.436 arcs on average (Fukui, Ishii 2014, table 4). All follows from SplitMix64 (Steele, Lea,
Flood 2014) of the crossing's number, so that each run makes the same file. Rows are made twice:
first to count the arcs, which the format of DIMACS wants to know before it lists them.

    with open("roads.gr", "w") as file:
        write_roads(58_168, file)
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy

from tasuki.base.errors import CommandError
from tasuki.reproduce.collectives.road_nodes import NODES_MOST

ACROSS, ALONG = 0.70, 0.437
SPACING = 100  # Length units between crossings, before the jitter.
JITTER = 0.8  # Of the spacing, from one end to the other.
BUFFER_BYTES = 1 << 20
_KINDS = 4  # Random numbers of a crossing: its place in two directions, two roads.

Numbers = numpy.ndarray


class _Row(NamedTuple):
    """Crossings of one row, by number, and their roads to the right and to the row above."""

    x: Numbers
    y: Numbers
    right: Numbers
    above: Numbers


def write_road_file(node_count: int, path: Path) -> None:
    """Makes the file, and says so. Raises CommandError if it cannot be written."""
    try:
        with path.open("w", buffering=BUFFER_BYTES) as file:
            arc_count = write_roads(node_count, file)
    except OSError as failure:
        raise CommandError(
            "reproduce roads",
            f"{path} cannot be written: {failure.strerror}",
            "name another file, or make room",
        ) from failure
    print(f"{path}: {node_count:,} nodes, {arc_count:,} arcs")


def write_roads(node_count: int, file: TextIO) -> int:
    """Writes a connected graph of `node_count` nodes in the .gr format of DIMACS.

    Returns: the number of arcs, two for each road. Raises ValueError if `node_count` is not from 2
    to NODES_MOST.
    """
    if not 2 <= node_count <= NODES_MOST:
        raise ValueError(f"{node_count} nodes are not from 2 to {NODES_MOST}")
    arc_count = 2 * sum(len(row.right) + len(row.above) for row in _rows(node_count))
    file.write("c Road-like, made by tasuki reproduce roads\n")
    file.write(f"p sp {node_count} {arc_count}\n")
    width = _width(node_count)
    before = None
    for number, row in enumerate(_rows(node_count)):
        first = number * width + 1  # Nodes count from 1.
        _write_arcs(file, first, row.right, row.right + 1, row, row, first)
        if before is not None:
            _write_arcs(file, first, row.above, row.above, row, before, first - width)
        before = row
    return arc_count


def _width(node_count: int) -> int:
    return math.isqrt(node_count - 1) + 1


def _rows(node_count: int) -> Iterator[_Row]:
    width = _width(node_count)
    for number in range(-(-node_count // width)):
        yield _row(number, width, min(width, node_count - number * width))


def _row(number: int, width: int, count: int) -> _Row:
    columns = numpy.arange(count)
    chances = _random(number * width, count)
    x = columns + JITTER * (chances[0] - 0.5)
    y = number + JITTER * (chances[1] - 0.5)
    is_joined = chances[2][:-1] < (ACROSS if number else 1.0)
    if number == 0:
        return _Row(x, y, numpy.flatnonzero(is_joined), numpy.empty(0, dtype=numpy.int64))
    has_above = chances[3] < ALONG
    starts = numpy.concatenate(([0], numpy.flatnonzero(~is_joined) + 1))
    is_reached = numpy.logical_or.reduceat(has_above, starts)
    has_above[starts[~is_reached]] = True
    return _Row(x, y, numpy.flatnonzero(is_joined), numpy.flatnonzero(has_above))


def _random(first: int, count: int) -> Numbers:
    """For each of _KINDS, by crossing, a number in [0, 1)."""
    with numpy.errstate(over="ignore"):
        z = numpy.arange(first * _KINDS + 1, (first + count) * _KINDS + 1, dtype=numpy.uint64)
        z = z * numpy.uint64(0x9E3779B97F4A7C15)
        z = (z ^ z >> numpy.uint64(30)) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> numpy.uint64(27)) * numpy.uint64(0x94D049BB133111EB)
        z = z ^ z >> numpy.uint64(31)
    return (z >> numpy.uint64(11)).reshape(count, _KINDS).T / float(1 << 53)


def _write_arcs(
    file: TextIO, first: int, ones: Numbers, others: Numbers, row: _Row, of: _Row, of_first: int
) -> None:
    """Both ways between the crossings `ones` of `row` and `others` of the row `of`."""
    distances = numpy.hypot(row.x[ones] - of.x[others], row.y[ones] - of.y[others])
    lengths = numpy.maximum(1, numpy.rint(SPACING * distances).astype(numpy.int64))
    file.writelines(
        f"a {u} {v} {length}\na {v} {u} {length}\n"
        for u, v, length in zip(
            (ones + first).tolist(), (others + of_first).tolist(), lengths.tolist(), strict=True
        )
    )
