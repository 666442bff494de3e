"""What the user asked `tasuki tune` for."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tasuki.tune.tune_place import TunePlace


class TuneRun(NamedTuple):
    """`collectives` empty is all; `budget_s` is for all numbers of ranks."""

    place: TunePlace
    mpi: str
    collectives: Sequence[str]
    budget_s: float
    output: Path | None
    seed: int

    @property
    def seconds(self) -> float:
        """For one number of ranks."""
        return self.budget_s / len(self.place.ranks)
