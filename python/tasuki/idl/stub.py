"""The source of a program that serves the routines of a module, in C or C++.

Each routine gets a function that takes its arguments out of the call and passes them on as its
language wants them: scalars of C by value, all of Fortran by address.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from tasuki.idl.errors import IdlError
from tasuki.idl.interface import signature_of
from tasuki.idl.model import (
    Backend,
    Callback,
    Calls,
    CBody,
    Language,
    Module,
    Parameter,
    RemoteClass,
    Routine,
    StringConvention,
)
from tasuki.idl.state_variables import UnclearDeclarationError, variables_of

_COMPLEX = {
    "complex64": ("float _Complex", "std::complex<float>"),
    "complex128": ("double _Complex", "std::complex<double>"),
}

_OWN_LINES = "#line own"  # Replaced once all lines are known.
_SERVE = """\
static int serve(int rank, int ranks) {
  return tasuki_serve_interface(rank, ranks, "SIGNATURE", routines,
                                sizeof routines / sizeof routines[0], CLASSES);
}
"""
_MAIN = {
    Backend.NORMAL: """\
int main(void) {
  return serve(0, 1);
}
""",
    Backend.MPI: """\
int main(int argc, char** argv) {
  int rank = 0, ranks = 1, code = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  tasuki_set_communicator((int)MPI_Comm_c2f(MPI_COMM_WORLD));
  code = serve(rank, ranks);
  MPI_Finalize();
  return code;
}
""",
    # As in Ninf-G, `ictxt` is the system context of BLACS, and C bodies may use it.
    Backend.BLACS: """\
int main(int argc, char** argv) {
  int rank = 0, ranks = 1, code = 0;
  MPI_Init(&argc, &argv);
  Cblacs_pinfo(&rank, &ranks);
  Cblacs_get(-1, 0, &ictxt);
  tasuki_set_communicator((int)MPI_Comm_c2f(MPI_COMM_WORLD));
  code = serve(rank, ranks);
  Cblacs_exit(1);
  MPI_Finalize();
  return code;
}
""",
}
_BLACS_NAMES = ("void Cblacs_pinfo(int*, int*)", "void Cblacs_get(int, int, int*)",
                "void Cblacs_exit(int)")  # fmt: skip
# All ranks call it alike, as making a grid is collective.
_ENTER_GRID = """\
/* A name of its own, as the user's C may declare the function. */
@extern void tasuki_blacs_gridinit(int* context, const char* order, int rows, int columns)
    __asm__("Cblacs_gridinit");

/* Writes the BLACS context of the matrix's grid into its descriptor. */
static void tasuki_enter_grid(const void* argument) {
  static int* contexts = NULL; /* By the rows of a grid of all ranks; -1: it is not made yet. */
  tasuki_array_layout* layout = (tasuki_array_layout*)tasuki_layout(argument);
  int rows, columns, i;
  if (layout == NULL || layout->descriptor[0] == 0) return;
  rows = layout->grid[1];
  columns = layout->grid[0];
  if (contexts == NULL) {
    contexts = (int*)malloc(sizeof(int) * (size_t)(rows * columns + 1));
    if (contexts == NULL) return tasuki_fail("there is no memory for the grids of ranks");
    for (i = 0; i <= rows * columns; ++i) contexts[i] = -1;
  }
  if (contexts[rows] < 0) {
    contexts[rows] = ictxt;
    tasuki_blacs_gridinit(&contexts[rows], "Column", rows, columns);
  }
  layout->descriptor[1] = contexts[rows];
}
"""


def is_cpp(module: Module) -> bool:
    """Must the program be compiled as C++?"""
    return any(_language(one) is Language.CPP for _, one in module.all_routines)


def backend_of(module: Module) -> Backend:
    """What starts the program: the ranks of all its routines are the same."""
    classes = {one.options.backend for one in module.classes}
    backends = {one.options.backend for _, one in module.all_routines} | classes
    return next(
        one
        for one in (Backend.BLACS, Backend.MPI, Backend.NORMAL)
        if one in backends or one is Backend.NORMAL
    )


def source_of(module: Module, file: Path) -> str:
    """The whole source; C of the user keeps its lines in `file`. Raises IdlError."""
    cpp = is_cpp(module)
    parts = [f"/* Made from {file.name} by `tasuki idl build`. */\n", *_includes(module, cpp)]
    if backend_of(module) is Backend.BLACS:
        parts.append(_ENTER_GRID.replace("@extern", 'extern "C"' if cpp else "extern"))
    parts += [_lines_of(one.line, file) + f"{one.code}\n{_OWN_LINES}\n" for one in module.globals]
    known = "\n".join(one.code for one in module.globals)
    entries = []
    for routine in module.routines:
        parts.append(_Stub(module, routine, file, routine.name).source(known))
        entries.append((routine.name, routine.name))
    for remote_class in module.classes:
        parts.append(_state_of(remote_class, file))
        for method in remote_class.complete_methods:
            # The length keeps apart what would be the same name otherwise.
            name = f"{len(remote_class.name)}{remote_class.name}_{method.name}"
            parts.append(_Stub(module, method, file, name).source(known))
            entries.append((f"{remote_class.name}.{method.name}", name))
    table = "".join(f'    {{"{called}", tasuki_run_{name}}},\n' for called, name in entries)
    parts.append(f"static const tasuki_routine routines[] = {{\n{table}}};\n")
    classes, count = _class_table(module.classes, file)
    serve = _SERVE.replace("CLASSES", f"classes, {count}" if count else "0, 0")
    parts.append(classes + serve.replace("SIGNATURE", signature_of(module)))
    parts.append(_MAIN[backend_of(module)])
    return _with_own_lines("\n".join(parts), file)


def _state_of(remote_class: RemoteClass, file: Path) -> str:
    """The state as variables of the program, which methods see by their names."""
    return "".join(
        _lines_of(one.line, file) + f"{one.code}\n{_OWN_LINES}\n" for one in remote_class.states
    )


def _class_table(classes: tuple[RemoteClass, ...], file: Path) -> tuple[str, int]:
    """Where the variables of each class are, in C, and how many classes have some.

    A variable that cannot be written, as it is constant, is an error of the compiler.
    """
    lines = []
    rows = []
    owners: dict[str, str] = {}
    for one in classes:
        names = _variables_of(one, file)
        for name in names:
            if (other := owners.setdefault(name, one.name)) != one.name:
                raise IdlError(
                    f"{file}: classes {other} and {one.name} both have a variable {name}: give one"
                    " of them another name, or a file of its own"
                )
        if names:
            table = f"tasuki_variables_{one.name}"
            entries = "".join(f"    {{&{name}, sizeof {name}}},\n" for name in names)
            lines.append(f"static const tasuki_state_variable {table}[] = {{\n{entries}}};\n")
            rows.append(f'    {{"{one.name}", {table}, {len(names)}}},\n')
    if not rows:
        return "", 0
    strict = '#pragma GCC diagnostic error "-Wdiscarded-qualifiers"\n'
    table = f"static const tasuki_class classes[] = {{\n{''.join(rows)}}};\n"
    return "#ifndef __cplusplus\n" + strict + "#endif\n" + "".join(lines) + table, len(rows)


def _variables_of(remote_class: RemoteClass, file: Path) -> tuple[str, ...]:
    try:
        return tuple(name for one in remote_class.states for name in variables_of(one))
    except UnclearDeclarationError as fault:
        raise IdlError(f"{file}:{fault.line}: {fault}") from None


def _with_own_lines(source: str, file: Path) -> str:
    """Behind the user's C, the compiler counts the lines of the source again."""
    suffix = "cpp" if "#include <complex>" in source else "c"
    lines = source.split("\n")
    for index, line in enumerate(lines):
        if line == _OWN_LINES:
            lines[index] = f'#line {index + 2} "{file.stem}_routines.{suffix}"'
    return "\n".join(lines)


def _includes(module: Module, cpp: bool) -> Iterator[str]:
    yield "#include <stdint.h>\n#include <string.h>\n#include <tasuki/routines.h>\n"
    if cpp:
        yield "#include <complex>\n"
    backend = backend_of(module)
    if backend is not Backend.NORMAL:
        yield "#include <mpi.h>\n"
    if backend is Backend.BLACS:
        yield "#include <stdlib.h>\n"
        linkage = 'extern "C" ' if cpp else "extern "
        yield "".join(f"{linkage}{one};\n" for one in _BLACS_NAMES) + "static int ictxt;\n"


def _lines_of(line: int, file: Path) -> str:
    escaped = str(file.resolve()).replace("\\", "\\\\").replace('"', '\\"')
    return f'#line {line} "{escaped}"\n'


def _language(routine: Routine) -> Language:
    implementation = routine.implementation
    return (
        implementation.language if isinstance(implementation, Calls) else routine.options.language
    )


def _travels_shortened(parameter: Parameter) -> bool:
    """Has the type 64 bits in C, of which 32 travel?"""
    return parameter.type.name.endswith("long") and parameter.type.wire.endswith("int32")


class _Stub:
    """The functions of one routine, which have `name` in theirs."""

    def __init__(self, module: Module, routine: Routine, file: Path, name: str) -> None:
        self._module = module
        self._routine = routine
        self._file = file
        self._name = name
        self._cpp = is_cpp(module)
        self._parameters = list(routine.parameters)

    def source(self, known: str) -> str:
        """`known` is C in which the routine's function may be declared."""
        callbacks = (one for one in self._parameters if isinstance(one, Callback))
        return "".join(map(self._trampoline, callbacks)) + self._functions(known)

    def _functions(self, known: str) -> str:
        implementation = self._routine.implementation
        if isinstance(implementation, CBody):
            return self._body(implementation) + self._runner(self._parameters)
        if implementation.language is Language.PYTHON:
            raise IdlError(
                f"{self._routine.name} is a function of Python, and others of the module are not: "
                "put them into a file of their own"
            )
        by_name = {one.name: one for one in self._parameters}
        passed = [by_name[one.name] for one in implementation.arguments]
        declaration, function = self._declaration(implementation, passed, known)
        return declaration + self._runner(passed, function)

    @property
    def _by_address(self) -> bool:
        """Does the function take the addresses of scalars, as Fortran does?"""
        calls = self._routine.implementation
        return isinstance(calls, Calls) and calls.language is Language.FORTRAN

    def _is_copied(self, parameter: Parameter) -> bool:
        """Does the function get a copy of the array, whose elements have more bits here?"""
        is_array = bool(parameter.dimensions)
        return is_array and _travels_shortened(parameter) and not self._by_address

    def _trampoline(self, callback: Callback) -> str:
        """The function that the routine gets: it calls that of the client."""
        for one in callback.parameters:
            if _travels_shortened(one):
                raise IdlError(
                    f"{self._routine.name}: {one.name} of {callback.name} is an array of"
                    f" {one.type.name}, which travels with 32 bits and has 64 here: declare int32_t"
                    " or int64_t, or build with --long 64"
                )
        declared = ", ".join(self._declared(one) for one in callback.parameters)
        arguments = ", ".join(one.name for one in callback.parameters)
        return (
            f"static void tasuki_callback_{self._name}_{callback.name}({declared or 'void'}) {{\n"
            f"  void* const tasuki_arguments[] = {{{arguments or '0'}}};\n"
            f'  tasuki_call_back("{callback.name}", tasuki_arguments);\n}}\n\n'
        )

    def _type(self, parameter: Parameter) -> str:
        wire = parameter.type.wire
        if not parameter.type.is_number:
            return "char*"
        if wire in _COMPLEX:
            return _COMPLEX[wire][self._cpp]
        return parameter.type.name

    def _memory_type(self, parameter: Parameter) -> str:
        """Of what a pointer to the argument points at: scalars lie there as they travel."""
        if _travels_shortened(parameter):
            return f"{parameter.type.wire}_t"
        return self._type(parameter)

    def _passed(self, parameter: Parameter | Callback, by_address: bool = False) -> str:
        """The type with which a function takes the argument."""
        if isinstance(parameter, Callback):
            return self._function_type(parameter, "")
        if by_address and not parameter.type.is_number:
            if parameter.dimensions:
                raise IdlError(
                    f"{self._routine.name}: Fortran takes no array of texts and gives no text back:"
                    f" pass {parameter.name} through a function of C"
                )
            return "char*"
        type_ = self._memory_type(parameter) if by_address else self._type(parameter)
        return f"{type_}*" if parameter.dimensions or by_address else type_

    def _function_type(self, callback: Callback, name: str) -> str:
        """Without a name, the type of a pointer to the function."""
        taken = ", ".join(self._passed(one) for one in callback.parameters)
        return f"void (*{name})({taken or 'void'})"

    def _declared(self, parameter: Parameter | Callback) -> str:
        if isinstance(parameter, Callback):
            return self._function_type(parameter, parameter.name)
        return f"{self._passed(parameter)} {parameter.name}"

    def _body(self, body: CBody) -> str:
        signature = ", ".join(map(self._declared, self._parameters))
        head = f"static void tasuki_body_{self._name}({signature or 'void'})"
        return f"{head}\n{_lines_of(body.line, self._file)}{{{body.code}}}\n{_OWN_LINES}\n\n"

    def _declaration(
        self, calls: Calls, passed: list[Parameter | Callback], known: str
    ) -> tuple[str, str]:
        """What declares the function, and the name by which the stub calls it."""
        if calls.language is not Language.FORTRAN and re.search(
            rf"(?<![\w$]){re.escape(calls.target)}\s*\(", known
        ):
            return "", calls.target
        # Without names, as one argument may be passed twice.
        by_address = calls.language is Language.FORTRAN
        types = [self._passed(one, by_address) for one in passed]
        if by_address:
            types = self._with_lengths(passed, types, ["size_t"] * len(passed))
        signature = ", ".join(types) or "void"
        if calls.language is Language.CPP:
            return f"void {calls.target}({signature});\n\n", calls.target
        symbol = calls.target
        if calls.language is Language.FORTRAN:
            lower, upper = symbol.lower(), symbol.upper()
            symbol = self._module.fortran_format.replace("%s", lower).replace("%l", upper)
        # A name of its own, as the compiler may know another declaration of the function.
        name = f"tasuki_call_{self._name}"
        linkage = 'extern "C" ' if self._cpp else "extern "
        return f'{linkage}void {name}({signature}) __asm__("{symbol}");\n\n', name

    def _arguments(self, parameters: list[Parameter | Callback]) -> str:
        by_address = self._by_address
        places = {one.name: index for index, one in enumerate(self._routine.values)}
        given = []
        for one in parameters:
            if isinstance(one, Callback):
                given.append(f"tasuki_callback_{self._name}_{one.name}")
                continue
            if self._is_copied(one):
                given.append(f"tasuki_copy_{places[one.name]}")
                continue
            pointer = f"({self._memory_type(one)}*)arguments[{places[one.name]}]"
            is_pointer = one.dimensions or (by_address and one.type.is_number)
            given.append(pointer if is_pointer else f"*{pointer}")
        if by_address:
            lengths = [f"strlen({one})" for one in given]
            given = self._with_lengths(parameters, given, lengths)
        return ", ".join(given)

    def _with_lengths(
        self, parameters: list[Parameter | Callback], passed: list[str], lengths: list[str]
    ) -> list[str]:
        """What Fortran is passed for the parameters, with the lengths of those that are texts."""
        convention = self._module.fortran_string_convention
        together: list[str] = []
        last: list[str] = []
        for parameter, one, length in zip(parameters, passed, lengths, strict=True):
            together.append(one)
            if isinstance(parameter, Callback) or parameter.type.is_number:
                continue
            if convention is StringConvention.LAST:
                last.append(length)
            elif convention is StringConvention.JUST_AFTER:
                together.append(length)
        return together + last

    def _runner(self, passed: list[Parameter | Callback], function: str = "") -> str:
        """What the program calls; it passes copies of arrays whose elements are longer here."""
        name = self._name
        arguments = self._arguments(passed)
        names = {one.name for one in passed}
        copied = [
            (index, one)
            for index, one in enumerate(self._routine.values)
            if one.name in names and self._is_copied(one)
        ]
        copies = [
            f"  {one.type.name}* const tasuki_copy_{index} ="
            f" ({one.type.name}*)tasuki_widen(arguments[{index}]);\n"
            for index, one in copied
        ]
        copies += [f"  if (tasuki_copy_{index} == NULL) return;\n" for index, _ in copied]
        returned = [
            f"  tasuki_narrow(arguments[{index}]);\n"
            for index, one in copied
            if one.mode.travels_to_client
        ]
        entered = [
            f"  tasuki_enter_grid(arguments[{index}]);\n"
            for index, one in enumerate(self._routine.values)
            if self._routine.options.backend is Backend.BLACS and len(one.dimensions) == 2
        ]
        is_used = "arguments[" in arguments or copies or entered
        first = "".join([*copies, *entered]) if is_used else "  (void)arguments;\n"
        return (
            f"static void tasuki_run_{name}(void* const* arguments) {{\n{first}"
            f"  {function or f'tasuki_body_{name}'}({arguments});\n{''.join(returned)}}}\n"
        )
