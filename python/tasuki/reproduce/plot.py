"""Pictures of figures: one PNG each, its panels side by side."""

from pathlib import Path

import matplotlib

from tasuki.reproduce.figure import Figure, Point, panels_of, table_of

matplotlib.use("Agg")
PANEL_INCHES = (5.0, 3.8)
DOTS_PER_INCH = 120


def plot(figure: Figure, points: list[Point], folder: Path, prefix: str) -> Path:
    """Writes `folder`/`prefix`-ID.png and returns its path."""
    from matplotlib import pyplot

    panels = panels_of(points)
    width, height = PANEL_INCHES
    canvas, axes = pyplot.subplots(
        1, len(panels), figsize=(width * len(panels), height), squeeze=False, layout="constrained"
    )
    canvas.suptitle(figure.title)
    for axis, panel in zip(axes[0], panels, strict=True):
        if figure.kind == "stacked":
            _draw_bars(axis, panel, points)
        else:
            _draw_lines(axis, panel, points)
        axis.set(title=panel, xlabel=figure.x_title, ylabel=figure.value_title)
        if figure.log_x:
            axis.set_xscale("log", base=2)
        if figure.log_value:
            axis.set_yscale("log")
        axis.legend(fontsize="small")
        axis.grid(True, alpha=0.3)
    path = folder / f"{prefix}-{figure.figure_id}.png"
    canvas.savefig(path, dpi=DOTS_PER_INCH)
    pyplot.close(canvas)
    return path


def _draw_lines(axis, panel: str, points: list[Point]) -> None:
    for series in table_of(panel, points)[0]:
        curve = [point for point in points if (point.panel, point.series) == (panel, series)]
        axis.errorbar(
            [point.x for point in curve],
            [point.value for point in curve],
            yerr=[(point.spread or 0) * point.value for point in curve],
            marker="o",
            markersize=3,
            capsize=2,
            label=series,
        )


def _draw_bars(axis, panel: str, points: list[Point]) -> None:
    series, rows = table_of(panel, points)
    places = [str(row[0]) for row in rows]
    bottom = [0.0] * len(rows)
    for column, name in enumerate(series, start=1):
        values = [row[column] or 0.0 for row in rows]
        axis.bar(places, values, bottom=bottom, label=name)
        bottom = [below + value for below, value in zip(bottom, values, strict=True)]
    axis.tick_params(axis="x", rotation=60, labelsize="small")
