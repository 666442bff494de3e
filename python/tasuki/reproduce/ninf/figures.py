"""The figures and tables: what each shows, and who measures it."""

from tasuki.output.figure import Figure, Point
from tasuki.reproduce.command import Reproduction
from tasuki.reproduce.ninf.goals import with_goal
from tasuki.reproduce.ninf.linpack import LINKS, LOCAL, Linpack, Solved, Wishes, conditions_of
from tasuki.reproduce.ninf.paper import (
    GAIN,
    PARTS,
    REST,
    published_gain,
    published_split,
    split_panel,
)

SPLIT_REMARK = (
    "Client: from the call to its return. Server: from when the front end has the call until it"
    " has sent the results; in hand-off the server is the ranks. Node: the slowest rank, receiving"
    " and sending included. Calc: its computation. The median call by its client's time."
)
RATE_REMARK = (
    "2/3 n^3 + 2 n^2 operations in the client's time. Local: dgefa and dgesl on one core, without"
    " a server."
)
GAIN_REMARK = (
    "How many times as long as by hand-off a call takes in the mode original; and of the time that"
    " is not computation, the part that hand-off needs of original's. In brackets: the goal, and"
    " whether it is reached."
)


def split(linpack: Linpack) -> list[Point]:
    """Table 1."""
    return [
        _point(one, split_panel(one.link, one.n), f"{part}, s", one.mode, one.seconds[part], "s")
        for one in linpack.remote()
        for part in PARTS
    ]


def rates(linpack: Linpack) -> list[Point]:
    """Figure 7: the local curve stands beside those of each link."""
    local = list(linpack.local())
    remote = list(linpack.remote())
    points = []
    for link in dict.fromkeys(one.link for one in remote):
        for one in (*local, *(each for each in remote if each.link == link)):
            operations = 2 / 3 * one.n**3 + 2 * one.n**2
            rate = operations / one.seconds["client"] * 1e-6
            points.append(_point(one, link, one.mode, one.n, rate, "Mflop/s"))
    return points


def gains(linpack: Linpack) -> list[Point]:
    """What hand-off gains over the mode original."""
    found = {(one.link, one.n, one.mode): one for one in linpack.remote()}
    points = []
    for (link, n, mode), handed in found.items():
        original = found.get((link, n, "original"))
        if mode != "hand-off" or original is None:
            continue
        gain = original.seconds["client"] / handed.seconds["client"]
        rest = _rest_s(handed) / _rest_s(original)
        points.append(with_goal(_point(handed, link, GAIN, n, gain, "")))
        points.append(with_goal(_point(handed, link, REST, n, rest, "")))
    return points


def _rest_s(one: Solved) -> float:
    return one.seconds["client"] - one.seconds["calc"]


def _point(one: Solved, panel: str, series: str, x: float | str, value: float, unit: str) -> Point:
    details = {"link": one.link, "mode": one.mode, "n": one.n, "seconds": one.seconds["client"]}
    return Point(panel, series, x, value, unit, one.spread, one.repetitions, details)


def figures_of(wishes: Wishes) -> tuple[Figure, ...]:
    """With what the paper says of the sizes that are wanted."""
    return (
        Figure("table1", "Where the time of LINPACK goes", "table", "mode", "", split,
               published=published_split(LINKS, wishes.sizes), remark=SPLIT_REMARK),
        Figure("fig7", "LINPACK by mode", "lines", "n", "Mflop/s", rates, baseline_series=LOCAL,
               remark=RATE_REMARK),
        Figure("gain", "Hand-off against original", "table", "n", "", gains,
               published=published_gain(LINKS, wishes.sizes), remark=GAIN_REMARK),
    )  # fmt: skip


NINF = Reproduction("ninf", figures_of, Linpack, conditions_of)
