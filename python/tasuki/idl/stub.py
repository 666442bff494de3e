"""The source of a program that serves the routines of a module, in C or C++.

Each routine gets a function that takes its arguments out of the call and passes them on as its
language wants them: scalars of C by value, all of Fortran by address.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from tasuki.idl.errors import IdlError
from tasuki.idl.model import Backend, Calls, CBody, Language, Module, Parameter, Routine

_C_TYPES = {
    "int8": "int8_t", "int16": "int16_t", "int32": "int32_t", "int64": "int64_t",
    "uint8": "uint8_t", "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t",
    "float32": "float", "float64": "double",
}  # fmt: skip
_COMPLEX = {
    "complex64": ("float _Complex", "std::complex<float>"),
    "complex128": ("double _Complex", "std::complex<double>"),
}

_OWN_LINES = "#line own"  # Replaced once all lines are known.
_MAIN = {
    Backend.NORMAL: """\
int main(void) {
  return tasuki_serve_calls(0, 1, routines, sizeof routines / sizeof routines[0]);
}
""",
    Backend.MPI: """\
int main(int argc, char** argv) {
  int rank = 0, ranks = 1, code = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  code = tasuki_serve_calls(rank, ranks, routines, sizeof routines / sizeof routines[0]);
  MPI_Finalize();
  return code;
}
""",
}
_MAIN[Backend.BLACS] = _MAIN[Backend.MPI]


def is_cpp(module: Module) -> bool:
    """Must the program be compiled as C++?"""
    return any(_language(one) is Language.CPP for _, one in module.all_routines)


def backend_of(module: Module) -> Backend:
    """What starts the program: the ranks of all its routines are the same."""
    backends = {one.options.backend for _, one in module.all_routines}
    parallel = backends - {Backend.NORMAL}
    return parallel.pop() if parallel else Backend.NORMAL


def source_of(module: Module, file: Path) -> str:
    """The whole source; C of the user keeps its lines in `file`. Raises IdlError."""
    cpp = is_cpp(module)
    parts = [f"/* Made from {file.name} by `tasuki idl build`. */\n", *_includes(module, cpp)]
    parts += [_lines_of(one.line, file) + f"{one.code}\n{_OWN_LINES}\n" for one in module.globals]
    known = "\n".join(one.code for one in module.globals)
    entries = []
    for called, routine in module.all_routines:
        parts.append(_Stub(module, routine, file, cpp).source(known))
        entries += [(name, routine.name) for name in (called, *routine.aliases)]
    table = "".join(f'    {{"{name}", tasuki_run_{routine}}},\n' for name, routine in entries)
    parts.append(f"static const tasuki_routine routines[] = {{\n{table}}};\n")
    parts.append(_MAIN[backend_of(module)])
    return _with_own_lines("\n".join(parts), file)


def _with_own_lines(source: str, file: Path) -> str:
    """Behind the user's C, the compiler counts the lines of the source again."""
    suffix = "cpp" if "#include <complex>" in source else "c"
    lines = source.split("\n")
    for index, line in enumerate(lines):
        if line == _OWN_LINES:
            lines[index] = f'#line {index + 2} "{file.stem}_routines.{suffix}"'
    return "\n".join(lines)


def _includes(module: Module, cpp: bool) -> Iterator[str]:
    yield "#include <stdint.h>\n#include <tasuki/routines.h>\n"
    if cpp:
        yield "#include <complex>\n"
    if backend_of(module) is not Backend.NORMAL:
        yield "#include <mpi.h>\n"


def _lines_of(line: int, file: Path) -> str:
    escaped = str(file.resolve()).replace("\\", "\\\\").replace('"', '\\"')
    return f'#line {line} "{escaped}"\n'


def _language(routine: Routine) -> Language:
    implementation = routine.implementation
    return (
        implementation.language if isinstance(implementation, Calls) else routine.options.language
    )


class _Stub:
    """The functions of one routine."""

    def __init__(self, module: Module, routine: Routine, file: Path, cpp: bool) -> None:
        self._module = module
        self._routine = routine
        self._file = file
        self._cpp = cpp
        self._parameters = list(routine.values)

    def source(self, known: str) -> str:
        """`known` is C in which the routine's function may be declared."""
        implementation = self._routine.implementation
        if isinstance(implementation, CBody):
            return self._body(implementation) + self._runner(self._arguments(self._parameters))
        if implementation.language is Language.PYTHON:
            raise IdlError(
                f"{self._routine.name} is a function of Python, and others of the module are not: "
                "put them into a file of their own"
            )
        by_name = {one.name: one for one in self._parameters}
        passed = [by_name[one.name] for one in implementation.arguments]
        declaration, function = self._declaration(implementation, passed, known)
        return declaration + self._runner(self._arguments(passed), function)

    def _type(self, parameter: Parameter) -> str:
        wire = parameter.type.wire
        if wire in _COMPLEX:
            return _COMPLEX[wire][self._cpp]
        if parameter.type.name.endswith("long") and wire.endswith("int32") and parameter.dimensions:
            raise IdlError(
                f"{self._routine.name}: {parameter.name} is an array of {parameter.type.name}, "
                "which travels with 32 bits and has 64 here: declare int32_t or int64_t, or build "
                "with --long 64"
            )
        return _C_TYPES[wire]

    def _declared(self, parameter: Parameter, by_address: bool) -> str:
        pointer = "*" if parameter.dimensions or by_address else ""
        return f"{self._type(parameter)} {pointer}{parameter.name}"

    def _signature(self, parameters: list[Parameter], by_address: bool = False) -> str:
        return ", ".join(self._declared(one, by_address) for one in parameters) or "void"

    def _body(self, body: CBody) -> str:
        head = f"static void tasuki_body_{self._routine.name}({self._signature(self._parameters)})"
        return f"{head}\n{_lines_of(body.line, self._file)}{{{body.code}}}\n{_OWN_LINES}\n\n"

    def _declaration(self, calls: Calls, passed: list[Parameter], known: str) -> tuple[str, str]:
        """What declares the function, and the name by which the stub calls it."""
        if calls.language is not Language.FORTRAN and re.search(rf"\b{calls.target}\s*\(", known):
            return "", calls.target
        signature = self._signature(passed, calls.language is Language.FORTRAN)
        if calls.language is Language.CPP:
            return f"void {calls.target}({signature});\n\n", calls.target
        symbol = calls.target
        if calls.language is Language.FORTRAN:
            lower, upper = symbol.lower(), symbol.upper()
            symbol = self._module.fortran_format.replace("%s", lower).replace("%l", upper)
        # A name of its own, as the compiler may know another declaration of the function.
        name = f"tasuki_call_{self._routine.name}"
        linkage = 'extern "C" ' if self._cpp else "extern "
        return f'{linkage}void {name}({signature}) __asm__("{symbol}");\n\n', name

    def _arguments(self, parameters: list[Parameter]) -> str:
        calls = self._routine.implementation
        by_address = isinstance(calls, Calls) and calls.language is Language.FORTRAN
        places = {one.name: index for index, one in enumerate(self._routine.values)}
        given = []
        for one in parameters:
            pointer = f"({self._type(one)}*)arguments[{places[one.name]}]"
            given.append(pointer if one.dimensions or by_address else f"*{pointer}")
        return ", ".join(given)

    def _runner(self, arguments: str, function: str = "") -> str:
        name = self._routine.name
        unused = "" if arguments else "  (void)arguments;\n"
        return (
            f"static void tasuki_run_{name}(void* const* arguments) {{\n{unused}"
            f"  {function or f'tasuki_body_{name}'}({arguments});\n}}\n"
        )
