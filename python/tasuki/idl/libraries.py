"""Which libraries the local compilers find, by their names behind `-l`."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from tasuki.base.errors import CommandError

# Debian's names of ScaLAPACK, of which there is one for each MPI, and the name everywhere else.
_SCALAPACKS = {"openmpi": "scalapack-openmpi", "mpich": "scalapack-mpich", "": "scalapack"}


def is_library(compiler: Sequence[str], name: str) -> bool:
    """Does the compiler find lib`name` where it looks by itself?"""
    for file in (f"lib{name}.so", f"lib{name}.a"):
        # It prints the bare name if there is no such file.
        if Path(_output([*compiler, f"-print-file-name={file}"])).is_absolute():
            return True
    return False


def scalapack_of(compiler: Sequence[str]) -> str:
    """The name of the ScaLAPACK that belongs to the MPI of a compiler; it contains the BLACS.

    Raises CommandError if there is none.
    """
    shown = _output([*compiler, "-show"])
    kinds = [kind for kind in _SCALAPACKS if kind in shown]
    for kind in kinds:
        if is_library(compiler, _SCALAPACKS[kind]):
            return _SCALAPACKS[kind]
    package = f"libscalapack-{kinds[0] or 'mpi'}-dev"
    raise CommandError(
        "idl build", f"{compiler[0]} finds no ScaLAPACK, which Backend \"BLACS\" needs",
        f"apt install {package}",
    )  # fmt: skip


def _output(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, errors="replace").stdout.strip()
