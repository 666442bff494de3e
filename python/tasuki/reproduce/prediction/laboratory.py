"""All runs of one reproduction: each cell once, its variants in turn."""

import time
from collections.abc import Iterator
from typing import Any

from tasuki.base.errors import CommandError
from tasuki.launcher.mpiexec import MPIS
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.links import can_link
from tasuki.reproduce.notebook import build_of
from tasuki.reproduce.prediction import paper
from tasuki.reproduce.prediction.cells import Cell, Wishes, cells_of
from tasuki.reproduce.prediction.runs import Runner, Runs, runner_of
from tasuki.reproduce.prediction.traces import Recorded, record
from tasuki.reproduce.prediction.turns import Turns
from tasuki.reproduce.prediction.variants import EARLIER, variants_in
from tasuki.reproduce.repetitions import limit_s

NO_LINKS = (
    "no links of 100 Mbit/s: network namespaces and tc tbf take root and iproute2; what the paper"
    " measured on its cluster is measured over TCP on this machine alone"
)
_TRACE_S = 2.0  # Beside the run itself.


def conditions_of(wishes: Wishes) -> dict[str, Any]:
    """What decides what comes of a run."""
    endings = ("tasuki", *(f"mpi_{mpi}" for mpi in MPIS))
    kernels = [f"npb_{kernel}_{ending}" for kernel in paper.KERNELS for ending in endings]
    return {"runs": wishes.runs, "builds": {name: build_of(name) for name in kernels}}


class Predictions:
    """The cells, and what was measured in them."""

    def __init__(self, lab: Lab, wishes: Wishes) -> None:
        self.lab = lab
        self.wishes = wishes
        cells = list(cells_of(wishes))
        if any(cell.network.has_hosts for cell in cells) and not can_link():
            lab.note(NO_LINKS)
            cells = [cell for cell in cells if not cell.network.has_hosts]
        self.cells = cells
        # Seconds that those to come take, by key.
        self._waiting_s = {cell.key: self._expected_s(cell) for cell in cells}

    def measured(self) -> Iterator[tuple[Cell, dict[str, Runs]]]:
        """All cells there are, with the runs of their variants by name."""
        for cell in self.cells:
            runs = self.runs_in(cell)
            if runs:
                yield cell, runs

    def runs_in(self, cell: Cell) -> dict[str, Runs]:
        """By name of the variant; empty if nothing could be measured."""

        def measure(seconds_left: float) -> dict[str, Runs]:
            most_s = min(seconds_left, limit_s(cell.spinning_run_s))
            return self._interleaved(cell, self._share_s(cell, seconds_left), most_s)

        def decode(found: dict[str, Any]) -> dict[str, Runs]:
            return {name: Runs.decode(one) for name, one in found.items()}

        variants = tuple(one.name for one in variants_in(cell, self.wishes))
        key = ("cell", cell.key, variants)
        run = Run(key, cell.title, self._expected_s(cell), measure, decode)
        found: dict[str, Runs] | None = self.lab.measured(run)
        self._waiting_s.pop(cell.key, None)
        return found or {}

    def recorded(self, cell: Cell) -> Recorded | None:
        """How well each predictor does on the messages of a run."""

        def measure(seconds_left: float) -> Recorded:
            with runner_of(cell) as runner:
                return record(cell, runner, min(seconds_left, limit_s(cell.run_s)))

        title = f"messages of {cell.title}"
        run = Run(("trace", cell.key), title, cell.run_s + _TRACE_S, measure,
                  lambda found: Recorded(*found))  # fmt: skip
        found: Recorded | None = self.lab.measured(run)
        return found

    def _expected_s(self, cell: Cell) -> float:
        variants = variants_in(cell, self.wishes)
        spinning = [one for one in variants if one.spins]
        others_count = len(variants) - len(spinning)
        round_s = len(spinning) * cell.spinning_run_s + others_count * cell.run_s
        return self.wishes.runs * round_s + cell.run_s

    def _share_s(self, cell: Cell, seconds_left: float) -> float:
        """Of the time that is left what this cell may take, beside those to come."""
        waiting_s = sum(self._waiting_s.values())
        return seconds_left * self._expected_s(cell) / max(waiting_s, self._expected_s(cell))

    def _interleaved(self, cell: Cell, seconds: float, most_s: float) -> dict[str, Runs]:
        """All runs of a cell within the seconds, no run longer than `most_s`."""
        variants = {one.name: one for one in variants_in(cell, self.wishes)}
        found = {name: Runs() for name in variants}
        turns = Turns(list(variants), self.wishes.runs, seconds)
        with runner_of(cell) as runner:
            if EARLIER.name in variants:
                self._prepare(cell, runner, turns, most_s)
            for number, name in turns:
                start = time.monotonic()
                try:
                    outcome = runner.run(variants[name], most_s)
                except CommandError as failure:
                    self.lab.take_note_of(failure, f"{cell.title}, {variants[name].title}")
                    turns.leave_out(name)
                    continue
                found[name] = found[name].plus(number, outcome)
                turns.spend(name, time.monotonic() - start)
        return {name: runs for name, runs in found.items() if runs.rounds}

    def _prepare(self, cell: Cell, runner: Runner, turns: Turns, most_s: float) -> None:
        """Records the earlier run."""
        try:
            runner.record_events(most_s)
        except CommandError as failure:
            self.lab.take_note_of(failure, f"{cell.title}, events of an earlier run")
            turns.leave_out(EARLIER.name)
