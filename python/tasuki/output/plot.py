"""Pictures of figures: one PNG each, its panels in rows of at most PANELS_IN_ROW."""

from pathlib import Path

import matplotlib

from tasuki.output.figure import (
    MISSING,
    Figure,
    Point,
    beside_paper,
    panels_of,
    series_of,
    short,
)
from tasuki.output.plot_map import draw_map

matplotlib.use("Agg")
PANEL_INCHES = (5.0, 3.8)
PANELS_IN_ROW = 3
DOTS_PER_INCH = 120
MARKERS = "osD^vP<"  # Their number and that of colours have no common factor.
OWN_COLOURS = 10  # Of matplotlib; further curves are dashed.
LEGEND_IN_PANEL_MOST = 7  # More series have one legend beside all panels.
SPREAD_SHOWN_BELOW = 0.8  # A logarithmic axis has no room for a bar down to 0.
NAMED_PLACES_MOST = 8
NAMED_VALUES_RATIO = 500  # Of a logarithmic axis: beyond it, decades are named alone.
LEGEND_SHARE = 0.15  # Of the height of bars, above them.


def plot(figure: Figure, points: list[Point], folder: Path, prefix: str) -> Path:
    """Writes `folder`/`prefix`-ID.png and returns its path."""
    from matplotlib import pyplot

    if figure.kind == "lines":
        points = beside_paper(figure, points)
    panels = panels_of(points)
    columns = figure.columns or _columns(len(panels))
    rows = -(-len(panels) // columns)
    width, height = PANEL_INCHES
    canvas, axes = pyplot.subplots(
        rows,
        columns,
        figsize=(width * columns, height * rows),
        squeeze=False,
        layout="constrained",
        sharey="row" if figure.columns else False,
    )
    canvas.suptitle(figure.title)
    for axis in axes.flat[len(panels) :]:
        axis.remove()
    for axis, panel in zip(axes.flat, panels, strict=False):
        _draw(axis, figure, panel, points)
        axis.set(xlabel=figure.x_title, ylabel=figure.value_title)
        axis.set_title(panel, fontsize="medium")
        axis.set_axisbelow(True)
    if _has_shared_legend(figure, points):
        _draw_shared_legend(canvas, axes.flat[: len(panels)])
    path = folder / f"{prefix}-{figure.figure_id}.png"
    canvas.savefig(path, dpi=DOTS_PER_INCH, bbox_inches="tight")
    pyplot.close(canvas)
    return path


def _draw(axis, figure: Figure, panel: str, points: list[Point]) -> None:
    if figure.kind == "stacked":
        _draw_bars(axis, figure, panel, points)
        axis.grid(True, axis="y", alpha=0.3)
    elif figure.kind == "map":
        draw_map(axis, panel, points)
    else:
        _draw_lines(axis, figure, panel, points)
        axis.grid(True, alpha=0.3)
        if not _has_shared_legend(figure, points):
            axis.legend(fontsize="small")


def _has_shared_legend(figure: Figure, points: list[Point]) -> bool:
    return figure.kind == "map" or (
        figure.kind == "lines" and len(series_of(points)) > LEGEND_IN_PANEL_MOST
    )


def _draw_shared_legend(canvas, axes) -> None:
    """Right of all panels, each series once."""
    handles: dict[str, object] = {}
    for axis in axes:
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            if not any(_is_numbered(known, label) for known in handles):
                handles[label] = handle
    canvas.legend(
        handles.values(), handles.keys(), loc="center left", bbox_to_anchor=(1.0, 0.5),
        fontsize="small",
    )  # fmt: skip


def _is_numbered(numbered: str, name: str) -> bool:
    """As "AL4 ring" is for "ring": they look the same."""
    return numbered == name or numbered.endswith(f" {name}")


def _columns(panel_count: int) -> int:
    """Full rows where that is possible."""
    most = min(panel_count, PANELS_IN_ROW)
    return next((count for count in range(most, 1, -1) if panel_count % count == 0), most)


def _draw_lines(axis, figure: Figure, panel: str, points: list[Point]) -> None:
    # The same series, or the same algorithm of two libraries, looks the same in all panels.
    names = list(dict.fromkeys(_look_of(point) for point in points))
    for series in series_of(points):
        curve = [point for point in points if (point.panel, point.series) == (panel, series)]
        if curve:
            number = names.index(_look_of(curve[0]))
            _draw_curve(axis, curve, _style(number, series == figure.baseline_series))
    shown = [point for point in points if point.panel == panel]
    places = sorted({point.x for point in shown})
    if figure.log_x:
        _scale_places(axis, places)
    elif len(places) <= NAMED_PLACES_MOST:
        axis.set_xticks(places)
        axis.set_xlim(places[0] - 0.5, places[-1] + 0.5)
    if figure.ideal is not None:
        values = [figure.ideal(place) for place in places]
        axis.plot(places, values, color="gray", linestyle=":", linewidth=1, label="ideal")
    if figure.log_value:
        axis.set_yscale("log")
        _name_values(axis)
    else:
        axis.set_ylim(bottom=0)
    if figure.value_title == "ratio":
        axis.axhline(1, color="black", linewidth=0.8)


def _look_of(point: Point) -> str:
    """Series that stand for one algorithm are known by it."""
    algorithm = point.details.get("algorithm")
    return algorithm if algorithm is not None and algorithm in point.series else point.series


def _style(number: int, is_baseline: bool) -> dict[str, object]:
    style = {
        "color": "black" if is_baseline else f"C{number % OWN_COLOURS}",
        "marker": MARKERS[number % len(MARKERS)],
        "linestyle": "--" if number >= OWN_COLOURS else "-",
    }
    return {**style, "zorder": 5, "linewidth": 2} if is_baseline else style


def _draw_curve(axis, curve: list[Point], style: dict[str, object]) -> None:
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
        markersize=4,
        capsize=2,
        label=curve[0].series,
        **style,
    )


def _scale_places(axis, places: list[float]) -> None:
    """Logarithmic. Powers of two by their names, every third where there are many; else decades."""
    if not all(float(place).is_integer() and int(place).bit_count() == 1 for place in places):
        axis.set_xscale("log")
        axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        return
    axis.set_xscale("log", base=2)
    named = places if len(places) <= NAMED_PLACES_MOST else places[::3]
    axis.set_xticks(named, [short(place) for place in named])
    axis.minorticks_off()


def _name_values(axis) -> None:
    """Plain numbers, between the decades too where the axis has few of them."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    plain = FuncFormatter(lambda value, _: f"{value:g}")
    least, most = axis.get_ylim()
    axis.yaxis.set_major_formatter(plain)
    axis.yaxis.set_minor_locator(LogLocator(subs=(2, 5)))
    axis.yaxis.set_minor_formatter(plain if most < NAMED_VALUES_RATIO * least else NullFormatter())


def _draw_bars(axis, figure: Figure, panel: str, points: list[Point]) -> None:
    """Of what is missing the reason stands in its place."""
    chosen = [point for point in points if point.panel == panel]
    places = list(dict.fromkeys(str(point.x) for point in chosen))
    bottom = [0.0] * len(places)
    series = series_of(chosen)
    for name in series:
        values = {str(point.x): point.value or 0.0 for point in chosen if point.series == name}
        heights = [values.get(place, 0.0) for place in places]
        bars = axis.bar(places, heights, bottom=bottom, label=name)
        bottom = [below + height for below, height in zip(bottom, heights, strict=True)]
    for number, place in enumerate(places):
        if place in figure.baseline_places and bottom[number]:
            bars[number].set_color("black")
            axis.axhline(bottom[number], color="black", linestyle=":", linewidth=0.8)
    for point in chosen:
        if point.value is None:
            axis.annotate(
                str(point.details[MISSING]), (places.index(str(point.x)), 0), (0, 3),
                textcoords="offset points", rotation=90, ha="center", fontsize="small",
            )  # fmt: skip
    # Panels beside it may share the axis.
    top = max(axis.get_ylim()[1], max(bottom) * (1 + LEGEND_SHARE))
    axis.set_ylim(bottom=min(0.0, *axis.get_ylim()), top=top)
    if len(series) > 1:
        axis.legend(fontsize="small", ncols=len(series), loc="upper center")
    axis.tick_params(axis="x", labelsize="small")
    axis.set_xticks(range(len(places)), places, rotation=40, ha="right", rotation_mode="anchor")
