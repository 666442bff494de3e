"""Table 2 and figure 2: where the time of radix sort and LU goes, and their speed-up."""

from tasuki.launcher.binding import cores_allowed
from tasuki.output.figure import Point
from tasuki.output.place import place_of
from tasuki.reproduce.dimmnet.applications import PARTS, VARIANTS, Applications
from tasuki.reproduce.dimmnet.paper import NODES, PARTS_PANEL

SPLIT_REMARK = (
    "The median of 3 runs, each verified. Communication: time in remote writes or messages and in"
    " collective calls; waiting: time in barriers or receives for other ranks; means of the ranks."
    " Computation is the rest. Where ranks take turns on a core, all three include the turns of"
    " others."
)
SPEEDUP_REMARK = (
    "Speed-up against the best sequential program, measured in the same run: the same sort without"
    " communication, and OpenBLAS's dgetrf on one thread."
)
COLUMNS = (
    ("time, s", "seconds", "s"),
    *((f"{title}, s", field, "s") for title, field in PARTS),
    ("speed-up", "speedup", ""),
)


def table(applications: Applications) -> list[Point]:
    """The time, its parts and the speed-up, a row for each number of ranks."""
    return [
        one.point(f"{one.application.title}, {variant.title}, {place_of(one.found['ranks'])}",
                  title, one.found["ranks"], one.found[field], unit)
        for application in applications.all
        for variant in VARIANTS
        for one in applications.solved(application, [variant], applications.wishes.ranks)
        for title, field, unit in COLUMNS
    ]  # fmt: skip


def shares(applications: Applications) -> list[Point]:
    """Table 2: shares of the time with as many ranks as the paper had nodes."""
    return [
        one.point(PARTS_PANEL.replace("Tasuki", one.variant.title), f"{title}, %",
                  application.title.partition(",")[0],
                  100 * one.found[field] / sum(one.found[part] for _, part in PARTS), "%")
        for application in applications.all
        for one in applications.solved(application, VARIANTS, [NODES])
        for title, field in PARTS
    ]  # fmt: skip


def speedup(applications: Applications) -> list[Point]:
    """Figure 2, from the same runs: both versions beside each other."""
    return [
        one.point(f"{application.title}, {place_of(one.found['ranks'])}", one.variant.title,
                  one.found["ranks"], one.found["speedup"], "")
        for application in applications.all
        for one in applications.solved(application, VARIANTS, applications.wishes.ranks)
    ]  # fmt: skip


def ideal_speedup(ranks: float) -> float:
    return min(ranks, len(cores_allowed()))
