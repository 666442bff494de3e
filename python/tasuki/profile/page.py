"""The report as one HTML page that needs nothing else: style, program and data are in it."""

import base64
import html
import json
import shlex
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

import tasuki
from tasuki.base.programs import DATA
from tasuki.profile.analysis import NS_PER_S, Analysis, Totals
from tasuki.profile.hang_report import HangReport
from tasuki.profile.tables import remarks, summed
from tasuki.profile.time_line import (
    CATEGORIES,
    RUNTIME_CATEGORIES,
    TimeLine,
    categories_of,
    time_line_of,
    waits_of,
)
from tasuki.profile.written_file import written_file

FOLDER = DATA / "profile"
SCRIPTS = ("view.js", "time_line.js", "matrix.js", "bars.js", "report.js")
SITES_MOST = 100
MATRIX_ROWS_MOST = 256  # More ranks share rows and columns.


def write_page(
    analysis: Analysis, state: HangReport | None, command: list[str], path: Path
) -> None:
    """Writes the page. Raises CommandError if it cannot be written."""
    text = json.dumps(data_of(analysis, state), separators=(",", ":"))
    template = Template((FOLDER / "report.html").read_text())
    page = template.substitute(
        title=html.escape(shlex.join(command)),
        version=tasuki.__version__,
        style=(FOLDER / "report.css").read_text(),
        data=text.replace("</", "<\\/"),  # What would end the script that holds it.
        script="\n".join((FOLDER / name).read_text() for name in SCRIPTS),
    )
    with written_file(path) as file:
        file.write(page)


def data_of(analysis: Analysis, state: HangReport | None) -> dict[str, Any]:
    """What the page's program draws."""
    events = analysis.events
    return {
        "end_s": events.end_ns / NS_PER_S,
        "rank_count": events.rank_count,
        "library": "Tasuki" if events.is_runtime else "MPI",
        "remarks": remarks(analysis),
        "findings": state.findings() if state else [],
        "ranks": [
            {
                "rank": one.rank,
                "host": one.host,
                "state": one.state,
                "span_s": one.span_s,
                "computing_s": one.computing_s,
                **_times(one.mpi),
                "sends": one.sends,
                "receives": one.receives,
                "collectives": one.collectives,
                "sent_bytes": one.sent_bytes,
            }
            for one in analysis.ranks
        ],
        "functions": [
            {"name": events.function_names[function], **_costs(totals)}
            for function, totals in summed(analysis.functions, 1).items()
        ],
        "sites": [] if events.is_runtime else _sites(analysis),
        "sizes": [one._asdict() for one in analysis.sizes],
        "matrix": _matrix(analysis),
        "time_line": _time_line(analysis),
    }


def _times(totals: Totals) -> dict[str, float]:
    return {
        "late_sender_s": totals.late_sender_s,
        "late_receiver_s": totals.late_receiver_s,
        "skew_s": totals.skew_s,
        "transferring_s": totals.transferring_s,
    }


def _costs(totals: Totals) -> dict[str, float]:
    return {
        "calls": totals.calls,
        "seconds": totals.seconds,
        **_times(totals),
        "sent_bytes": totals.sent_bytes,
        "received_bytes": totals.received_bytes,
    }


def _sites(analysis: Analysis) -> list[dict[str, Any]]:
    names, places = analysis.events.function_names, analysis.site_names
    sums = list(summed(analysis.sites, slice(1, 3)).items())[:SITES_MOST]
    return [
        {"name": f"{names[function]} in {places[site].text}", **_costs(totals)}
        for (function, site), totals in sums
    ]


def _matrix(analysis: Analysis) -> dict[str, Any]:
    group = -(-max(1, analysis.events.rank_count) // MATRIX_ROWS_MOST)
    cells: dict[tuple[int, int], list[int]] = {}
    for one in analysis.pairs:
        cell = cells.setdefault((one.source // group, one.destination // group), [0, 0])
        cell[:] = [cell[0] + one.messages, cell[1] + one.bytes]
    return {
        "rank_group": group,
        "cells": [[*place, *numbers] for place, numbers in cells.items()],
    }


def _time_line(analysis: Analysis) -> dict[str, Any]:
    line, events = time_line_of(analysis), analysis.events
    calls = line.calls
    used, sites = np.unique(events.site[calls], return_inverse=True)
    columns = {
        "rank": events.rank[calls],
        "enter_ns": events.enter_ns[calls],
        "duration_ns": events.leave_ns[calls] - events.enter_ns[calls],
        "waiting_ns": analysis.waiting.total[calls],
        "wait": waits_of(analysis, calls),
        "category": categories_of(analysis, calls),
        "function": events.function[calls],
        "site": sites,
        "source": events.source[calls],
        "destination": events.destination[calls],
        "bytes": np.maximum(events.sent_bytes[calls], events.received_bytes[calls]),
    }
    return {
        "categories": RUNTIME_CATEGORIES if events.is_runtime else CATEGORIES,
        "rank_group": line.rank_group,
        "rows": line.shares.shape[0],
        "columns": line.shares.shape[2],
        "column_ns": line.column_ns,
        # Of each row from when to when its ranks ran.
        "spans": _spans(analysis, line),
        "shares": base64.b64encode(line.shares.tobytes()).decode(),
        "call_count": line.call_count,
        "calls": {name: column.tolist() for name, column in columns.items()},
        "function_names": events.function_names,
        "site_names": [analysis.site_names[site].text for site in used.tolist()],
    }


def _spans(analysis: Analysis, line: TimeLine) -> list[list[float]]:
    """In seconds; [0, 0] where no rank has recorded anything."""
    events = analysis.events
    spans: dict[int, tuple[int, int]] = {}
    for index, file in enumerate(events.files):
        row = file.rank // line.rank_group
        span = (events.start_ns[index], events.rank_end_ns(index))
        before = spans.get(row, span)
        spans[row] = (min(before[0], span[0]), max(before[1], span[1]))
    rows = (spans.get(row, (0, 0)) for row in range(line.shares.shape[0]))
    return [[begin / NS_PER_S, end / NS_PER_S] for begin, end in rows]
