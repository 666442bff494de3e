"""Pictures of figures: one PNG each, its panels in rows of at most PANELS_IN_ROW."""

from pathlib import Path

import matplotlib

from tasuki.reproduce.figure import Figure, Point, panels_of, table_of

matplotlib.use("Agg")
PANEL_INCHES = (5.0, 3.8)
PANELS_IN_ROW = 3
DOTS_PER_INCH = 120
MARKERS = "osD^v"
SPREAD_SHOWN_BELOW = 0.8  # A logarithmic axis has no room for a bar down to 0.
KIB, MIB = 1 << 10, 1 << 20


def plot(figure: Figure, points: list[Point], folder: Path, prefix: str) -> Path:
    """Writes `folder`/`prefix`-ID.png and returns its path."""
    from matplotlib import pyplot

    panels = panels_of(points)
    columns = _columns(len(panels))
    rows = -(-len(panels) // columns)
    width, height = PANEL_INCHES
    canvas, axes = pyplot.subplots(
        rows, columns, figsize=(width * columns, height * rows), squeeze=False, layout="constrained"
    )
    canvas.suptitle(figure.title)
    for axis in axes.flat[len(panels) :]:
        axis.remove()
    for axis, panel in zip(axes.flat, panels, strict=False):
        if figure.kind == "stacked":
            _draw_bars(axis, panel, points)
        else:
            _draw_lines(axis, figure, panel, points)
        axis.set(title=panel, xlabel=figure.x_title, ylabel=figure.value_title)
        axis.legend(fontsize="small")
        axis.grid(True, axis="y" if figure.kind == "stacked" else "both", alpha=0.3)
        axis.set_axisbelow(True)
    path = folder / f"{prefix}-{figure.figure_id}.png"
    canvas.savefig(path, dpi=DOTS_PER_INCH)
    pyplot.close(canvas)
    return path


def _columns(panel_count: int) -> int:
    """Full rows where that is possible."""
    most = min(panel_count, PANELS_IN_ROW)
    return next((count for count in range(most, 1, -1) if panel_count % count == 0), most)


def _draw_lines(axis, figure: Figure, panel: str, points: list[Point]) -> None:
    for number, series in enumerate(table_of(panel, points)[0]):
        curve = [point for point in points if (point.panel, point.series) == (panel, series)]
        spreads = [point.spread or 0 for point in curve]
        below = [min(spread, SPREAD_SHOWN_BELOW) for spread in spreads]
        values = [point.value for point in curve]
        axis.errorbar(
            [point.x for point in curve],
            values,
            yerr=[
                [share * value for share, value in zip(shares, values, strict=True)]
                for shares in (below, spreads)
            ],
            marker=MARKERS[number % len(MARKERS)],
            markersize=4,
            capsize=2,
            label=series,
        )
    places = sorted({point.x for point in points if point.panel == panel})
    if figure.log_x:
        axis.set_xscale("log", base=2)
        _name_places(axis, places)
    if figure.log_value:
        axis.set_yscale("log")
        _name_values(axis)
    if figure.value_title == "ratio":
        axis.axhline(1, color="black", linewidth=0.8)


def _name_places(axis, places: list[float]) -> None:
    """Every place by its name, or every third where there are many."""
    named = places if len(places) <= 8 else places[::3]
    axis.set_xticks(named, [short(place) for place in named])
    axis.minorticks_off()


def _name_values(axis) -> None:
    """Plain numbers, between the decades too where the axis has fewer than two."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    plain = FuncFormatter(lambda value, _: f"{value:g}")
    least, most = axis.get_ylim()
    axis.yaxis.set_major_formatter(plain)
    axis.yaxis.set_minor_locator(LogLocator(subs=(2, 5)))
    axis.yaxis.set_minor_formatter(plain if most < 100 * least else NullFormatter())


def short(size: float) -> str:
    """As in "512", "4 Ki", "1 Mi"."""
    for unit, name in ((MIB, "Mi"), (KIB, "Ki")):
        if size >= unit:
            return f"{size / unit:g} {name}"
    return f"{size:g}"


def _draw_bars(axis, panel: str, points: list[Point]) -> None:
    series, rows = table_of(panel, points)
    places = [str(row[0]) for row in rows]
    bottom = [0.0] * len(rows)
    for column, name in enumerate(series, start=1):
        values = [row[column] or 0.0 for row in rows]
        axis.bar(places, values, bottom=bottom, label=name)
        bottom = [below + value for below, value in zip(bottom, values, strict=True)]
    axis.tick_params(axis="x", labelsize="small")
    axis.set_xticks(range(len(places)), places, rotation=40, ha="right", rotation_mode="anchor")
