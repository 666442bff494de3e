"""Why a command may have left no event file: the causes that can be seen, and those that cannot."""

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

from tasuki.base.errors import CommandError
from tasuki.profile.call_sites import segments_of

LAUNCHERS = re.compile(
    r"(mpirun|mpiexec|orterun|prterun|srun|aprun|jsrun|env|nice|taskset|sh|bash)\b"
)
_MPI = re.compile(r"NEEDED.*\[lib(mpi|mpich|pmpi|mpi_\w+)\b")


def no_events_error(command: list[str]) -> CommandError:
    """The error for a command of which no rank has recorded anything."""
    programs = [path for path in map(_program, command) if path is not None]
    causes = [cause for path in programs if (cause := _cause(path))]
    if causes:
        happened = f"no rank has recorded an event: {causes[0]}"
    else:
        happened = (
            "no rank has recorded an event: none called tasuki::run, or MPI_Init with a known MPI"
            " (Open MPI 4 or 5, MPICH 4 or 5), or LD_PRELOAD did not reach the ranks"
        )
    return CommandError(
        "profile",
        happened,
        "profile an MPI program that is linked dynamically; with ranks on other nodes let the"
        " launcher pass LD_PRELOAD and TASUKI_PROFILE_FOLDER on (mpirun -x), and set TMPDIR to a"
        " folder that all nodes share",
    )


def _program(word: str) -> Path | None:
    """The ELF file that the word names, unless it is a launcher."""
    found = shutil.which(word)
    if found is None or LAUNCHERS.match(Path(found).resolve().name) or LAUNCHERS.match(word):
        return None
    path = Path(found)
    return path if segments_of(path) is not None else None


def _cause(program: Path) -> str:
    segments = segments_of(program)
    if segments is not None and not segments.has_interpreter:
        return f"{program} is linked statically, so that nothing can be preloaded into it"
    if program.stat().st_mode & (stat.S_ISUID | stat.S_ISGID):
        return f"{program} runs with the rights of its owner, so that nothing is preloaded into it"
    if _defines_mpi(program):
        return f"{program} has its MPI library linked into it, so that its calls stay inside"
    if not _needs_mpi(program):
        return f"{program} needs no MPI library, and did not load one either"
    return ""


def _defines_mpi(program: Path) -> bool:
    """Is an MPI library part of the program itself?"""
    try:
        listed = subprocess.run(["nm", "--defined-only", program], capture_output=True, text=True)
    except OSError:
        return False  # No binutils.
    return re.search(r" [TW] P?MPI_Init$", listed.stdout, re.MULTILINE) is not None


def _needs_mpi(program: Path) -> bool:
    """Is an MPI among the libraries that it needs, or that these need?"""
    environment = {**os.environ, "LC_ALL": "C", "LD_TRACE_LOADED_OBJECTS": ""}
    try:
        shown = subprocess.run(
            ["readelf", "-d", program], capture_output=True, text=True, env=environment
        )
    except OSError:
        return True  # Nothing can be said.
    if _MPI.search(shown.stdout):
        return True
    listed = subprocess.run(["ldd", program], capture_output=True, text=True)
    return re.search(r"\blib(mpi|mpich)\b", listed.stdout) is not None
