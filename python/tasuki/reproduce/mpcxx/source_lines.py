"""How many lines of a kernel differ between its MPI version and its Tasuki version."""

import difflib
from pathlib import Path

from tasuki.base.programs import SOURCE_TREE
from tasuki.output.figure import Point
from tasuki.reproduce.mpcxx.kernels import KERNELS, Kernels
from tasuki.reproduce.mpcxx.paper import LINES_PANEL

NPB = SOURCE_TREE / "apps" / "npb"
REMARK = (
    "Lines of the Tasuki version that the MPI version does not have, of all lines of the kernel,"
    " without comments and blank lines."
)


def differing_lines(kernels: Kernels) -> list[Point]:
    """Lines of code (without comments and blank lines)."""
    points = []
    for kernel in KERNELS:
        tasuki, mpi = (NPB / kernel / f"{kernel}_{name}.cpp" for name in ("tasuki", "mpi"))
        if not (tasuki.is_file() and mpi.is_file()):
            kernels.lab.note("lines that differ: the sources of apps/npb are not here")
            continue
        differ_count, total_count = count_lines(tasuki, mpi)
        points += [
            Point(LINES_PANEL, series, kernel.upper(), value, "", details={"kernel": kernel})
            for series, value in (("differ", differ_count), ("of", total_count))
        ]
    return points


def count_lines(tasuki: Path, mpi: Path) -> tuple[int, int]:
    """Lines of `tasuki` that `mpi` does not have; lines of the whole kernel with `tasuki`."""
    new = code_lines(tasuki)
    matcher = difflib.SequenceMatcher(None, code_lines(mpi), new, autojunk=False)
    same_count = sum(block.size for block in matcher.get_matching_blocks())
    folders = (tasuki.parent, *(above / "common" for above in tasuki.parents[1:3]))
    shared = [
        path
        for folder in folders
        for path in sorted(folder.glob("*.[ch]pp"))
        if "_mpi" not in path.stem and not path.stem.startswith("mpi_") and path != tasuki
    ]
    return len(new) - same_count, len(new) + sum(len(code_lines(path)) for path in shared)


def code_lines(path: Path) -> list[str]:
    lines = (line.strip() for line in path.read_text().splitlines())
    return [line for line in lines if line and not line.startswith("//")]
