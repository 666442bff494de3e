"""Races of the reproductions: what was raced is remembered, and nothing else taken for it."""

from contextlib import nullcontext

import pytest
from tasuki.measurement.measurer import Candidate, Cell
from tasuki.measurement.race import Result, Time
from tasuki.reproduce import races
from tasuki.reproduce.executors import Measuring
from tasuki.reproduce.lab import Lab
from tasuki.reproduce.races import Library, Races

SMALL, LARGE = Cell("allreduce", 2, 4), Cell("allreduce", 2, 1024)
TIMES = {Candidate("ring"): Time(1.0, 1.0, 1.0, 9)}


class MadeUp(nullcontext):
    def library(self):
        return "made up"

    machine = library

    def __enter__(self):
        return self

    def algorithms(self, _):
        return []

    measure = algorithms


@pytest.fixture
def raced(monkeypatch):
    """The cells that were raced, with the algorithms that were let in."""
    seen = []

    def race(runner, cell, *_):
        seen.append((cell, tuple(runner._only)))
        return Result(cell, Candidate("ring"), Candidate("ring"), TIMES)

    monkeypatch.setattr(races, "race", race)
    return seen


def test_other_cells_and_other_algorithms_are_raced_too(raced):
    one = Races(Lab(Measuring(60, lambda _: None)), 0.1)
    library = Library("made up", lambda _: MadeUp())
    assert [found.result.cell for found in one.results(library, [SMALL])] == [SMALL]
    assert [found.result.cell for found in one.results(library, [LARGE])] == [LARGE]
    assert len(one.results(library, [SMALL], ["ring"])) == 1
    assert len(one.results(library, [SMALL])) == 1
    assert raced == [(SMALL, ()), (LARGE, ()), (SMALL, ("ring",))]
