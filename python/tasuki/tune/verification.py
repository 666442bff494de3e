"""Are all algorithms right, and does the policy in force keep the guidelines?"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from tasuki.measurement.measurer import CHOSEN, Candidate, Cell
from tasuki.measurement.race import Time, time_of
from tasuki.tune.guidelines import Demand, demands_of, is_broken

# Fewer elements than ranks, a size between powers of two, and those of the three kinds of
# algorithms: for latency, in the middle, for bandwidth.
SIZES = (4, 1004, 1024, 24576, 262144)
SAMPLES = 15
ROUNDS = 3  # Of those that seem to break a guideline, all in turn.


class Asked(Protocol):
    """What a verification needs of a JobMeasurer."""

    def candidates(self, cell: Cell) -> tuple[list[Candidate], Candidate]: ...
    def check(self, cell: Cell, candidate: Candidate, samples: int, seconds: float) -> dict: ...


class Checked(NamedTuple):
    """A result: was it what the definition says, and had all ranks the same bits?"""

    cell: Cell
    candidate: Candidate
    right: bool
    same_bits: bool

    @property
    def ok(self) -> bool:
        return self.right and self.same_bits


class Judged(NamedTuple):
    """A demand, with the times that were measured."""

    demand: Demand
    own: Time
    others: Sequence[Time]
    holds: bool

    @property
    def ratio(self) -> float:
        return self.own.median / sum(one.median for one in self.others)

    @property
    def remedy(self) -> str:
        cell = self.demand.cell
        tune = f"tasuki tune -n {cell.ranks} --collective {cell.collective}"
        return f"{tune} ({self.demand.alike} does just that)" if self.demand.alike else tune


class Verification:
    """Verifies one number of ranks. `show` hears of each step; each measurement takes about so many
    `seconds`."""

    def __init__(
        self, asked: Asked, seconds: float, show: Callable[[str], None] = lambda _: None
    ) -> None:
        self._asked = asked
        self._seconds = seconds
        self._show = show
        self._samples: dict[Cell, list[float]] = {}

    def check_results(self, collectives: Sequence[str], ranks: int) -> list[Checked]:
        """Of every candidate."""
        checked = []
        for collective in collectives:
            for size in (0,) if collective == "barrier" else SIZES:
                cell = Cell(collective, ranks, size)
                candidates, _ = self._asked.candidates(cell)
                for candidate in candidates:
                    self._show(f"{collective}, {size} B: {candidate}")
                    answer = self._asked.check(cell, candidate, 1, 0)
                    if not answer["unavailable"]:
                        right, same_bits = answer["right"], answer["same_bits"]
                        checked.append(Checked(cell, candidate, right, same_bits))
        return checked

    def judge(self, collectives: Sequence[str], ranks: int) -> list[Judged]:
        """Of what the policy chooses. What seems to be broken is measured again, in turn with what
        it is compared with, before it is called so."""
        judged = []
        for demand in demands_of(collectives, ranks, SIZES):
            self._show(demand.text)
            cells = (demand.cell, *demand.others)
            found = self._judge(demand)
            for _ in range(ROUNDS):
                if found.holds:
                    break
                for cell in reversed(cells):
                    self._measure(cell)
                found = self._judge(demand)
            judged.append(found)
        return judged

    def _judge(self, demand: Demand) -> Judged:
        own, *others = (self._time(cell) for cell in (demand.cell, *demand.others))
        return Judged(demand, own, others, not is_broken(own, others))

    def _time(self, cell: Cell) -> Time:
        if cell not in self._samples:
            self._measure(cell)
        return time_of(self._samples[cell])

    def _measure(self, cell: Cell) -> None:
        answer = self._asked.check(cell, CHOSEN, SAMPLES, self._seconds)
        self._samples.setdefault(cell, []).extend(one * 1e-9 for one in answer["samples_ns"])
