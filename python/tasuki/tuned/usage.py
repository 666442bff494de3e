"""How the ranks of a program carried their collectives out, as they report it at MPI_Finalize."""

import json
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

NATIVE = "native"


class Kind(NamedTuple):
    """Calls that were carried out alike."""

    collective: str
    how: str  # The algorithm, or native: by the MPI library.
    why: str


class Usage:
    """The counts of all ranks of this host together."""

    def __init__(self, report: Path) -> None:
        self.ranks_count = 0
        self._largest_world = self._ranks_of_worlds = 0
        self.calls: dict[Kind, int] = defaultdict(int)
        self.bytes: dict[Kind, int] = defaultdict(int)
        for line in report.read_text().splitlines():
            self.ranks_count += 1
            rank = json.loads(line)
            self._largest_world = max(self._largest_world, rank["ranks"])
            if rank["rank"] == 0:  # A world has one of these, and spawned ranks have their own.
                self._ranks_of_worlds += rank["ranks"]
            for row in rank["calls"]:
                kind = Kind(row["collective"], row["how"], row["why"])
                self.calls[kind] += row["calls"]
                self.bytes[kind] += row["bytes"]

    def ranks_text(self) -> str:
        """As in "4 ranks", or where the report lacks some: they are on other hosts, or have not
        come to MPI_Finalize."""
        all_count = max(self._largest_world, self._ranks_of_worlds)
        if self.ranks_count >= all_count:
            return f"{self.ranks_count} ranks"
        return f"the {self.ranks_count} of {all_count} ranks that ended MPI on this host"

    def rows(self) -> list[tuple[str, str, str, int, float]]:
        """Returns collective, algorithm, reason, calls and their mean bytes, the most calls of a
        collective first."""
        kinds = sorted(self.calls, key=lambda kind: (kind.collective, -self.calls[kind]))
        return [(*kind, self.calls[kind], self.bytes[kind] / self.calls[kind]) for kind in kinds]

    def by_tasuki_count(self) -> int:
        return sum(count for kind, count in self.calls.items() if kind.how != NATIVE)

    def native_count(self) -> int:
        return sum(count for kind, count in self.calls.items() if kind.how == NATIVE)
