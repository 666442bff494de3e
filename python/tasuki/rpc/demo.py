"""The modules of `tasuki serve --demo`: programs of this build, and libraries built when called."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tasuki.base.errors import CommandError
from tasuki.base.programs import (
    BUILD,
    BUILD_WITH_LZMA,
    BUILD_WITH_OPENBLAS,
    DATA,
    require_program,
)
from tasuki.idl.build import plan, registration_of
from tasuki.idl.libraries import is_library
from tasuki.idl.parser import parse_file
from tasuki.idl.registration import Registration
from tasuki.rpc.programs import Launch, ServedProgram, mpi_launcher

_DEMO = DATA / "demo"


@dataclass(frozen=True)
class _Compiled:
    """A module whose program is part of this build; `remedy` tells how to have it."""

    name: str
    remedy: str = BUILD
    is_warm: bool = False
    arguments: tuple[str, ...] = ()

    def served(self, _folder: Path, _launch: Launch) -> ServedProgram:
        """Raises CommandError if this build has no such program."""
        file = _DEMO / f"{self.name}.idl"
        program = require_program("serve", f"demo_{self.name}", self.remedy)
        registration = Registration(parse_file(file), program, "tasuki")
        return ServedProgram(registration, file, self.is_warm, arguments=self.arguments)


@dataclass(frozen=True)
class _Built:
    """A module whose program is built before it is first called; it needs `libraries`.

    Each library comes with the package that has it.
    """

    name: str
    libraries: tuple[tuple[str, str], ...] = ()

    def served(self, folder: Path, launch: Launch) -> ServedProgram:
        """Raises CommandError if a compiler, a library or an MPI is not there."""
        file = _DEMO / f"{self.name}.idl"
        registration = plan(file, folder)
        for library, package in self.libraries:
            if not is_library(["cc"], library):
                raise CommandError(
                    "serve", f"there is no library {library}", f"apt install {package}"
                )
        builds = (sys.executable, "-m", "tasuki.rpc.first_build", str(file), str(folder))
        program = ServedProgram(registration, registration_of(file, folder), False, builds)
        if program.needs_mpi:
            mpi_launcher(launch)
        return program


_MODULES: tuple[_Compiled | _Built, ...] = (
    _Compiled("linpack", is_warm=True),
    _Built("lapack", (("openblas", "libopenblas-dev"),)),
    _Built("scalapack"),
    _Compiled("lu", BUILD_WITH_OPENBLAS),
    _Compiled("radixsort"),
    _Compiled("sssp", BUILD_WITH_LZMA, arguments=(str(DATA / "town.gr.xz"),)),
    _Compiled("cg"),
    _Built("numerics"),
)


def demo_programs(folder: Path, launch: Launch) -> list[ServedProgram]:
    """Those that this machine can have; programs that are not part of Tasuki are built in `folder`.

    Says of each other module why it is left out.
    """
    return list(_available(folder, launch))


def _available(folder: Path, launch: Launch) -> Iterator[ServedProgram]:
    for module in _MODULES:
        try:
            yield module.served(folder, launch)
        except CommandError as fault:
            reason = str(fault).strip().splitlines()[0]
            print(f"tasuki: serve: {module.name} is left out: {reason}", file=sys.stderr)
