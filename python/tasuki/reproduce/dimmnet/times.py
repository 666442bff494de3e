"""Table 2 and figure 2: where the time of radix sort and LU goes, and their speed-up."""

from collections.abc import Iterator
from typing import Any

from tasuki.launcher.binding import cores_allowed
from tasuki.output.figure import Point
from tasuki.output.place import is_oversubscribed, place_of
from tasuki.reproduce.dimmnet.applications import VARIANTS, Application, Applications, Variant
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
# Title of the series, field of the run.
PARTS = (
    ("computation", "compute_seconds"),
    ("communication", "communication_seconds"),
    ("waiting", "wait_seconds"),
)
DETAILS = (
    "implementation",
    "transport",
    "ranks",
    "verified",
    "seconds",
    *(field for _, field in PARTS),
    "sequential_seconds",
    "speedup",
    "messages",
    "bytes",
)


def table(applications: Applications) -> list[Point]:
    """The time, its parts and the speed-up, a row for each number of ranks."""
    points = []
    for application in applications.all:
        for variant in VARIANTS:
            for ranks in applications.wishes.ranks:
                found = applications.solve(variant, application, ranks)
                if found is None:
                    continue
                panel = f"{application.title}, {variant.title}, {place_of(ranks)}"
                details = details_of(application, found)
                columns = [("time", "seconds", "s"), *((*part, "s") for part in PARTS)]
                columns.append(("speed-up", "speedup", ""))
                points += [
                    Point(panel, f"{title}, {unit}" if unit else title, ranks, found[field], unit,
                          found["spread"], found["repetitions"], details)
                    for title, field, unit in columns
                ]  # fmt: skip
    return points


def shares(applications: Applications) -> list[Point]:
    """Table 2: shares of the time with as many ranks as the paper had nodes."""
    points = []
    for application in applications.all:
        for variant in VARIANTS:
            found = applications.solve(variant, application, NODES)
            if found is not None:
                points += [
                    Point(PARTS_PANEL.replace("Tasuki", variant.title), f"{title}, %",
                          application.title.partition(",")[0], 100 * found[field] / _whole(found),
                          "%", found["spread"], found["repetitions"],
                          details_of(application, found))
                    for title, field in PARTS
                ]  # fmt: skip
    return points


def _whole(found: dict[str, Any]) -> float:
    return sum(found[field] for _, field in PARTS)


def speedup(applications: Applications) -> list[Point]:
    """Figure 2, from the same runs."""
    return [
        Point(panel, variant.title, found["ranks"], found["speedup"], "", found["spread"],
              found["repetitions"], details_of(application, found))
        for application, panel, variant, found in _solved(applications)
    ]  # fmt: skip


def ideal_speedup(ranks: float) -> float:
    return min(ranks, len(cores_allowed()))


def _solved(
    applications: Applications,
) -> Iterator[tuple[Application, str, Variant, dict[str, Any]]]:
    """All runs there are, with the panel in which both versions stand beside each other."""
    for application in applications.all:
        for ranks in applications.wishes.ranks:
            for variant in VARIANTS:
                found = applications.solve(variant, application, ranks)
                if found is not None:
                    yield application, f"{application.title}, {place_of(ranks)}", variant, found


def details_of(application: Application, found: dict[str, Any]) -> dict[str, Any]:
    """Of the run, what `bench radixsort` and `bench lu` say of it as well."""
    return {
        "application": application.problem.program,
        **{field: found[field] for field in DETAILS},
        "oversubscribed": is_oversubscribed(found["ranks"]),
    }
