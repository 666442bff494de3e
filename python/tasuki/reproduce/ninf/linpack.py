"""Runs of LINPACK for the figures: locally, and by each mode over each link."""

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from tasuki.base.programs import require_program
from tasuki.bench.baselines import solution, spread
from tasuki.measurement.jobs import run_command
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.links import can_link, linked
from tasuki.reproduce.ninf.hosts import rates_for
from tasuki.reproduce.ninf.measure import PROGRAM, Calls, question_of
from tasuki.reproduce.ninf.paper import MODES, PARTS
from tasuki.reproduce.notebook import build_of
from tasuki.reproduce.repetitions import limit_s

LOOPBACK, SLOW = "loopback", "100 Mbit/s"
LINKS = (LOOPBACK, SLOW)
LOCAL = "local"
LOCAL_PROGRAM = "linpack_local"
NO_LINKS = (
    "no links of 100 Mbit/s: network namespaces and tc tbf take root and iproute2; only calls over"
    " the loopback device are measured"
)
_START_S = 1.5
_SECONDS_PER_STEP = 2.5e-10  # n^3 of them.
_SECONDS_PER_BYTE = {LOOPBACK: 2e-9, SLOW: 8e-8}


class Wishes(NamedTuple):
    """What the user may change: the sizes, the ranks, the form of numbers on the wire."""

    sizes: tuple[int, ...]
    ranks: int
    wire: str
    repetitions: int


def conditions_of(wishes: Wishes) -> dict[str, Any]:
    """What decides what comes of a run."""
    names = (PROGRAM, LOCAL_PROGRAM, "tasuki_server", "tasuki_client")
    return {
        "ranks": wishes.ranks,
        "wire": wishes.wire,
        "repetitions": wishes.repetitions,
        "builds": {name: build_of(name) for name in names},
    }


class Solved(NamedTuple):
    """The median call, by its client's time: seconds of the parts, and of all calls the spread."""

    link: str
    mode: str
    n: int
    seconds: dict[str, float]
    spread: float
    repetitions: int


class Linpack:
    """All runs in one reproduction."""

    def __init__(self, lab: Lab, wishes: Wishes) -> None:
        self.lab = lab
        self.wishes = wishes
        self._links = LINKS if can_link() else LINKS[:1]
        if len(self._links) < len(LINKS):
            lab.note(NO_LINKS)

    def local(self) -> Iterator[Solved]:
        """Without a server, on one core."""
        for n in self.wishes.sizes:
            yield from self._solved(LOCAL, LOCAL, n)

    def remote(self) -> Iterator[Solved]:
        """By all modes, link by link and size by size."""
        for link in self._links:
            for n in self.wishes.sizes:
                for mode in MODES:
                    yield from self._solved(link, mode, n)

    def _solved(self, link: str, mode: str, n: int) -> Iterator[Solved]:
        repetitions = self.wishes.repetitions
        expected_s = _START_S + (repetitions + 1) * (
            n**3 * _SECONDS_PER_STEP + 16 * n * n * _SECONDS_PER_BYTE.get(link, 0)
        )

        def measure(seconds_left: float) -> list[dict[str, float]]:
            most_s = min(seconds_left, limit_s(expected_s))
            return self._measure(link, mode, n, most_s)

        key = ("linpack", link, mode, n, repetitions)
        runs = self.lab.measured(Run(key, f"n = {n}, {mode}, {link}", expected_s, measure))
        if runs is not None:
            in_order = sorted(runs, key=lambda run: run["client"])
            middle = in_order[(len(in_order) - 1) // 2]
            yield Solved(link, mode, n, middle, spread([run["client"] for run in runs]), len(runs))

    def _measure(self, link: str, mode: str, n: int, most_s: float) -> list[dict[str, float]]:
        wishes = self.wishes
        if mode == LOCAL:
            program = require_program("reproduce ninf", LOCAL_PROGRAM)
            command = [str(program), str(n), str(wishes.repetitions)]
            seconds: list[float] = solution(run_command(command, most_s, {}))["seconds"]
            return [dict.fromkeys(PARTS, one) for one in seconds]
        calls = Calls(mode, wishes.wire, wishes.ranks, n, wishes.repetitions)
        command = [sys.executable, "-m", "tasuki.reproduce.ninf.measure", question_of(calls)]
        if link == SLOW:
            command = linked(command, rates_for(wishes.ranks))
        outcome = run_command(command, most_s, {})
        runs: list[dict[str, float]] = solution(outcome)["runs"]
        return runs
