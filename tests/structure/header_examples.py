"""The examples in the docstrings of users' headers, and which function each is there for.

A docstring shows how to use what it describes by indented lines of code, or it points at a file:
`Example: examples/first.cpp`. Started as a program, this prints one that runs the lines of code of
all headers on every rank, each docstring's in a function of its own.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from sources import ROOT, files, name

CODE = re.compile(r"^ *///( {4,}.*)$")
POINTER = re.compile(r"Example: ([\w/.]+\w)")
INSIDE = re.compile(r"^namespace (\w+) \{$")  # In namespace tasuki: what is not for users.
CLASS = re.compile(r"^(?:class|struct) (?:\[\[\w+\]\] )?(\w+).*\{$")
FUNCTION = re.compile(r"^(?!.*\boperator)[^(]*?(?<!::)\b(\w+)\(")


@dataclass
class Docstring:
    """The comment lines before a declaration; those behind it without one share it."""

    header: Path
    line_number: int
    lines: list[str] = field(default_factory=list)

    def code(self) -> list[str]:
        """Returns its lines, those empty that are no code."""
        return [match[1] if (match := CODE.match(line)) else "" for line in self.lines]

    def pointers(self) -> list[Path]:
        return [ROOT / path for line in self.lines for path in POINTER.findall(line)]

    def shown(self) -> str:
        """Returns all code that the docstring shows or points at."""
        return "\n".join([*self.code(), *(path.read_text() for path in self.pointers())])


@dataclass
class Declaration:
    """A public function, or a class or structure."""

    name: str
    docstring: Docstring
    of_class: "Declaration | None" = None
    is_class: bool = False

    def shown(self) -> str:
        around = self.of_class.shown() if self.of_class else ""
        return self.docstring.shown() + around

    def is_for_library(self) -> bool:
        return any("For the library" in line for line in self.docstring.lines)

    def is_shown(self) -> bool:
        """Is it used in an example of its own or of its class? X_async is by one of X, too."""
        used = rf"{self.name.removesuffix('_async')}(?:_async)?\b"
        return bool(re.search((r"(?:\.|->)" if self.of_class else r"\b") + used, self.shown()))

    def full_name(self) -> str:
        return f"{self.of_class.name}::{self.name}" if self.of_class else self.name


def users_headers() -> list[Path]:
    paths = files(("include",), ".hpp", ".h")
    return [path for path in paths if "detail" not in path.relative_to(ROOT).parts]


def declarations(header: Path) -> list[Declaration]:
    """Returns what a header, formatted by clang-format, declares for users."""
    found: list[Declaration] = []
    docstring = Docstring(header, 0)
    inside = ""
    current: Declaration | None = None
    is_public = True
    was_comment = False
    for number, line in enumerate(header.read_text().splitlines(), 1):
        if inside:
            inside = "" if line == f"}}  // namespace {inside}" else inside
        elif (match := INSIDE.match(line)) and match[1] != "tasuki":
            inside = match[1]
        elif line.lstrip().startswith("///"):
            if not was_comment:
                docstring = Docstring(header, number)
            docstring.lines.append(line)
        elif not line:
            docstring = Docstring(header, number)
        elif match := CLASS.match(line):
            current, is_public = Declaration(match[1], docstring, is_class=True), "struct " in line
            found.append(current)
            docstring = Docstring(header, number)
        elif line == "};":
            current, docstring = None, Docstring(header, number)
        elif match := re.match(r"^ (public|private|protected):$", line):
            is_public, docstring = match[1] == "public", Docstring(header, number)
        elif is_declaration(line, current) and (match := FUNCTION.match(line)):
            is_member_for_users = current is not None and is_public and match[1] != current.name
            if current is None or is_member_for_users:
                found.append(Declaration(match[1], docstring, current))
        was_comment = line.lstrip().startswith("///")
    return [one for one in found if not one.is_for_library()]


def is_declaration(line: str, of_class: Declaration | None) -> bool:
    """Does a line, by its indentation, begin a member of the class or of the namespace?"""
    indentation = len(line) - len(line.lstrip())
    return indentation == (2 if of_class else 0) and re.match(r"\s*[\w\[]", line) is not None


def program() -> str:
    """Returns a program that runs the examples of all headers, one after the other."""
    unique = {
        id(one.docstring): one.docstring for path in users_headers() for one in declarations(path)
    }
    docstrings = [docstring for docstring in unique.values() if any(docstring.code())]
    headers = sorted({str(one.header.relative_to(ROOT / "include")) for one in docstrings})
    headers += ["tasuki/tasuki.hpp", "cstdio", "stdexcept", "string", "vector"]
    lines = [f"#include <{header}>" for header in headers]
    for i, docstring in enumerate(docstrings):
        place = f'#line {docstring.line_number} "{name(docstring.header)}"'
        lines += [f"static void example_{i}() {{", place, *docstring.code(), "}"]
    lines += ["int main(int argc, char** argv) {", "  return tasuki::run(argc, argv, [] {"]
    lines += [f"    example_{i}(), tasuki::quiesce();" for i in range(len(docstrings))]
    return "\n".join([*lines, "  });", "}", ""])


if __name__ == "__main__":
    print(program(), end="")
