"""What routines in C, Fortran and Python learn of how their arrays lie, against brute force."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from conftest import Command
from demo_server import needs_server
from serving import Serving
from tasuki.rpc.client import Server

pytestmark = needs_server

ROUTINES = Path(__file__).parent / "routines"
FACTS = 32  # More numbers than a layout of three dimensions has.
# By its name in the interface: the words of a distribution, and the grid if it is not the server's
# choice. The sizes are l, m and n; p is the number of ranks.
DISTRIBUTIONS = {
    "whole_1": ((), None),
    "whole_2": ((), None),
    "block": (("BLOCK",), None),
    "blocks": (("BLOCK(4)",), "p"),
    "cyclic": (("CYCLIC",), None),
    "cyclic_3": (("CYCLIC(3)",), None),
    "rows": (("BLOCK", "*"), None),
    "columns": (("*", "CYCLIC(2)"), None),
    "block_cyclic": (("BLOCK", "CYCLIC"), None),
    "scalapack": (("CYCLIC(2)", "CYCLIC(3)"), None),
    "tall": (("CYCLIC", "BLOCK"), "p, 1"),
    "wide": (("CYCLIC(2)", "BLOCK"), "1, p"),
    "planes": (("BLOCK", "*", "*"), None),
    "pencils": (("*", "CYCLIC(2)", "*"), None),
    "cubes": (("BLOCK", "CYCLIC", "CYCLIC(2)"), None),
    "beams": (("CYCLIC", "*", "BLOCK"), "1, p"),
}
DIMENSIONS = {name: len(words) or int(name[-1]) for name, (words, _) in DISTRIBUTIONS.items()}
# A multiple of the blocks or not; fewer elements than ranks, or none.
SIZES = [(5, 7, 6), (12, 12, 12), (1, 1, 1), (2, 0, 3), (13, 2, 11)]
LANGUAGES = {
    "in_c": ('Required "layout_facts.c"', 'Calls "C" tell_layout'),
    "in_fortran": (
        'Required "tasuki_routines.f90" Required "layout_facts.f90"',
        'Calls "Fortran" tell_layout_in_fortran',
    ),
    "in_python": ("", 'Calls "python" "layout_facts:tell_layout"'),
}


def source_of(module: str) -> str:
    required, calls = LANGUAGES[module]
    text = f'Module {module};\nLibrary "-lgfortran";\n'
    for name, (words, grid) in DISTRIBUTIONS.items():
        distribution = f"distribute({', '.join(words)})" if words else ""
        onto = f" onto grid({grid})" if grid else ""
        sizes = "".join(f"[{one}]" for one in "lmn"[: DIMENSIONS[name]])
        text += (
            f"Define {name}(IN int p, IN int l, IN int m, IN int n,\n"
            f"  OUT {distribution}{onto} int64_t places{sizes},\n"
            f"  OUT distribute(BLOCK, *) int64_t facts[p][{FACTS}])\n"
            f'{required} Backend "MPI" {calls}(places, facts);\n'
        )
    if module != "in_python":
        called = calls.replace("tell_layout", "tell_of_another")
        text += f'Define another(OUT int *is_known) {required} Backend "MPI" {called}(is_known);\n'
    return text if module == "in_fortran" else text.replace('Library "-lgfortran";\n', "")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A module for each language that is there, built."""
    made = tmp_path_factory.mktemp("layouts")
    for file in ROUTINES.glob("layout_facts.*"):
        shutil.copy(file, made)
    for module in LANGUAGES:
        if module == "in_fortran" and shutil.which("gfortran") is None:
            continue
        (made / f"{module}.idl").write_text(source_of(module))
        built = Command()("idl", "build", made / f"{module}.idl")
        assert built.returncode == 0, built.stderr
    return made


@pytest.fixture(scope="module", params=[1, 2, 3, 4])
def served(request, folder: Path) -> Iterator[tuple[Server, int]]:
    with Serving(folder, "-n", request.param) as server:
        yield server, request.param


@dataclass
class BruteForce:
    """How a dimension lies, by asking each index for its owner as HPF defines it."""

    extent: int
    word: str
    processes: int

    @property
    def block_extent(self) -> int:
        """Indices that follow each other on one process."""
        kind, _, width = self.word.rstrip(")").partition("(")
        if kind == "BLOCK":
            return max(1, int(width) if width else -(-self.extent // self.processes))
        return max(1, self.extent) if kind == "*" else int(width or 1)

    def indices(self, process: int) -> list[int]:
        """What a process has, in ascending order."""
        runs = [i // self.block_extent for i in range(self.extent)]
        return [i for i, run in enumerate(runs) if run % self.processes == process]


def grid_of(name: str, told: tuple[int, ...], ranks: int) -> tuple[int, ...]:
    """The grid that the interface says, or else what was told if that may be."""
    words, grid = DISTRIBUTIONS[name]
    if grid is not None:
        given = iter(ranks if one.strip() == "p" else int(one) for one in grid.split(","))
        return tuple(1 if word == "*" else next(given) for word in words)
    assert np.prod(told) == (ranks if words else 1)
    assert all(told[i] == 1 for i, word in enumerate(words) if word == "*")
    return told


def descriptor_of(dimensions: list[BruteForce], columns_here: int) -> list[int]:
    """ScaLAPACK's, without a context, of Fortran's A(n, m) for the interface's a[m][n]."""
    m, n = dimensions
    local_rows = max(1, columns_here)
    return [1, 0, n.extent, m.extent, n.block_extent, m.block_extent, 0, 0, local_rows]


def expected_facts(name: str, sizes: tuple[int, ...], rank: int, grid) -> list[int]:
    """What the routine shall write of the layout on a rank."""
    words = DISTRIBUTIONS[name][0]
    place = np.unravel_index(rank, grid) if words else (0,) * len(sizes)
    lies = [BruteForce(*one) for one in zip(sizes, words or ("*",) * len(sizes), grid, strict=True)]
    local = [len(one.indices(at)) for one, at in zip(lies, place, strict=True)]
    facts = [len(sizes), max(1, local[-1])]
    for one, count, at in zip(lies, local, place, strict=True):
        facts += [one.extent, count, one.block_extent, one.processes, at]
    return facts + (descriptor_of(lies, local[-1]) if len(words) == 2 else [0] * 9)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("module", LANGUAGES)
def test_layouts_are_those_of_brute_force(served, module: str, sizes: tuple[int, ...]) -> None:
    server, ranks = served
    if module not in server.modules:
        pytest.skip("no Fortran compiler")
    for name, dimensions in DIMENSIONS.items():
        if name == "blocks" and sizes[0] > 4 * ranks:
            continue  # Such blocks do not cover it: the call would be refused.
        extents = sizes[:dimensions]
        places, facts = getattr(server.modules[module], name)(ranks, *sizes)
        np.testing.assert_array_equal(places, np.arange(np.prod(extents)).reshape(extents))
        told = tuple(facts[0, 5 : 5 + 5 * dimensions : 5])
        for rank in range(ranks):
            grid = grid_of(name, told, ranks)
            expected = expected_facts(name, extents, rank, grid)
            assert facts[rank, : len(expected)].tolist() == expected, (name, rank)


@pytest.mark.parametrize("module", ["in_c", "in_fortran"])
def test_memory_that_is_no_argument_has_no_layout(served, module: str) -> None:
    server, _ = served
    if module not in server.modules:
        pytest.skip("no Fortran compiler")
    assert server.modules[module].another() == [0]
