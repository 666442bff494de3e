"""One panel of a map: for each x and series a field, coloured by the name that is its value."""

from tasuki.output.figure import Point, series_of, short

COLOURS, COLOURS_COUNT = "tab20", 20


def draw_map(axis, panel: str, points: list[Point]) -> None:
    """The first series is at the bottom. A name has the same colour in all panels."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    chosen = [point for point in points if point.panel == panel]
    names = list(dict.fromkeys(str(point.value) for point in points))
    series = series_of(chosen)
    places = sorted({point.x for point in chosen})
    labelled = set()
    for point in chosen:
        name = str(point.value)
        corner = (places.index(point.x) - 0.5, series.index(point.series) - 0.5)
        colour = colormaps[COLOURS](names.index(name) % COLOURS_COUNT)
        label = None if name in labelled else name
        axis.add_patch(
            Rectangle(corner, 1, 1, facecolor=colour, edgecolor="white", linewidth=0.5, label=label)
        )
        labelled.add(name)
    axis.set(xlim=(-0.5, len(places) - 0.5), ylim=(-0.5, len(series) - 0.5))
    axis.set_xticks(range(len(places)), [short(place) for place in places], fontsize="small")
    axis.set_yticks(range(len(series)), series, fontsize="small")
