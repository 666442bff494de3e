"""Where the compiled programs are: in the installed package, else in the build tree beside it."""

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from tasuki.base.errors import CommandError

PACKAGE = Path(__file__).resolve().parent.parent
SOURCE_TREE = PACKAGE.parents[1]
DATA = PACKAGE / "data"
BUILD_TREE = SOURCE_TREE / "build" / "release"

BUILD = "build it with: ./dev build"
BUILD_WITH_MPI = "install an MPI (apt install libopenmpi-dev openmpi-bin), then: ./dev build"
BUILD_WITH_OPENBLAS = "install OpenBLAS (apt install libopenblas-dev), then: ./dev build"
BUILD_WITH_LZMA = "install liblzma (apt install liblzma-dev), then: ./dev build"
BUILD_WITH_SIMGRID = "install SimGrid (apt install libsimgrid-dev), then: ./dev build"


def find_program(name: str) -> Path | None:
    """The path of the compiled program `name`, or None if this installation does not have it."""
    for folder in (PACKAGE / "bin", BUILD_TREE / "bin"):
        path = folder / name
        if path.is_file():
            return path
    return None


def require_program(operation: str, name: str, remedy: str = BUILD) -> Path:
    """The path of the program `name`; raises CommandError with `remedy` if there is none."""
    path = find_program(name)
    if path is None:
        raise CommandError(operation, f"the program {name} is not part of this build", remedy)
    return path


def find_library(name: str) -> Path | None:
    """The path of the shared library lib`name`.so, or None if this installation has none."""
    for folder in (PACKAGE / "lib", BUILD_TREE / "lib"):
        path = folder / f"lib{name}.so"
        if path.is_file():
            return path
    return None


def find_extension(name: str) -> Path | None:
    """The path of the extension module `name` for this Python, or None if there is none."""
    for folder in (PACKAGE / "lib", BUILD_TREE / "lib"):
        for suffix in EXTENSION_SUFFIXES:
            path = folder / f"{name}{suffix}"
            if path.is_file():
                return path
    return None


def find_gdb_script(name: str) -> Path | None:
    """The path of a script that adds commands to gdb, or None if this installation has none."""
    for folder in (PACKAGE / "share" / "tasuki" / "gdb", SOURCE_TREE / "tools" / "gdb"):
        path = folder / name
        if path.is_file():
            return path
    return None


def find_plugin(name: str) -> Path | None:
    """The path of the plug-in `name`.so, or None if this installation does not have it."""
    for folder in (PACKAGE / "lib", BUILD_TREE / "lib"):
        path = folder / "tasuki" / f"{name}.so"
        if path.is_file():
            return path
    return None
