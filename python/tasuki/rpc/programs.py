"""The programs that a server starts: from registrations, interface files and folders of them."""

import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasuki.base.errors import CommandError
from tasuki.base.programs import DATA, require_program
from tasuki.idl.build import build, is_up_to_date, long_bits_of, registration_of
from tasuki.idl.interface import module_to_json
from tasuki.idl.model import Module
from tasuki.idl.parser import parse_file
from tasuki.idl.registration import SUFFIX, Registration, read_registration
from tasuki.launcher.mpiexec import find_mpiexec

_DEMO = DATA / "demo"
# Programs of the demonstration that are part of this build -> their interfaces.
_COMPILED = {"demo_linpack": _DEMO / "linpack.idl"}
# What is built when it is served, if compiler and libraries are there.
_LIBRARIES = (_DEMO / "lapack.idl",)
RANKS = "{ranks}"  # In a launcher's command: how many processes to start.


@dataclass(frozen=True)
class Launch:
    """How many ranks parallel routines have; `launcher` starts them in place of mpiexec.

    The ranks of a module keep at most `keep_limit_bytes` of arrays that clients leave there.
    """

    ranks: int
    launcher: str = ""
    keep_limit_bytes: int = 4 << 30


@dataclass(frozen=True)
class ServedProgram:
    """A program and how it is started."""

    registration: Registration
    file: Path

    @property
    def module(self) -> Module:
        return self.registration.module

    @property
    def needs_mpi(self) -> bool:
        return self.registration.launch.endswith("mpi")

    @property
    def name(self) -> str:
        """What clients call the module: its name, else that of its file."""
        return self.module.name or self.file.name.removesuffix(SUFFIX)

    def to_json(self, launch: Launch) -> dict[str, Any]:
        """What the front end is told. Raises CommandError if there is no mpiexec for it."""
        kind = self.registration.launch
        ranks = 1 if kind in ("process", "python") else launch.ranks
        command = [str(self.registration.program)]
        if kind.startswith("python"):
            command = [sys.executable, "-m", "tasuki.rpc.rank_program", str(self.file)]
        if kind == "tasuki":
            command = [sys.executable, "-m", "tasuki", "run", "-n", str(ranks), *command]
        elif self.needs_mpi:
            command = [*_mpi_launcher(launch), *command]
        interface = module_to_json(self.module) | {"module": self.name}
        return {
            "interface": interface,
            "command": command,
            "ranks": ranks,
            "keep_limit_bytes": launch.keep_limit_bytes,
        }


def _mpi_launcher(launch: Launch) -> list[str]:
    if launch.launcher:
        words = shlex.split(launch.launcher)
        if RANKS not in launch.launcher:
            words += ["-n", RANKS]
        return [word.replace(RANKS, str(launch.ranks)) for word in words]
    kind, mpiexec = find_mpiexec("auto")
    # The ranks of several modules share the cores, as calls come.
    shared = ["--oversubscribe", "--bind-to", "none"] if kind == "ompi" else []
    return [mpiexec, *shared, "-n", str(launch.ranks)]


def demo_programs(folder: Path) -> list[ServedProgram]:
    """Those of this installation, and libraries, whose programs are built in `folder`.

    Says of a library that cannot be built why it is left out.
    """
    programs = []
    for name, file in _COMPILED.items():
        registration = Registration(parse_file(file), require_program("serve", name), "tasuki")
        programs.append(ServedProgram(registration, file))
    for file in _LIBRARIES:
        try:
            programs.append(_registered(build(file, folder)))
        except CommandError as fault:
            reason = str(fault).strip().splitlines()[0]
            print(f"tasuki: serve: {file.stem} is left out: {reason}", file=sys.stderr)
    return programs


def programs_of(paths: Iterable[Path]) -> list[ServedProgram]:
    """Those of registrations, of interface files, which are built if need be, and of folders.

    Raises CommandError or IdlError if there are none, or two of one name.
    """
    programs = [program for path in paths for program in _programs_of(path)]
    by_name: dict[str, ServedProgram] = {}
    for one in programs:
        other = by_name.setdefault(one.name, one)
        if other.file.resolve() != one.file.resolve():
            raise CommandError(
                "serve", f"{other.file} and {one.file} are both module {one.name}",
                "give one of them another name by a Module statement",
            )  # fmt: skip
    return list(by_name.values())


def _programs_of(path: Path) -> list[ServedProgram]:
    if path.is_dir():
        sources = sorted(path.glob("*.idl"))
        built = [_built(file) for file in sources]
        names = {one.file.resolve() for one in built}
        others = [one for one in sorted(path.glob(f"*{SUFFIX}")) if one.resolve() not in names]
        found = [*built, *map(_registered, others)]
        if not found:
            raise CommandError(
                "serve", f"there are no routines in {path}",
                "give interface files (*.idl), or a folder with some",
            )  # fmt: skip
        return found
    if not path.exists():
        raise CommandError("serve", f"there is no {path}", "give interface files or folders")
    return [_registered(path) if path.name.endswith(SUFFIX) else _built(path)]


def _registered(file: Path) -> ServedProgram:
    registration = read_registration(file)
    if not registration.program.exists():
        raise CommandError(
            "serve", f"{registration.program} does not exist, which {file} names",
            "build it again: tasuki idl build",
        )  # fmt: skip
    return ServedProgram(registration, file)


def _built(file: Path) -> ServedProgram:
    """Builds what is older than the interface file, or is not there."""
    registration = registration_of(file, file.parent)
    if is_up_to_date(file, registration):
        return _registered(registration)
    return _registered(build(file, file.parent, long_bits_of(registration)))
