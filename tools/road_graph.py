"""Makes the road graph that Tasuki ships: python tools/road_graph.py FILE.gr.xz

A town on a jittered grid: most neighbouring crossings are joined by a road as long as the distance
between them, some across a block; what is not connected with most of it is dropped. Everything
follows from SplitMix64, so each run makes the same file, in the .gr format of DIMACS.
"""

import lzma
import math
import sys
from collections import deque
from collections.abc import Iterator
from itertools import count

SIDE = 90  # crossings
SPACING = 100  # length units between them, before the jitter
ROAD_SHARE, DIAGONAL_SHARE = 0.70, 0.06
MASK = (1 << 64) - 1

Road = tuple[int, int, int]


def random_numbers() -> Iterator[float]:
    """In [0, 1); by SplitMix64 (Steele, Lea, Flood 2014) from seed 0."""
    for step in count(1):
        z = step * 0x9E3779B97F4A7C15 & MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        yield ((z ^ z >> 31) >> 11) / (1 << 53)


def roads() -> list[Road]:
    """(crossing, crossing, length) for each road, crossings numbered by rows."""
    random = random_numbers()
    places = [
        (x + 0.8 * (next(random) - 0.5), y + 0.8 * (next(random) - 0.5))
        for y in range(SIDE)
        for x in range(SIDE)
    ]
    found = []
    for one in range(SIDE * SIDE):
        x, y = one % SIDE, one // SIDE
        for dx, dy, share in ((1, 0, ROAD_SHARE), (0, 1, ROAD_SHARE), (1, 1, DIAGONAL_SHARE)):
            if x + dx == SIDE or y + dy == SIDE or next(random) >= share:
                continue
            other = one + dx + SIDE * dy
            length = round(SPACING * math.dist(places[one], places[other]))
            found.append((one, other, max(1, length)))
    return found


def connected(found: list[Road]) -> list[Road]:
    """The largest connected part, its crossings numbered from 1 on in the same order."""
    neighbours: dict[int, list[int]] = {}
    for one, other, _ in found:
        neighbours.setdefault(one, []).append(other)
        neighbours.setdefault(other, []).append(one)
    largest: set[int] = set()
    unseen = set(neighbours)
    while unseen:
        queue = deque([unseen.pop()])
        part = set(queue)
        while queue:
            new = set(neighbours[queue.popleft()]) - part
            part |= new
            queue.extend(sorted(new))
        unseen -= part
        largest = max(largest, part, key=len)
    number = {crossing: place for place, crossing in enumerate(sorted(largest), start=1)}
    return [(number[one], number[other], length) for one, other, length in found if one in number]


def main() -> None:
    """Writes the file that the command line names."""
    found = connected(roads())
    arcs = sorted({arc for one, other, w in found for arc in ((one, other, w), (other, one, w))})
    lines = [
        "c A town on a jittered grid, made by tools/road_graph.py",
        f"p sp {max(arc[0] for arc in arcs)} {len(arcs)}",
        *(f"a {source} {target} {length}" for source, target, length in arcs),
    ]
    with lzma.open(sys.argv[1], "wt", preset=9 | lzma.PRESET_EXTREME) as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
