"""What the environment of a program must have for it to be profiled or to have tuned collectives,
and what in LD_PRELOAD stands in the way."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tasuki.base.errors import CommandError
from tasuki.base.programs import BUILD, find_plugin
from tasuki.launcher.supervisor import say

NAME = "LD_PRELOAD"
LIBRARY = "libtasuki_mpi"
TUNED_SETTING = "TASUKI_TUNED"
PREDICT_SETTING = "TASUKI_PREDICT"
_USUAL_FOLDERS = ("/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib")


def preloaded_environment(operation: str) -> dict[str, str]:
    """This process's environment with the library preloaded.

    Raises CommandError if this build does not have the library.
    """
    library = find_plugin(LIBRARY)
    if library is None:
        raise CommandError(operation, f"{LIBRARY}.so is not part of this build", BUILD)
    return {**os.environ, NAME: preload_with(library, os.environ)}


def tuned_settings(policy: str, predict: str) -> dict[str, str]:
    """What is added for collectives to be tuned by that policy, and for ranks to wait so."""
    return {TUNED_SETTING: policy, PREDICT_SETTING: predict}


def preload_with(library: Path, environment: Mapping[str, str]) -> str:
    """The value with `library` before what is in the environment's."""
    before = environment.get(NAME, "")
    return f"{library}:{before}" if before else str(library)


def warn_of_others(command: list[str], operation: str) -> None:
    """Says on standard error what keeps the library from the calls of the command."""
    for tool in other_tools(os.environ):
        say(
            f"{NAME} also has {tool}, which defines MPI_Init: it is another tool for MPI programs,"
            f" and will see no calls while tasuki {operation} does; use one of the two"
        )
    if replaces_preload(command):
        say(
            f"the command gives its ranks an {NAME} of its own, in place of the one of tasuki"
            f" {operation}; set {NAME} for tasuki {operation} instead"
        )


def other_tools(environment: Mapping[str, str]) -> list[str]:
    """The preloaded libraries that define MPI_Init: other tools that watch MPI programs."""
    names = re.split(r"[ :]+", environment.get(NAME, ""))
    return [name for name in names if name and _defines_mpi_init(_found(name, environment))]


def replaces_preload(command: list[str]) -> bool:
    """Does an argument of the command give the ranks another LD_PRELOAD?"""
    return any(f"{NAME}=" in word for word in command)


def _found(name: str, environment: Mapping[str, str]) -> Path:
    """The path of a library that the dynamic loader would search for."""
    if "/" in name:
        return Path(name)
    own = environment.get("LD_LIBRARY_PATH", "").split(":")
    machine = os.uname().machine
    usual = [*_USUAL_FOLDERS, *(f"{one}/{machine}-linux-gnu" for one in _USUAL_FOLDERS)]
    for folder in (*own, *usual):
        if folder and (Path(folder) / name).is_file():
            return Path(folder) / name
    return Path(name)


def _defines_mpi_init(library: Path) -> bool:
    try:
        listed = subprocess.run(
            ["nm", "-D", "--defined-only", library], capture_output=True, text=True
        )
    except OSError:
        return False  # No binutils: the ranks' own messages have to do.
    return re.search(r" [TWVti] MPI_Init(@|$)", listed.stdout, re.MULTILINE) is not None
