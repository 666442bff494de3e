"""The road networks of table 4: the user's files, or road-like graphs that are made for the run."""

import lzma
import tempfile
from pathlib import Path
from typing import NamedTuple

from tasuki.reproduce.collectives.paper import CALIFORNIA, USA, RoadNetwork
from tasuki.reproduce.collectives.road_graph import write_roads

# The nodes of a graph that stands in, as a share of the network's, where a run is not to be full.
SHARES = {CALIFORNIA: 0.1, USA: 0.01}


class Counts(NamedTuple):
    """What the first line of a .gr file says."""

    path: Path
    nodes: int
    arcs: int


class Graphs:
    """The user's graphs are in `folder`, if that is not None; the others are made in a folder that
    lasts as long as this object."""

    def __init__(self, folder: Path | None, is_full: bool) -> None:
        self._folder = folder
        self._is_full = is_full
        self._made = tempfile.TemporaryDirectory(prefix="tasuki-")

    def is_of_user(self, road: RoadNetwork) -> bool:
        return file_of(self._folder, road.file_name) is not None

    def nodes_of(self, road: RoadNetwork) -> int:
        """About, for those of the user."""
        is_whole = self._is_full or self.is_of_user(road)
        return round(road.nodes * (1 if is_whole else SHARES.get(road, 1)))

    def path_of(self, road: RoadNetwork) -> Path:
        """Where it will be; `make` makes it."""
        found = file_of(self._folder, road.file_name)
        return found or Path(self._made.name) / f"made-{self.nodes_of(road)}.gr"

    def make(self, road: RoadNetwork) -> Path:
        """The file, which is there afterwards."""
        path = self.path_of(road)
        if not path.exists():
            with path.open("w") as file:
                write_roads(self.nodes_of(road), file)
        return path


def counts_in(path: Path) -> Counts:
    """Raises ValueError if the file is no graph of DIMACS."""
    opened = lzma.open(path, "rt") if path.suffix == ".xz" else path.open()
    with opened as file:
        for line in file:
            words = line.split()
            if words[:2] == ["p", "sp"]:
                return Counts(path, int(words[2]), int(words[3]))
    raise ValueError(f"{path} has no line that begins with p sp")


def file_of(folder: Path | None, name: str) -> Path | None:
    """The user's graph of that name, if there is one."""
    for ending in (".gr.xz", ".gr"):
        if folder is not None and (folder / f"{name}{ending}").is_file():
            return folder / f"{name}{ending}"
    return None
