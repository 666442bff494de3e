"""A figure or table of a paper: how it is measured, and the data that table, JSON and plot show."""

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from tasuki.output.report import Row, result

KIB, MIB = 1 << 10, 1 << 20
MISSING = "missing"
PAPER = ", paper"  # What follows the name of a series in tables and pictures.


class Point(NamedTuple):
    """One measured number: the value of `series` at `x` in `panel` (one of a figure's pictures).

    `spread` is half the distance between the quartiles / the median. `value` is None where there
    is none; `details` then say why under MISSING.
    """

    panel: str
    series: str
    x: float | str
    value: float | str | None
    unit: str
    spread: float | None = None
    repetitions: int = 1
    details: dict[str, Any] = {}  # noqa: RUF012: never changed; further fields of the JSON row.


class Published(NamedTuple):
    """What a paper itself says of a figure: `values` by series and x of a panel.

    `source` is where it says so, as in "table 4" or "section 6".
    """

    source: str
    panel: str
    unit: str
    values: Mapping[str, Mapping[float | str, float | str]]


class Figure(NamedTuple):
    """One figure or table. `measure` gets the Lab of the paper and returns the points.

    `kind` says how it is drawn: lines (x numeric), stacked (a bar for each x, in series), map (a
    coloured field for each x and series, whose value is a name) or table. `columns` panels stand in
    a row, as many as fit if it is None.
    `ideal` gives, for each x, what a thin line shows for comparison.
    Points of other series are given `baseline_series` of the same panel and x as their baseline;
    bars at other places that of the same panel and series in `baseline_places`.
    `remark` is what one has to know to read it, `published` what the paper's own text gives.
    """

    figure_id: str
    title: str
    kind: str
    x_title: str
    value_title: str
    measure: Callable[[Any], list[Point]]
    log_x: bool = False
    log_value: bool = False
    baseline_series: str | None = None
    baseline_places: tuple[str, ...] = ()
    columns: int | None = None
    ideal: Callable[[float], float] | None = None
    remark: str = ""
    published: tuple[Published, ...] = ()


def rows_of(figure: Figure, points: list[Point]) -> list[Row]:
    """The rows of the JSON output; what is only in the paper has a row without a value."""
    baselines = {_group(figure, point): point for point in points if is_baseline(figure, point)}
    said = _said(figure)
    return [
        _row(figure, point, baselines.get(_group(figure, point))) | said.get(point[:3], {})
        for point in [*points, *_unmeasured(figure, points)]
    ]


def beside_paper(figure: Figure, points: list[Point]) -> list[Point]:
    """The points, those of each series followed by what the paper says of the same series."""
    everything = [*points, *_unmeasured(figure, points)]
    panels = panels_of(everything)
    places = sorted(
        dict.fromkeys(point[:2] for point in everything), key=lambda place: panels.index(place[0])
    )
    shown = []
    for panel, series in places:
        shown += [one for one in points if one[:2] == (panel, series)]
        shown += [
            Point(panel, f"{series}{PAPER}", x, value, one.unit)
            for one in figure.published
            if one.panel == panel
            for x, value in one.values.get(series, {}).items()
        ]
    return shown


def _said(figure: Figure) -> dict[tuple[str, str, float | str], Row]:
    """By cell the fields of what the paper says of it."""
    return {
        (one.panel, series, x): {
            "paper_value": value,
            "paper_source": one.source,
            "unit": one.unit,
        }
        for one in figure.published
        for series, values in one.values.items()
        for x, value in values.items()
    }


def _unmeasured(figure: Figure, points: list[Point]) -> list[Point]:
    """Cells without a value, of which the paper says something."""
    measured = {point[:3] for point in points}
    return [
        Point(*cell, None, fields["unit"])
        for cell, fields in _said(figure).items()
        if cell not in measured
    ]


def is_baseline(figure: Figure, point: Point) -> bool:
    if figure.baseline_places:
        return point.x in figure.baseline_places
    return point.series == figure.baseline_series


def _group(figure: Figure, point: Point) -> tuple[object, ...]:
    """Points of which one is the baseline of the others."""
    return (point.panel, point.series if figure.baseline_places else point.x)


def _row(figure: Figure, point: Point, baseline: Point | None) -> Row:
    beside = {}
    is_beside = isinstance(point.value, float | int) and not is_baseline(figure, point)
    if baseline is not None and baseline.value and is_beside:
        beside = {
            "baseline": baseline.x if figure.baseline_places else baseline.series,
            "baseline_value": baseline.value,
            "ratio": point.value / baseline.value,
        }
    return result(
        figure.figure_id,
        point.value,
        point.unit,
        spread=point.spread,
        repetitions=point.repetitions,
        panel=point.panel,
        series=point.series,
        x=point.x,
        **beside,
        **point.details,
    )


def table_of(panel: str, points: list[Point]) -> tuple[list[str], list[list[object]]]:
    """Columns (without the first, which is x) and rows of one panel, in the order measured."""
    chosen = [point for point in points if point.panel == panel]
    series = list(dict.fromkeys(point.series for point in chosen))
    places = list(dict.fromkeys(point.x for point in chosen))
    values = {(point.x, point.series): _shown(point) for point in chosen}
    return series, [[x, *(values.get((x, name)) for name in series)] for x in places]


def _shown(point: Point) -> float | str | None:
    """With the goal of a value that has one, and whether it is reached."""
    if point.value is None:
        return point.details.get(MISSING)
    if "goal" not in point.details:
        return point.value
    reached = "yes" if point.details["ok"] else "NO"
    return f"{point.value:.4g} ({point.details['goal_text']}: {reached})"


def map_table_of(panel: str, points: list[Point]) -> tuple[list[str], list[list[object]]]:
    """The same for a map: a row for each series, with the names in it and how far each reaches."""
    chosen = [point for point in points if point.panel == panel]
    rows: list[list[object]] = []
    for series in dict.fromkeys(point.series for point in chosen):
        line = [point for point in chosen if point.series == series]
        runs = [(name, list(run)) for name, run in groupby(line, lambda point: point.value)]
        texts = [f"{name} to {short(run[-1].x)}" for name, run in runs[:-1]]
        rows.append([series, ", ".join([*texts, f"then {runs[-1][0]}" if texts else runs[-1][0]])])
    return ["best, by size in bytes"], rows


def short(size: float) -> str:
    """As in "512", "4 Ki", "1 Mi"."""
    for unit, name in ((MIB, "Mi"), (KIB, "Ki")):
        if size >= unit:
            return f"{size / unit:g} {name}"
    return f"{size:g}"


def series_of(points: list[Point]) -> list[str]:
    return list(dict.fromkeys(point.series for point in points))


def panels_of(points: list[Point]) -> list[str]:
    return list(dict.fromkeys(point.panel for point in points))
