"""What the user asked `tasuki tune` for, and where that is measured."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tasuki.launcher.hosts import Host
from tasuki.measurement.policy_parts import ANYWHERE, NodeRange
from tasuki.output.place import ranks_and_place


class TuneRun(NamedTuple):
    """`collectives` empty is all; `budget_s` is for all numbers of ranks."""

    ranks: Sequence[int]
    transport: str
    mpi: str
    collectives: Sequence[str]
    budget_s: float
    output: Path | None
    seed: int
    hosts: Sequence[Host] = ()  # With numbers of ranks; none: this host alone.

    @property
    def seconds(self) -> float:
        """For one number of ranks."""
        return self.budget_s / len(self.ranks)

    @property
    def hosts_count(self) -> int:
        return max(1, len(self.hosts))

    @property
    def nodes(self) -> NodeRange:
        """Where its results hold: a job on hosts tells of no more hosts, nor of fuller ones."""
        if not self.hosts:
            return ANYWHERE
        most = max(host.rank_count or 1 for host in self.hosts)
        return NodeRange(min(2, len(self.hosts)), len(self.hosts), most)

    def place_of(self, ranks: int) -> str:
        """As in "4 ranks on 2 hosts"."""
        if not self.hosts:
            return ranks_and_place(ranks)
        return f"{ranks} ranks on {len(self.hosts)} host{'s' if len(self.hosts) > 1 else ''}"
