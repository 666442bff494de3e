"""Which libraries compilers find: here, compilers that a test makes up."""

from pathlib import Path

import pytest
from tasuki.base.errors import CommandError
from tasuki.idl.libraries import is_library, scalapack_of


def compiler(folder: Path, shown: str, libraries: list[str]) -> list[str]:
    """One of an MPI that shows this, and finds these libraries, as gcc would."""
    found = "".join(f"-print-file-name={one}) echo {folder / one};;\n" for one in libraries)
    program = folder / "mpicc"
    program.write_text(
        f'#!/bin/sh\ncase "$1" in\n-show) echo "{shown}";;\n{found}'
        '-print-file-name=*) echo "${1#*=}";;\nesac\n'
    )
    program.chmod(0o755)
    return [str(program)]


def test_a_library_may_be_shared_or_static(tmp_path) -> None:
    made = compiler(tmp_path, "", ["libone.so", "libtwo.a"])
    assert is_library(made, "one") and is_library(made, "two") and not is_library(made, "three")


@pytest.mark.parametrize(
    ("shown", "library", "expected"),
    [
        ("gcc -I/usr/lib/openmpi/include", "libscalapack-openmpi.so", "scalapack-openmpi"),
        ("gcc -I/usr/include/mpich", "libscalapack-mpich.so", "scalapack-mpich"),
        ("gcc -I/usr/include/mpich", "libscalapack.so", "scalapack"),
    ],
)
def test_scalapack_is_that_of_the_mpi(tmp_path, shown, library, expected) -> None:
    assert scalapack_of(compiler(tmp_path, shown, [library])) == expected


@pytest.mark.parametrize(
    ("shown", "kind"), [("-lmpich", "mpich"), ("openmpi", "openmpi"), ("", "")]
)
def test_a_missing_scalapack_is_an_error_with_its_package(tmp_path, shown, kind) -> None:
    other = "libscalapack-openmpi.so" if kind == "mpich" else "libscalapack-mpich.so"
    with pytest.raises(CommandError, match=f"apt install libscalapack-{kind or 'mpi'}-dev"):
        scalapack_of(compiler(tmp_path, shown, [other]))
