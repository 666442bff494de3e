"""What the paper's text and table say: H. Ogawa, S. Matsuoka, H. Nakada, M. Sato, S. Sekiguchi,
Towards Ninf API for distributed memory multiprocessors, 1998.

Its figure 7 is given as a picture alone. It was measured on a Fujitsu AP1000 of 64 nodes.
"""

from tasuki.output.figure import Published

SIZES = tuple(range(200, 1201, 200))
USUAL_SIZES = (*SIZES, 2000)
FULL_SIZES = (*USUAL_SIZES, 4000, 8000)
MODES = ("original", "buffering", "hand-off")
WIRE_FORMATS = ("xdr", "native")  # The paper's is XDR.
PARTS = ("client", "server", "node", "calc")
# Table 1: seconds of the parts, by n and mode.
TABLE_1 = {
    200: ((5.7, 2.7, 1.6, 0.27), (5.7, 2.7, 1.6, 0.27), (6.9, 3.9, 3.3, 0.27)),
    400: ((10.7, 7.6, 3.4, 0.95), (10.8, 7.7, 3.5, 0.95), (10.4, 7.3, 5.9, 0.95)),
    600: ((18.7, 15.5, 6.1, 2.43), (18.8, 15.7, 6.2, 2.43), (16.1, 13.0, 11.6, 2.43)),
    800: ((30.5, 27.3, 10.4, 5.04), (30.2, 27.0, 10.5, 5.04), (26.5, 23.4, 21.2, 5.04)),
    1000: ((48.7, 44.6, 16.7, 9.72), (47.3, 42.9, 17.3, 9.72), (40.2, 36.6, 34.2, 9.72)),
    1200: ((65.5, 62.1, 25.0, 16.6), (63.4, 60.3, 25.9, 16.6), (55.0, 51.3, 48.6, 16.6)),
}
GAIN, REST = "original / hand-off", "not computing: hand-off / original"


def split_panel(link: str, n: int) -> str:
    return f"{link}, n = {n}"


def _split_of(link: str, n: int) -> Published:
    by_part = zip(*TABLE_1[n], strict=True)
    values = {
        f"{part}, s": dict(zip(MODES, seconds, strict=True))
        for part, seconds in zip(PARTS, by_part, strict=True)
    }
    return Published("table 1", split_panel(link, n), "s", values)


def published_split(links: tuple[str, ...], sizes: tuple[int, ...]) -> tuple[Published, ...]:
    """Table 1 beside each link's own."""
    return tuple(_split_of(link, n) for link in links for n in sizes if n in TABLE_1)


def published_gain(links: tuple[str, ...], sizes: tuple[int, ...]) -> tuple[Published, ...]:
    """What table 1 says of the ratios."""
    rows_of = {n: rows for n, rows in TABLE_1.items() if n in sizes}
    gain = {n: round(rows[0][0] / rows[2][0], 2) for n, rows in rows_of.items()}
    rest = {
        n: round((rows[2][0] - rows[2][3]) / (rows[0][0] - rows[0][3]), 2)
        for n, rows in rows_of.items()
    }
    return tuple(Published("table 1", link, "", {GAIN: gain, REST: rest}) for link in links)
