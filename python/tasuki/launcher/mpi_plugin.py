"""Builds the MPI plug-ins alone, for a Tasuki that was built before the MPI was there.

`tasuki mpi-plugin` shows what has been built. The project is src/transport/mpi/plugin, in the tree
of the sources and in share/tasuki of an installation.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from tasuki.base.errors import CommandError
from tasuki.base.program_answer import answer_of
from tasuki.base.programs import BUILD, PACKAGE, SOURCE_TREE

OPERATION = "mpi-plugin"
PROJECT = Path("src/transport/mpi/plugin")
_INSTALL_MPI = "install an MPI with its compiler (apt install libopenmpi-dev openmpi-bin)"
# Of what a failed build says, the end has the reason.
_SHOWN_LINES = 20


class Plugin(NamedTuple):
    """A plug-in that has been built: of which MPI, by which of its compiler wrappers, where."""

    mpi: str
    compiler: str
    file: Path


def default_folder() -> Path:
    """Where the programs of this installation look for plug-ins first.

    Raises CommandError if this build does not have the program that knows.
    """
    directories = answer_of(OPERATION, "tasuki_info")["mpi_plugin_directories"]
    return next(Path(row["directory"]) for row in directories if row["is_home"])


def build_plugins(folder: Path, compiler: str | None) -> list[Plugin]:
    """Builds a plug-in for each MPI of this machine, or for that of `compiler` alone, in `folder`.

    Raises CommandError: no compiler wrapper, no CMake, sources or folder, or what the build said.
    """
    wrapper = None if compiler is None else _wrapper(compiler)
    cmake = shutil.which("cmake")
    if cmake is None:
        raise CommandError(OPERATION, "there is no cmake in the PATH", "apt install cmake g++ make")
    source = _source(folder)
    _make_writable(folder)
    with tempfile.TemporaryDirectory(prefix="tasuki-mpi-plugin-") as scratch:
        tree = Path(scratch)
        _build(cmake, source, tree, wrapper)
        words = [line.split(maxsplit=1) for line in (tree / "built.txt").read_text().splitlines()]
        if not words and wrapper is not None:
            raise CommandError(
                OPERATION, f"{wrapper} is no compiler of Open MPI or MPICH",
                f"name its mpicxx, or {_INSTALL_MPI}",
            )  # fmt: skip
        if not words:
            raise CommandError(
                OPERATION, "there is no compiler wrapper of Open MPI or MPICH in the PATH",
                f"{_INSTALL_MPI}, or name it: tasuki mpi-plugin --mpi-compiler FILE",
            )  # fmt: skip
        return [Plugin(mpi, used, _put(tree, mpi, folder)) for mpi, used in words]


def _wrapper(compiler: str) -> str:
    found = shutil.which(compiler)
    if found is None:
        raise CommandError(
            OPERATION, f"there is no compiler {compiler}", f"name an mpicxx, or {_INSTALL_MPI}"
        )
    return os.path.abspath(found)


def _source(folder: Path) -> Path:
    """The project: that of the installation which `folder` belongs to, as its plug-ins must fit its
    library, else our own."""
    prefixes = [parent / "share/tasuki" for parent in folder.resolve().parents]
    for root in (*prefixes, PACKAGE / "share/tasuki", SOURCE_TREE):
        if (root / PROJECT / "CMakeLists.txt").is_file():
            return root / PROJECT
    raise CommandError(OPERATION, "the sources of the plug-in are not installed", BUILD)


def _make_writable(folder: Path) -> None:
    """Makes the folder if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as fault:
        raise CommandError(
            OPERATION, f"cannot write to {folder}: {fault.strerror}",
            "run it as who has installed Tasuki, or name a folder (tasuki mpi-plugin --output DIR) "
            "and set TASUKI_PLUGIN_DIR to it",
        ) from None  # fmt: skip


def _build(cmake: str, source: Path, tree: Path, wrapper: str | None) -> None:
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    given = [] if wrapper is None else [f"-DTASUKI_MPI_CXX_COMPILERS={wrapper}"]
    for line in (
        [cmake, "-S", str(source), "-B", str(tree), *generator, *given],
        [cmake, "--build", str(tree)],
    ):
        ended = subprocess.run(
            line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
        if ended.returncode != 0:
            said = "\n".join(ended.stdout.rstrip().splitlines()[-_SHOWN_LINES:])
            raise CommandError(
                OPERATION, f"the plug-in cannot be built:\n{said}\n",
                "install what is missing; it takes g++, cmake, and make or ninja",
            )  # fmt: skip


def _put(tree: Path, mpi: str, folder: Path) -> Path:
    """Replaces the plug-in in one step, as programs may have the old one open."""
    target = folder / f"transport_mpi_{mpi}.so"
    fresh = folder / f".{target.name}.{os.getpid()}"
    shutil.copyfile(tree / target.name, fresh)
    fresh.chmod(0o755)
    os.replace(fresh, target)
    return target
