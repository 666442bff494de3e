"""The programs that a server starts: from registrations, interface files and folders of them."""

import os
import shlex
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasuki.base.errors import CommandError
from tasuki.idl.errors import IdlError
from tasuki.idl.interface import module_to_json, signature_of
from tasuki.idl.model import Module
from tasuki.idl.registration import SUFFIX, Registration, read_registration
from tasuki.launcher.mpiexec import find_mpiexec
from tasuki.rpc.building import Building
from tasuki.rpc.page_routines import page_routines

# What numerical libraries read to know how many threads a process computes with.
_THREAD_COUNTS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
RANKS = "{ranks}"  # In a launcher's command: how many processes to start.


@dataclass(frozen=True)
class Launch:
    """How many ranks parallel routines have; `launcher` starts them in place of mpiexec.

    `transport` carries the messages of programs on Tasuki's runtime: shm, or mpi; None leaves that
    to `tasuki run`. Over mpi, `launcher` starts these, too.
    The ranks of a module keep at most `keep_limit_bytes` of arrays that clients leave there. If not
    `is_warm`, all programs are started by their first call.
    """

    ranks: int
    launcher: str = ""
    keep_limit_bytes: int = 4 << 30
    is_warm: bool = True
    transport: str | None = None


@dataclass(frozen=True)
class ServedProgram:
    """A program and how it is started: `is_warm`, with the server, else by its first call.

    `before` is a command that does something and then becomes the command behind it.
    """

    registration: Registration
    file: Path
    is_warm: bool = True
    before: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()  # Of a program of its own.
    version: str = ""  # Another one whenever the program is another one.

    @property
    def module(self) -> Module:
        return self.registration.module

    @property
    def needs_mpi(self) -> bool:
        return self.registration.launch.endswith("mpi")

    @property
    def is_python(self) -> bool:
        return self.registration.launch.startswith("python")

    @property
    def name(self) -> str:
        """What clients call the module: its name, else that of its file."""
        return self.module.name or self.file.name.removesuffix(SUFFIX)

    def to_json(self, launch: Launch) -> dict[str, Any]:
        """What the front end is told. Raises CommandError if there is no mpiexec for it."""
        kind = self.registration.launch
        ranks = 1 if kind in ("process", "python") else launch.ranks
        command = [str(self.registration.program), *self.arguments]
        if self.is_python:
            command = [sys.executable, "-m", "tasuki.rpc.rank_program", str(self.file)]
        if kind == "tasuki":
            command = [*_runtime_launcher(launch), *command]
        elif self.needs_mpi:
            command = [*mpi_launcher(launch), *command]
        command = [*self.before, *command]
        interface = module_to_json(self.module) | {"module": self.name}
        return {
            "interface": interface,
            "documentation": page_routines(self.module, self.name),
            "command": command,
            "ranks": ranks,
            "keep_limit_bytes": launch.keep_limit_bytes,
            "is_warm": self.is_warm and launch.is_warm,
            "version": self.version,
            "signature": signature_of(self.module),
        }


def mpi_launcher(launch: Launch) -> list[str]:
    """The command that starts what stands behind it. Raises CommandError if there is no mpiexec."""
    if launch.launcher:
        return _own_launcher(launch)
    kind, mpiexec = find_mpiexec("auto")
    # The ranks of several modules share the cores, as calls come.
    shared = ["--oversubscribe", "--bind-to", "none"] if kind == "ompi" else []
    return [*_with_threads(launch.ranks), mpiexec, *shared, "-n", str(launch.ranks)]


def _runtime_launcher(launch: Launch) -> list[str]:
    """The same for a program on Tasuki's runtime."""
    run = [sys.executable, "-m", "tasuki", "run", "-n", str(launch.ranks)]
    if (launch.transport or os.environ.get("TASUKI_TRANSPORT")) == "mpi":
        if launch.launcher:
            return ["env", "TASUKI_TRANSPORT=mpi", *_own_launcher(launch)]
        find_mpiexec(os.environ.get("TASUKI_MPI") or "auto")
    return run if launch.transport is None else [*run, "--transport", launch.transport]


def _own_launcher(launch: Launch) -> list[str]:
    words = shlex.split(launch.launcher)
    if RANKS not in launch.launcher:
        words += ["-n", RANKS]
    return [word.replace(RANKS, str(launch.ranks)) for word in words]


def _with_threads(ranks: int) -> list[str]:
    """What divides the cores among the ranks, unless the user has said how many threads to use.

    Else the threads of numerical libraries would be as many as there are cores, on each rank.
    """
    if any(name in os.environ for name in _THREAD_COUNTS):
        return []
    count = max(1, len(os.sched_getaffinity(0)) // ranks)
    return ["env", *(f"{name}={count}" for name in _THREAD_COUNTS)]


# What is served of a file or folder that cannot be: others, or it raises the fault.
Otherwise = Callable[[Path, CommandError | IdlError], list[ServedProgram]]


def _raise(_path: Path, fault: CommandError | IdlError) -> list[ServedProgram]:
    raise fault


def programs_of(
    paths: Iterable[Path], building: Building, otherwise: Otherwise = _raise
) -> list[ServedProgram]:
    """Those of registrations, of interface files, which are built if need be, and of folders.

    Raises CommandError or IdlError if there are none, or two of one name. `otherwise` is asked
    about each file and folder at fault.
    """
    programs = [program for path in paths for program in _programs_of(path, building, otherwise)]
    by_name: dict[str, ServedProgram] = {}
    for one in programs:
        other = by_name.setdefault(one.name, one)
        if other.file.resolve() != one.file.resolve():
            raise CommandError(
                "serve", f"{other.file} and {one.file} are both module {one.name}",
                "give one of them another name by a Module statement",
            )  # fmt: skip
    return list(by_name.values())


def _programs_of(path: Path, building: Building, otherwise: Otherwise) -> list[ServedProgram]:
    def built(file: Path) -> ServedProgram:
        return _registered(building.registered(file))

    def made(make: Callable[[Path], ServedProgram], file: Path) -> list[ServedProgram]:
        try:
            return [make(file)]
        except (CommandError, IdlError) as fault:
            return otherwise(file, fault)

    if path.is_dir():
        sources = sorted(path.glob("*.idl"))
        names = {Building().registration_of(one).resolve() for one in sources}
        others = [one for one in sorted(path.glob(f"*{SUFFIX}")) if one.resolve() not in names]
        found = [program for one in sources for program in made(built, one)]
        found += [program for one in others for program in made(_registered, one)]
        if sources or others:
            return found
        fault = CommandError(
            "serve", f"there are no routines in {path}",
            "give interface files (*.idl), or a folder with some",
        )  # fmt: skip
        return otherwise(path, fault)
    if not path.exists():
        fault = CommandError("serve", f"there is no {path}", "give interface files or folders")
        return otherwise(path, fault)
    return made(_registered if path.name.endswith(SUFFIX) else built, path)


def _registered(file: Path) -> ServedProgram:
    registration = read_registration(file)
    if not registration.program.exists():
        raise CommandError(
            "serve", f"{registration.program} does not exist, which {file} names",
            "build it again: tasuki idl build",
        )  # fmt: skip
    return ServedProgram(registration, file, version=_version_of(file, registration.program))


def _version_of(file: Path, program: Path) -> str:
    """What tells whether a program, or the functions in a folder of Python's, are other ones."""
    parts = sorted(program.glob("*.py")) if program.is_dir() else [program]
    return " ".join(f"{one.name}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}"
                    for one in (file, *parts) for found in [one.stat()])  # fmt: skip
