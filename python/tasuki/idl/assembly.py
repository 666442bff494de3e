"""Puts the statements of a file together to a module."""

from enum import Enum
from typing import Any

from tasuki.idl.builder import Statement
from tasuki.idl.errors import Report
from tasuki.idl.model import Module

# Rule of the grammar -> field of Module: of those a file has one at most, or as many as it likes.
_ONCE = {
    "module": "name",
    "compiler": "compiler",
    "linker": "linker",
    "fortran_format": "fortran_format",
    "fortran_string_convention": "fortran_string_convention",
}
_MANY = {
    "define": "routines",
    "remote_class": "classes",
    "globals": "globals",
    "library": "libraries",
    "compile_options": "compile_options",
}


def assemble(statements: list[Statement], report: Report) -> Module:
    """The module; a second Module, Compiler, Linker or FORTRAN setting is reported."""
    fields: dict[str, Any] = {}
    for statement in statements:
        if statement.kind in _MANY:
            field = _MANY[statement.kind]
            fields[field] = (*fields.get(field, ()), statement.value)
            continue
        field = _ONCE[statement.kind]
        if field in fields:
            said = fields[field]
            known = said.value if isinstance(said, Enum) else said
            report(statement.at, f"the file has said this before: {known}")
        fields.setdefault(field, statement.value)
        if statement.kind == "fortran_format":
            _check_format(statement, report)
    return Module(**fields)


def _check_format(statement: Statement, report: Report) -> None:
    """A format names the function as %s, or in capitals as %l; there is no other %."""
    text = statement.value
    if text.count("%s") + text.count("%l") != 1 or text.count("%") != 1:
        report(statement.at, "expected one %s or %l, which stand for the function's name")
