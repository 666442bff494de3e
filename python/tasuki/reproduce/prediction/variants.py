"""The ways to run a kernel that are compared: from nothing to prediction by an earlier run."""

from collections.abc import Mapping
from typing import NamedTuple

from tasuki.reproduce.prediction.cells import Cell, Wishes, shares_cores
from tasuki.reproduce.prediction.networks import SHARED_MEMORY, TCP


class Variant(NamedTuple):
    """`predict` is what `tasuki run --tuned` is told, None where it is not used; `settings` by kind
    of MPI is what the library is told besides. `knows_earlier`: from the events of an earlier run.
    `is_own`: the kernel is the one over Tasuki, in place of that over MPI; its ranks are told what
    to predict."""

    name: str
    title: str
    predict: str | None = None
    settings: Mapping[str, Mapping[str, str]] = {}
    knows_earlier: bool = False
    is_own: bool = False

    @property
    def spins(self) -> bool:
        """Does it wait as the library does by itself?"""
        return not self.is_own and self.predict in (None, "off")

    def is_for(self, cell: Cell) -> bool:
        """Is it another way there? Tasuki's ranks are all on the host of their command; the library
        yields by itself where ranks share cores."""
        if self.is_own and cell.network.has_hosts:
            return False
        return not self.settings or (cell.mpi in self.settings and not shares_cores(cell))


NOTHING = Variant("nothing", "as it is")
# MPICH has no such setting.
YIELD = Variant(
    "yield", "library's yield", settings={"ompi": {"OMPI_MCA_mpi_yield_when_idle": "1"}}
)
OFF = Variant("off", "tuned, no prediction", "off")
FIXED = Variant("fixed", "tuned, fixed waits", "fixed")
GUARDED = Variant("guarded", "guarded", "guarded")
ALWAYS = Variant("always", "always", "always")
EARLIER = Variant("earlier", "earlier run", "guarded", knows_earlier=True)
OWN_OFF = Variant("tasuki-off", "Tasuki version", "off", is_own=True)
OWN = Variant("tasuki", "Tasuki version, guarded", "guarded", is_own=True)
VARIANTS = (NOTHING, YIELD, OFF, FIXED, GUARDED, ALWAYS, EARLIER, OWN_OFF, OWN)
_OF_THE_PAPER = (NOTHING, OFF, GUARDED, ALWAYS)


def variants_in(cell: Cell, wishes: Wishes) -> list[Variant]:
    """The ways to run a cell: unless the run is full, the whole ablation is measured for the
    largest class and number of ranks alone, in shared memory, and of IS over TCP, where the
    paper's gain is the largest."""
    is_largest = (cell.problem_class, cell.ranks) == (wishes.classes[-1], max(wishes.ranks))
    is_of_interest = cell.network == SHARED_MEMORY or (cell.kernel, cell.network) == ("is", TCP)
    has_all = wishes.is_full or (is_largest and is_of_interest)
    chosen = VARIANTS if has_all else _OF_THE_PAPER
    return [one for one in chosen if one.is_for(cell)]
