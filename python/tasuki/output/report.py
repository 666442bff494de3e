"""What every command prints: one JSON envelope (docs/formats/bench.md), or tables of rich."""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

import tasuki
from tasuki.output.machine import describe_machine

if TYPE_CHECKING:
    from rich.table import Table

SCHEMA = 1
TEXT_COLUMNS = 100  # Of a line in a file, unless $COLUMNS says otherwise.
USUAL_DIGITS = 4
PROSE_COLUMNS = 16  # What sentences need at least.

Row = dict[str, Any]


def envelope(
    command: str,
    results: list[Row],
    *,
    ranks: int | None,
    transport: str | None,
    is_incomplete: bool = False,
) -> Row:
    """The one JSON object of `command`; `ranks` and `transport` are None where they vary."""
    made = {
        "schema": SCHEMA,
        "command": command,
        "version": tasuki.__version__,
        "machine": describe_machine(),
        "ranks": ranks,
        "transport": transport,
        "results": results,
    }
    return made | {"incomplete": True} if is_incomplete else made


def result(name: str, value: float | int | str | None, unit: str, **more: Any) -> Row:
    """One row of results with all the fields that every row has; `more` replaces and adds."""
    return {
        "name": name,
        "value": value,
        "unit": unit,
        "spread": None,
        "repetitions": 1,
        "baseline": None,
        "baseline_value": None,
        "ratio": None,
        **more,
    }


def print_json(value: Row) -> None:
    json.dump(value, sys.stdout, indent=1)
    sys.stdout.write("\n")


def line_columns() -> int:
    """How long a line of a table may be: $COLUMNS, else as the terminal is wide, else
    TEXT_COLUMNS."""
    from rich.console import Console

    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    console = Console()
    return console.width if console.is_terminal else TEXT_COLUMNS


def table_columns(
    columns: Sequence[str], rows: list[list[object]], digits: int | None = None
) -> int:
    """How wide the table is if nothing is folded."""
    from rich.console import Console

    return Console(width=10000).measure(_table(columns, rows, digits)).maximum


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    digits: int | None = None,
    file: TextIO | None = None,
) -> None:
    """A table no wider than `line_columns()`; columns of numbers are aligned to the right.

    Numbers have `digits` significant digits, or as many as are useful. What is too long for its
    column is folded; programs read JSON instead. `file` is standard output if it is None.
    """
    from rich.console import Console
    from rich.text import Text

    console = Console(width=line_columns(), file=file)
    console.print(Text(title, style="bold"))
    console.print(_table(columns, [list(row) for row in rows], digits))


def _table(columns: Sequence[str], rows: list[list[object]], digits: int | None) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    texts = [[_cell(value, digits) for value in row] for row in rows]
    least = _least_columns(columns, texts)
    for index, column in enumerate(columns):
        is_text = any(isinstance(row[index], str) for row in rows)
        justify = "left" if is_text else "right"
        # Else rich takes columns from names too, gives them back, and cuts the line off.
        is_name = least[index] > 1
        table.add_column(
            column, justify=justify, overflow="fold", min_width=least[index], no_wrap=is_name
        )
    for row in texts:
        table.add_row(*map(Text, row))  # As Text: brackets in a str are markup to rich.
    return table


def _least_columns(columns: Sequence[str], texts: list[list[str]]) -> list[int]:
    """How wide each column must be at least: names are not folded if sentences beside them can
    be."""
    widest = [
        max(map(len, (name, *(row[index] for row in texts)))) for index, name in enumerate(columns)
    ]
    is_prose = [any(" " in row[index] for row in texts) for index in range(len(columns))]
    least = [1 if prose else wide for prose, wide in zip(is_prose, widest, strict=True)]
    room = line_columns() - sum(wide + 2 for wide in least)
    return least if room >= PROSE_COLUMNS * sum(is_prose) else [1] * len(columns)


def _cell(value: object, digits: int | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "NO"
    if isinstance(value, float):
        digits = digits or USUAL_DIGITS
        return f"{value:.{digits}g}" if abs(value) < 10 ** (digits - 1) else f"{value:.0f}"
    return str(value)
