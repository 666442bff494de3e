"""What can be wrong with an interface: in its source, in its JSON, or with a call's arguments.

All are `IdlError`; the package raises nothing else for what it is given.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tasuki.base.errors import CommandError

LINE_COLUMNS_MOST = 90
# Hears of a problem: the place in the text that is read, and what is wrong there.
Report = Callable[[int, str], None]

PROBLEMS_MOST = 20  # That are shown; no more are sought.


class IdlError(CommandError):
    """An expected failure; `str()` is `text`, which needs no further prefix."""

    def __init__(self, text: str) -> None:
        Exception.__init__(self, text)
        self.exit_code = 1


@dataclass(frozen=True)
class Place:
    """A character of the user's file: `line` and `column` count from 1."""

    file: str
    line: int
    column: int
    line_text: str


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, and where.

    `str()` is, for example:
    `sum.idl:1:12: expected a type or a mode, found 'n'`, the line, and a caret under the column.
    """

    place: Place
    message: str

    def __str__(self) -> str:
        where = f"{self.place.file}:{self.place.line}:{self.place.column}"
        index = self.place.column - 1
        is_short = len(self.place.line_text) <= LINE_COLUMNS_MOST
        first = 0 if is_short else max(0, index - LINE_COLUMNS_MOST // 2)
        shown = self.place.line_text[first : first + LINE_COLUMNS_MOST]
        shown = "".join(one if one.isprintable() else " " for one in shown)
        return f"{where}: {self.message}\n  {shown}\n  {' ' * (index - first)}^"


class SourceError(IdlError):
    """What is wrong with one or more files; `problems` in the order of the files' lines."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = tuple(problems)
        shown = [str(one) for one in self.problems[:PROBLEMS_MOST]]
        if len(self.problems) > PROBLEMS_MOST:
            shown.append("... and more problems")
        super().__init__("\n".join(shown))


class EvaluationError(IdlError):
    """An expression has no value for the arguments of a call, or an array has a wrong shape."""


class InterfaceError(IdlError):
    """A JSON description of an interface is not as docs/formats/interface.md says."""
