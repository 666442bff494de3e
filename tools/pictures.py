"""Draws the pictures of the documents: `python tools/pictures.py [FOLDER]` writes docs/pictures.

Each function of PICTURES draws one file. Boxes are placed in units of one character of text, so
that a picture is changed by changing its words.
"""

import sys
from itertools import pairwise
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams.update(
    {
        "svg.hashsalt": "tasuki",
        "font.family": "DejaVu Sans",
        "font.size": 10,
        "svg.fonttype": "none",
    }
)

from matplotlib import pyplot  # noqa: E402  (the backend is chosen first)
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.patches import FancyBboxPatch  # noqa: E402

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
INCHES_PER_UNIT = 0.1
QUIET, BUSY, FREE, INK = "#eef2f7", "#cfe3f5", "#ffffff", "#24313f"


def sheet(width: float, height: float) -> Axes:
    """An empty picture of `width` x `height` units, the origin at the top left."""
    _, axes = pyplot.subplots(figsize=(width * INCHES_PER_UNIT, height * INCHES_PER_UNIT))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.set_position((0, 0, 1, 1))
    axes.axis("off")
    return axes


def box(axes: Axes, place: tuple[float, float, float, float], text: str, color: str) -> None:
    """`place` is left, top, width and height."""
    left, top, width, height = place
    style = "round,pad=0,rounding_size=0.6"
    axes.add_patch(
        FancyBboxPatch((left, top), width, height, boxstyle=style, facecolor=color, edgecolor=INK)
    )
    axes.text(left + width / 2, top + height / 2, text, ha="center", va="center", color=INK)


def arrow(axes: Axes, begin: tuple[float, float], end: tuple[float, float]) -> None:
    axes.annotate("", end, begin, arrowprops={"arrowstyle": "->", "color": INK})


def note(axes: Axes, place: tuple[float, float], text: str, align: str = "center") -> None:
    axes.text(*place, text, ha=align, va="center", color=INK)


def life_of_a_call(path: Path) -> None:
    """`invoke(1, square, 7)` on rank 0, from top to bottom."""
    axes = sheet(104, 62)
    here, there, width, height = 2, 58, 44, 6
    note(axes, (here + width / 2, 2.5), "rank 0, the caller")
    note(axes, (there + width / 2, 2.5), "rank 1, the target")
    steps = [
        (here, 5, "invoke checks the types\nand makes the future's state", BUSY),
        (
            here,
            14,
            "the sender writes header, state, function, 7\ninto the open slot for rank 1",
            BUSY,
        ),
        (here, 23, "get() suspends the fiber: the slot is sent,\nthe poller runs", BUSY),
        (there, 23, "poll() finds the header word", QUIET),
        (there, 32, "the dispatcher calls the handler\non the poller's stack", QUIET),
        (there, 41, "square(7) runs; if it waits,\nthe stack becomes its fiber", QUIET),
        (there, 50, "the reply goes into the slot\nfor rank 0 and is sent", QUIET),
        (here, 50, "the poller stores 49 in the state\nand makes the fiber ready", BUSY),
    ]
    for left, top, text, color in steps:
        box(axes, (left, top, width, height), text, color)
    for (left, top, _, _), (next_left, next_top, _, _) in pairwise(steps):
        if left == next_left:
            middle = left + width / 2
            arrow(axes, (middle, top + height), (middle, next_top))
        else:
            sign = 1 if next_left > left else -1
            begin = left + (width if sign > 0 else 0)
            arrow(axes, (begin, top + height / 2), (begin + sign * 12, next_top + height / 2))
    save(path)


def ring_and_slots(path: Path) -> None:
    """One ring of cache lines from one writer to one reader, with two messages in it."""
    axes = sheet(104, 34)
    width, top, height = 12.5, 11, 7
    lines = [
        ("free\nheader 0", FREE),
        ("header\npayload", BUSY),
        ("header\npayload", BUSY),
        ("payload", BUSY),
        ("open slot:\nheader 0", QUIET),
        ("open slot", QUIET),
        ("free\nheader 0", FREE),
        ("free\nheader 0", FREE),
    ]
    for index, (text, color) in enumerate(lines):
        box(axes, (2 + index * width, top, width - 0.6, height), text, color)
    note(axes, (2, 2.5), "One ring: 64-byte lines, one writer, one reader", "left")
    reads, writes = 2 + 1.5 * width, 2 + 4.5 * width
    arrow(axes, (reads, 6.5), (reads, top))
    note(axes, (reads, 5.5), "poll() reads here")
    arrow(axes, (writes, 6.5), (writes, top))
    note(axes, (writes, 5.5), "acquire() gave this slot")
    legend = [
        "1  The writer fills the slot in place and stores the header word last, with release.",
        "2  The reader works on the payload where it lies, then stores 0 in each header word.",
        "3  After each quarter of the ring the reader publishes its position to the writer.",
    ]
    for index, text in enumerate(legend):
        note(axes, (2, 22 + 4 * index), text, "left")
    save(path)


def rounds_of_a_collective(path: Path) -> None:
    """Allreduce by recursive doubling on four ranks: what each rank holds after each round."""
    axes = sheet(104, 38)
    width, height, ranks = 18, 4.5, 4
    left = [12 + round_index * 34 for round_index in range(3)]
    held = [["a", "b", "c", "d"], ["a+b", "a+b", "c+d", "c+d"], ["a+b+c+d"] * ranks]
    titles = ("input", "after round 1", "after round 2")
    for column, title in enumerate(titles):
        note(axes, (left[column] + width / 2, 3), title)
        for rank in range(ranks):
            box(axes, (left[column], 6 + 8 * rank, width, height), held[column][rank],
                (QUIET, QUIET, BUSY)[column])  # fmt: skip
    for rank in range(ranks):
        note(axes, (6, 6 + 8 * rank + height / 2), f"rank {rank}")
        for column, distance in ((0, 1), (1, 2)):
            for source in (rank, rank ^ distance):
                arrow(axes, (left[column] + width, 6 + 8 * source + height / 2),
                      (left[column + 1], 6 + 8 * rank + height / 2))  # fmt: skip
    save(path)


def layers(path: Path) -> None:
    """Who may include whom: each box includes what lies below it."""
    axes = sheet(104, 50)
    boxes = [
        ((2, 2, 100, 6), "apps, bench, examples: programs", FREE),
        ((2, 10, 100, 6), "containers: maps, bags, sets and arrays on ranks", BUSY),
        ((2, 18, 100, 6), "runtime: calls, futures, global pointers, teams, collectives", BUSY),
        ((2, 26, 12, 14), "fiber:\nstacks,\nscheduler", QUIET),
        ((16, 26, 15, 14), "predict:\nmessages\nand waiting", QUIET),
        ((33, 26, 18, 6), "rpc: remote routines", BUSY),
        ((33, 34, 18, 6), "layout: arrays on ranks", QUIET),
        ((53, 26, 49, 6), "node: collectives in the memory of a node", BUSY),
        ((53, 34, 24, 6), "transport: shm, mpi, ...", QUIET),
        ((79, 34, 23, 6), "coll: algorithms, policy", QUIET),
        ((2, 42, 100, 6), "base: errors, settings, clocks, topology", QUIET),
    ]
    for place, text, color in boxes:
        box(axes, place, text, color)
    save(path)


def ways_of_data(path: Path) -> None:
    """The messages of an eager write, a rendezvous and a write to a pre-posted receive."""
    axes = sheet(104, 40)
    ways = [
        ("eager", [("header and data", 1)], "copied out of the message"),
        (
            "rendezvous",
            [("header: size, address", 1), ("ready to receive", -1), ("data", 1)],
            "data arrive in place",
        ),
        ("pre-posted receive", [("data", 1)], "data arrive in place"),
    ]
    for index, (title, messages, end) in enumerate(ways):
        source, target = 6 + 34 * index, 28 + 34 * index
        note(axes, ((source + target) / 2, 2.5), title)
        for place, name in ((source, "writer"), (target, "target")):
            note(axes, (place, 6.5), name)
            axes.plot([place, place], [8.5, 33], color=INK, linewidth=0.8)
        for step, (text, direction) in enumerate(messages):
            top = 14 + 7 * step
            ends = [(source, top), (target, top)][::direction]
            arrow(axes, *ends)
            note(axes, ((source + target) / 2, top - 1.8), text)
        note(axes, ((source + target) / 2, 36.5), end)
    save(path)


def save(path: Path) -> None:
    pyplot.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close()


PICTURES = {
    "call.svg": life_of_a_call,
    "layers.svg": layers,
    "ring.svg": ring_and_slots,
    "rounds.svg": rounds_of_a_collective,
    "ways.svg": ways_of_data,
}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for name, draw in PICTURES.items():
        draw(folder / name)


if __name__ == "__main__":
    main()
