"""Writes the wrappers of MPI functions, and the entries that lead programs to them.

CMake calls it when Tasuki is built: functions.json is the list of what the standard declares, and
notes.py says what a wrapper notes of each argument.

    python generate.py FOLDER PROCESSOR
"""

import json
import sys
from pathlib import Path

from abi_header import header
from notes import NUMBER_OF_KIND, Fortran, Function, Language, notes_after, notes_before
from tuned_calls import (
    carried_out,
    carried_out_in_fortran,
    excluded_from_bouncing,
    noted_for_waits,
    reporting_before,
    tuned_in_fortran,
    tuning_after,
    tuning_before,
)

LIST = Path(__file__).resolve().parents[1] / "functions.json"
# What an entry is made of, for each processor: x86_64.s and aarch64.s.
ENTRIES = LIST.parent / "entry"

# What Fortran compilers and bindings append to the name of mpi_send: GNU and others; those that
# double the underscore; mpi_f08 of Open MPI; mpi_f08 of MPICH, where buffers are descriptors.
FORTRAN_SUFFIXES = ("_", "__", "_f08_", "_f08ts_")
# In mpi_f08 the function for large counts has the name of the other: MPICH's symbols of it.
LARGE_SUFFIXES = ("_f08_large_", "_f08ts_large_")
# MPICH 4.3's, after the name with _c.
NEWER_LARGE_SUFFIXES = ("_f08_", "_f08ts_")

# Written by hand, in shim/waits.cpp and shim/fortran_waits.hpp.
BY_HAND = {
    f"MPI_{name}"
    for name in (
        "Wait Waitall Waitany Waitsome Test Testall Testany Testsome Start Startall"
    ).split()
}
# Events that are no calls, after all functions.
PSEUDO = {"completed": 16, "started": 18, "collective_message": 22}

HEAD = "// Made by src/mpi/shim/generate.py.\n"


def read_functions() -> list[Function]:
    return [Function(**one) for one in json.loads(LIST.read_text())]


def fortran_symbols(function: Function) -> list[str]:
    name = function.name.lower()
    if name.endswith("_c"):
        older = [name.removesuffix("_c") + suffix for suffix in LARGE_SUFFIXES]
        return older + [name + suffix for suffix in NEWER_LARGE_SUFFIXES]
    return [name + suffix for suffix in FORTRAN_SUFFIXES] if function.has_fortran else []


def symbols_of(functions: list[Function]) -> list[str]:
    """Returns the names of all entries, C's first; the place in the list is the entry's number."""
    names = [one.name for one in functions]
    return names + [symbol for one in functions for symbol in fortran_symbols(one)]


def function_numbers(functions: list[Function]) -> str:
    names = [one.name for one in functions] + list(PSEUDO)
    lines = [f"inline constexpr std::uint16_t {name} = {i};" for i, name in enumerate(names)]
    return "\n".join(
        [
            HEAD + "#pragma once\n",
            "#include <cstdint>\n",
            "namespace tasuki::mpi::function_number {",
            *lines,
            f"inline constexpr std::uint8_t process_kind = {NUMBER_OF_KIND['process']};",
            "}  // namespace tasuki::mpi::function_number\n",
        ]
    )


def indented(lines: list[str], condition: str) -> list[str]:
    if not lines:
        return []
    return [f"  if ({condition}) {{", *(f"    {line}" for line in lines), "  }"]


def c_name(function: Function) -> str:
    return "wrapped_" + function.name.removeprefix("MPI_").lower()


def fortran_name(function: Function) -> str:
    return "fortran_" + function.name.removeprefix("MPI_").lower()


def c_parameters(function: Function) -> str:
    declared = ", ".join(one.declaration for one in function.parameters) or "void"
    return declared + ", ..." if function.kind == "region" else declared


def prototypes(functions: list[Function]) -> list[str]:
    """Returns the declarations of the PMPI functions that are wrapped."""
    return [f"int P{one.name}({c_parameters(one)})" for one in functions]


def c_wrapper(function: Function) -> str:
    """Returns the wrapper of a C function."""
    arguments = ", ".join(function.passed())
    declared = c_parameters(function)
    language = Language()
    lines = [
        f"int {c_name(function)}({declared}) {{",
        f"  Call call(function_number::{function.name}, __builtin_return_address(0));",
        *indented(notes_before(function, language), "call"),
    ]
    for status in function.statuses():
        lines += [
            f"  MPI_Status own_{status};",
            f"  if (call && {status} == MPI_STATUS_IGNORE) {status} = &own_{status};",
        ]
    lines += [
        *(f"  {line}" for line in tuning_before(function, language)),
        *(f"  {line}" for line in reporting_before(function, language)),
        *(f"  {line}" for line in excluded_from_bouncing(function, language)),
        *(f"  {line}" for line in carried_out(function, arguments)),
        *(f"  {line}" for line in tuning_after(function, "code == MPI_SUCCESS")),
        *(f"  {line}" for line in noted_for_waits(function, language, "code == MPI_SUCCESS")),
        *indented(notes_after(function, language), "call && code == MPI_SUCCESS"),
        "  return code;",
        "}\n",
    ]
    return "\n".join(lines)


def fortran_wrapper(function: Function) -> str:
    """Returns the wrapper of a function's Fortran symbols: a template of the entry's number."""
    language = Fortran(function)
    names = [one.name for one in function.parameters] + ["ierror"]
    names += [f"{one.name}_length" for one in function.parameters if one.kind == "STRING"]
    declared = ", ".join(
        f"std::size_t {name}" if name.endswith("_length") else f"void* {name}" for name in names
    )
    native = f"next_of<decltype(&{fortran_name(function)}<Entry>)>(Entry)({', '.join(names)});"
    lines = [
        "template <std::size_t Entry>",
        f"void {fortran_name(function)}({declared}) {{",
        f"  Call call(function_number::{function.name}, __builtin_return_address(0));",
        *indented(notes_before(function, language), "call"),
    ]
    for status in function.statuses():
        lines += [
            f"  FortranStatus own_{status};",
            f"  if (call) {status} = own_{status}.seen({status});",
        ]
    lines += [
        *(f"  {line}" for line in tuning_before(function, language)),
        *(f"  {line}" for line in reporting_before(function, language)),
        *(f"  {line}" for line in excluded_from_bouncing(function, language)),
        *tuned_in_fortran(function, language),
        *(f"  {line}" for line in carried_out_in_fortran(function, language, native)),
        *(f"  {line}" for line in tuning_after(function, "succeeded(ierror)")),
        *(f"  {line}" for line in noted_for_waits(function, language, "succeeded(ierror)")),
        *indented(notes_after(function, language), "call && succeeded(ierror)"),
        "}\n",
    ]
    return "\n".join(lines)


def wrappers(functions: list[Function]) -> str:
    rows, entry = [], len(functions)
    for number, one in enumerate(functions):
        rows.append(f"    {{{number}, reinterpret_cast<void*>(&{c_name(one)})}},")
    rows.append("#ifndef MPI_ABI_VERSION  // There a library of Fortran's functions calls C's.")
    for one in functions:
        for _ in fortran_symbols(one):
            address = f"reinterpret_cast<void*>(&{fortran_name(one)}<{entry}>)"
            rows.append(f"    {{{entry}, {address}}},")
            entry += 1
    rows.append("#endif")
    names = [f'    {{"{one.name}", {NUMBER_OF_KIND[one.kind]}}},' for one in functions]
    names += [f'    {{"{name}", {kind}}},' for name, kind in PSEUDO.items()]
    return "\n".join(
        [
            HEAD,
            '#include "mpi/shim/wrapper_parts.hpp"\n',
            "#if MPI_VERSION < 4  // Where mpi.h is older than a function, this declares it.",
            'extern "C" {',
            *(f"{one};" for one in prototypes(functions) if "PMPI_Pready_list" not in one),
            "}",
            "#endif\n",
            "namespace tasuki::mpi::shim {",
            "namespace {\n",
            *(c_wrapper(one) for one in functions if one.name not in BY_HAND),
            *(
                fortran_wrapper(o)
                for o in functions
                if fortran_symbols(o) and o.name not in BY_HAND
            ),
            "constexpr events::FunctionName names[] = {",
            *names,
            "};",
            "const Wrapper all[] = {",
            *rows,
            "};\n",
            "}  // namespace\n",
            "std::span<const events::FunctionName> function_names() noexcept { return names; }",
            "std::span<const Wrapper> all_wrappers() noexcept { return all; }\n",
            "}  // namespace tasuki::mpi::shim\n",
        ]
    )


def entries(functions: list[Function], processor: str) -> str:
    """Returns the table of entries, and for each symbol the instructions of a processor."""
    symbols = symbols_of(functions)
    calls = [f"tasuki_entry {number}, {symbol}" for number, symbol in enumerate(symbols)]
    stubs = [f"tasuki_mpi_stub_{number}" for number in range(len(symbols))]
    return "\n".join(
        [
            HEAD,
            '#include "mpi/entry/entries.hpp"\n',
            'asm(R"(',
            (ENTRIES / f"{processor}.s").read_text(),
            *calls,
            ')");\n',
            'extern "C" {',
            *(f"void {stub}();" for stub in stubs),
            f"void* tasuki_mpi_entries[{len(symbols)}] = {{",
            *(f"    reinterpret_cast<void*>(&{stub})," for stub in stubs),
            "};\n}\n",
            "namespace tasuki::mpi::entry {",
            "const char* const symbols[] = {",
            *(f'    "{symbol}",' for symbol in symbols),
            "};",
            f"const std::size_t entry_count = {len(symbols)};",
            "}  // namespace tasuki::mpi::entry\n",
        ]
    )


def main(folder: Path, processor: str) -> None:
    functions = read_functions()
    for name, text in (
        ("function_numbers.hpp", function_numbers(functions)),
        ("wrappers.cpp", wrappers(functions)),
        ("entries.cpp", entries(functions, processor)),
        ("abi/mpi.h", header(HEAD, prototypes(functions))),
    ):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
