"""`tasuki idl build`: makes the program that serves the routines of an interface file."""

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from tasuki.base.errors import CommandError
from tasuki.base.programs import PACKAGE, SOURCE_TREE, find_library
from tasuki.idl.errors import IdlError
from tasuki.idl.interface import signature_of
from tasuki.idl.libraries import scalapack_of
from tasuki.idl.model import Backend, Calls, Language, Module
from tasuki.idl.parser import parse_file
from tasuki.idl.registration import SUFFIX, Registration, read_registration
from tasuki.idl.stub import backend_of, is_cpp, source_of
from tasuki.idl.types import LONG_BITS

# What compiles and links, by whether the program has MPI and is C++.
_COMPILERS = {
    (False, False): ("cc", "apt install gcc"),
    (False, True): ("c++", "apt install g++"),
    (True, False): ("mpicc", "apt install libopenmpi-dev"),
    (True, True): ("mpicxx", "apt install libopenmpi-dev"),
}


def registration_of(file: Path, folder: Path) -> Path:
    """Where `build` writes the registration of an interface file."""
    return folder / f"{file.stem}{SUFFIX}"


def is_up_to_date(file: Path, registration: Path, long_bits: int) -> bool:
    """Has the registration been made after the interface file and all it names were changed, and
    does its program take the same arguments?"""
    if not registration.exists():
        return False
    module = parse_file(file, long_bits)
    if signature_of(read_registration(registration).module) != signature_of(module):
        return False
    sources = [file, *(file.parent / name for name in _needed(module))]
    built_ns = registration.stat().st_mtime_ns
    return all(one.stat().st_mtime_ns <= built_ns for one in sources if one.is_file())


def long_bits_of(registration: Path) -> int:
    """How many bits `long` had when this was built; Ninf's if it does not tell."""
    try:
        module = read_registration(registration).module
    except IdlError:
        return LONG_BITS[0]
    types = {one.type for _, routine in module.all_routines for one in routine.values}
    has_64 = any(one.name.removeprefix("unsigned ") == "long" and one.wire_bytes == 8
                 for one in types)  # fmt: skip
    return 64 if has_64 else LONG_BITS[0]


def register(file: Path, folder: Path, long_bits: int, program: Path, launch: str) -> Path:
    """Registers a program that exists, whose main function serves the routines of `file`.

    Raises IdlError if the file is wrong; CommandError if there is no such program.
    """
    module = parse_file(file, long_bits)
    _require_calls(module, file)
    if not os.access(program, os.X_OK) or program.is_dir():
        raise CommandError("idl build", f"{program} is no program", "compile it first")
    registration = registration_of(file, folder)
    _require_writable(folder)
    Registration(module, program, launch).write(registration)
    return registration


def plan(file: Path, folder: Path, long_bits: int = LONG_BITS[0]) -> Registration:
    """What `build` will register.

    Raises IdlError if the file is wrong; CommandError if what builds it is not there.
    """
    module = parse_file(file, long_bits)
    _require_calls(module, file)
    parallel = backend_of(module) is not Backend.NORMAL
    if _is_python(module):
        return Registration(module, file.parent, "python-mpi" if parallel else "python")
    _, linker = _tools(module)
    if backend_of(module) is Backend.BLACS:
        scalapack_of(linker)
    launch = "mpi" if parallel else "process"
    return Registration(module, folder / f"{file.stem}_routines", launch)


def build(file: Path, folder: Path, long_bits: int = LONG_BITS[0]) -> Path:
    """Builds what `file` describes in `folder`; returns its registration.

    The program stands beside the registration, with its source. Functions of Python need none.
    Raises IdlError or CommandError with what is wrong: with the file, or with what it needs.
    """
    planned = plan(file, folder, long_bits)
    _require_writable(folder)
    if not _is_python(planned.module):
        _compile(planned.module, file, planned.program)
    registration = registration_of(file, folder)
    planned.write(registration)
    return registration


def _require_writable(folder: Path) -> None:
    """Makes the folder if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as fault:
        raise CommandError(
            "idl build", f"cannot write to {folder}: {fault.strerror}",
            "build elsewhere: tasuki idl build -o FOLDER",
        ) from None  # fmt: skip


def _require_calls(module: Module, file: Path) -> None:
    if not any(module.all_routines):
        raise IdlError(f"{file} describes no routine: there is nothing to build")


def _is_python(module: Module) -> bool:
    return all(
        isinstance(one.implementation, Calls) and one.implementation.language is Language.PYTHON
        for _, one in module.all_routines
    )


def _tools(module: Module) -> tuple[list[str], list[str]]:
    """Compiler and linker, as words of a command. Raises CommandError if one is not there."""
    parallel = backend_of(module) is not Backend.NORMAL
    usual, remedy = _COMPILERS[parallel, is_cpp(module)]
    compiler = shlex.split(module.compiler) or [usual]
    linker = shlex.split(module.linker) or compiler
    for one in (compiler, linker):
        if shutil.which(one[0]) is None:
            raise CommandError("idl build", f"there is no compiler {one[0]}", remedy)
    return compiler, linker


def _compile(module: Module, file: Path, program: Path) -> None:
    compiler, linker = _tools(module)
    source = program.with_suffix(".cpp" if is_cpp(module) else ".c")
    source.write_text(source_of(module, file))
    options = [word for text in module.compile_options for word in shlex.split(text)]
    library = _library()
    # The user's files are named relative to the interface file.
    include = ["-I", str(_include_folder()), "-I", "."]
    folder = os.path.abspath(file.parent)
    target = program.with_suffix(".o")
    compile_: list[str | Path] = [
        *compiler,
        "-O2",
        *include,
        *options,
        "-c",
        source.resolve(),
        "-o",
        target.resolve(),
    ]
    _run(compile_, folder, file, "compile")
    needed = [_place(word, folder) for text in _needed(module) for word in shlex.split(text)]
    if backend_of(module) is Backend.BLACS:
        needed.append(f"-l{scalapack_of(linker)}")
    linked = program.with_suffix(".new")  # A server may have the old one, and start it again.
    _run(
        [
            *linker, *include, *_modules_into(program.parent.resolve(), needed), target.resolve(),
            *needed, library, f"-Wl,-rpath,{library.parent}", "-o", linked.resolve(),
        ],
        folder, file, "link",
    )  # fmt: skip
    os.replace(linked, program)
    target.unlink()


def _modules_into(folder: Path, needed: list[str]) -> list[str]:
    """Lets Fortran write the modules of sources where the program is built."""
    is_fortran = any(one.endswith((".f90", ".F90")) for one in needed)
    return ["-J", str(folder)] if is_fortran else []


def _place(needed: str, folder: str) -> str:
    """A source in Fortran that comes with Tasuki, if the user has none of that name."""
    own = _include_folder() / "tasuki" / needed
    is_own = own.suffix == ".f90" and own.is_file() and not Path(folder, needed).exists()
    return str(own) if is_own else needed


def _needed(module: Module) -> list[str]:
    required = [text for _, one in module.all_routines for text in one.options.required]
    return list(dict.fromkeys([*required, *module.libraries]))


def _library() -> Path:
    library = find_library("tasuki_routines")
    if library is None:
        raise CommandError("idl build", "tasuki_routines is not part of this build", "./dev build")
    return library


def _include_folder() -> Path:
    installed = PACKAGE / "include"
    return installed if installed.is_dir() else SOURCE_TREE / "include"


def _run(command: list[str | Path], folder: str, file: Path, work: str) -> None:
    result = subprocess.run(
        list(map(str, command)), cwd=folder, capture_output=True, text=True, errors="replace"
    )
    if result.returncode != 0:
        raise IdlError(f"{result.stderr.rstrip()}\n{file}: cannot {work} its routines (see above)")
