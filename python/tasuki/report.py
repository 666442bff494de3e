"""What every command prints: one JSON envelope (docs/formats/bench.md), or tables of rich."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import tasuki
from tasuki.machine import describe_machine

SCHEMA = 1

Row = dict[str, Any]


def envelope(command: str, results: list[Row], *, ranks: int | None, transport: str | None) -> Row:
    """The one JSON object of `command`; `ranks` and `transport` are None where they vary."""
    return {
        "schema": SCHEMA,
        "command": command,
        "version": tasuki.__version__,
        "machine": describe_machine(),
        "ranks": ranks,
        "transport": transport,
        "results": results,
    }


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


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on the terminal; columns whose values are numbers are aligned to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rows = [list(row) for row in rows]
    table = Table(box=box.SIMPLE_HEAD)
    for index, column in enumerate(columns):
        is_text = any(isinstance(row[index], str) for row in rows)
        table.add_column(column, justify="left" if is_text else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(_cell, row))
    console = Console()
    if not console.is_terminal:  # Nothing is folded for a file or another program.
        width = Console(width=10000).measure(table).maximum
        console = Console(width=max(width, len(title)))
    console.print(Text(title, style="bold"))
    console.print(table)


def _cell(value: object) -> str:
    """As short as is useful: four significant digits."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "NO"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 10000 else f"{value:.0f}"
    return str(value)
