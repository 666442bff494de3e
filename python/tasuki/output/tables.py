"""The tables of figures, on a terminal or in a file: no line is longer than can be read."""

import textwrap

from tasuki.output.figure import (
    Figure,
    Point,
    beside_paper,
    map_table_of,
    panels_of,
    short,
    table_of,
)
from tasuki.output.report import TEXT_COLUMNS, line_columns, print_table, table_columns

TURNED_DIGITS = 3
DEFAULT_SHARE = "time / default's"

Rows = list[list[object]]


def show_figure(figure: Figure, points: list[Point], remark_before: str) -> None:
    """Prints a table for each panel, with what the paper says beside what was measured.

    A remark that has just been shown is not repeated.
    """
    points = beside_paper(figure, points)
    for panel in panels_of(points):
        title = f"{figure.figure_id}: {figure.title}: {panel}"
        if figure.kind == "map":
            series, rows = map_table_of(panel, points)
            print_table(title, (figure.value_title, *series), rows)
            continue
        series, rows = table_of(panel, points)
        if figure.baseline_places:
            series, rows = _beside_baseline(figure, series, rows)
        unit = f", {figure.value_title}" if figure.value_title else ""
        _print_fitting(f"{title}{unit}", figure, series, rows)
    if figure.remark and figure.remark != remark_before:
        print(f"{textwrap.fill(figure.remark, TEXT_COLUMNS)}\n")


def _beside_baseline(figure: Figure, series: list[str], rows: Rows) -> tuple[list[str], Rows]:
    """With a further column: the first series as a multiple of what the baseline has."""
    default = next((row[1] for row in rows if row[0] in figure.baseline_places), None)

    def share(value: object) -> float | None:
        numbers = isinstance(value, float) and isinstance(default, float) and default > 0
        return value / default if numbers else None

    return [*series, DEFAULT_SHARE], [[*row, share(row[1])] for row in rows]


def _print_fitting(title: str, figure: Figure, series: list[str], rows: Rows) -> None:
    """Curves that are too many to stand side by side become lines; what is still too wide is
    divided, with the first column before each part."""
    columns: list[str] = [figure.x_title, *series]
    digits = None
    if figure.kind == "lines" and table_columns(columns, rows) > line_columns():
        values = list(zip(*(row[1:] for row in rows), strict=True))
        columns = [figure.x_title, *(_place(row[0]) for row in rows)]
        rows = [[name, *curve] for name, curve in zip(series, values, strict=True)]
        digits = TURNED_DIGITS
    for first, last in _parts(columns, rows, digits):
        chosen = [0, *range(first, last)]
        part = [[row[index] for index in chosen] for row in rows]
        named = [columns[index] for index in chosen]
        print_table(title, named, part, digits)


def _parts(columns: list[str], rows: Rows, digits: int | None) -> list[tuple[int, int]]:
    """From which to before which column each part goes."""
    parts = []
    first = 1
    while first < len(columns):
        last = first + 1
        while last < len(columns):
            chosen = [0, *range(first, last + 1)]
            wide = table_columns(
                [columns[index] for index in chosen],
                [[row[index] for index in chosen] for row in rows],
                digits,
            )
            if wide > line_columns():
                break
            last += 1
        parts.append((first, last))
        first = last
    return parts


def _place(x: object) -> str:
    return short(x) if isinstance(x, int | float) else str(x)
