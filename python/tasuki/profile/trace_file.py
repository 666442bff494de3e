"""A time line for Perfetto (ui.perfetto.dev): Chrome's trace event format, as JSON.

Each rank is a process and each of its threads a thread; calls and regions are slices, messages are
flows from the send to the call in which the receive ends.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from tasuki.profile.analysis import Analysis
from tasuki.profile.event_file import Kind
from tasuki.profile.messages import UNKNOWN
from tasuki.profile.written_file import written_file

NS_PER_US = 1000.0
CHUNK_EVENTS = 1 << 14  # So many are Python's numbers at a time.
_COLUMNS = (
    "rank",
    "thread",
    "function",
    "enter_ns",
    "leave_ns",
    "sent_bytes",
    "received_bytes",
    "destination",
    "source",
    "site",
)


def write_trace(analysis: Analysis, path: Path) -> None:
    """Writes the file. Raises CommandError if it cannot be written."""
    with written_file(path) as file:
        file.write('{"displayTimeUnit":"ns","traceEvents":[\n')
        _write(file, _names(analysis), is_first=True)
        _write(file, _slices(analysis))
        _write(file, _regions(analysis))
        _write(file, _flows(analysis))
        file.write("]}\n")


def _write(file: TextIO, entries: Iterator[dict[str, Any]], is_first: bool = False) -> None:
    encode = json.JSONEncoder(separators=(",", ":")).encode
    for entry in entries:
        file.write(encode(entry) if is_first else f",{encode(entry)}")
        file.write("\n")
        is_first = False


def _names(analysis: Analysis) -> Iterator[dict[str, Any]]:
    yield {"ph": "M", "name": "trace", "pid": 0, "args": {"name": "tasuki profile"}}
    for file in analysis.events.files:
        name = {"name": f"rank {file.rank} ({file.host})"}
        yield {"ph": "M", "name": "process_name", "pid": file.rank, "args": name}
        order = {"sort_index": file.rank}
        yield {"ph": "M", "name": "process_sort_index", "pid": file.rank, "args": order}


def _slices(analysis: Analysis) -> Iterator[dict[str, Any]]:
    events = analysis.events
    calls = np.flatnonzero(events.is_call & (events.kind != Kind.REGION))
    names = events.function_names
    sites = [one.text for one in analysis.site_names]
    for first in range(0, len(calls), CHUNK_EVENTS):
        chosen = calls[first : first + CHUNK_EVENTS]
        columns = [getattr(events, name)[chosen].tolist() for name in _COLUMNS]
        waits = analysis.waiting.total[chosen].tolist()
        for values, waiting_ns in zip(zip(*columns, strict=True), waits, strict=True):
            rank, thread, function, enter_ns, leave_ns, sent, received, to, source, site = values
            arguments = {"site": sites[site], "sent_bytes": sent, "received_bytes": received}
            if to >= 0:
                arguments["destination"] = to
            if source >= 0:
                arguments["source"] = source
            if waiting_ns:
                arguments["waiting_us"] = waiting_ns / NS_PER_US
            yield {
                "ph": "X",
                "name": names[function],
                "pid": rank,
                "tid": thread,
                "ts": enter_ns / NS_PER_US,
                "dur": (leave_ns - enter_ns) / NS_PER_US,
                "args": arguments,
            }


def _regions(analysis: Analysis) -> Iterator[dict[str, Any]]:
    for span in analysis.region_spans:
        yield {
            "ph": "X",
            "name": f"region {span.level}",
            "pid": span.rank,
            "tid": 0,
            "ts": span.begin_ns / NS_PER_US,
            "dur": (span.end_ns - span.begin_ns) / NS_PER_US,
        }


def _flows(analysis: Analysis) -> Iterator[dict[str, Any]]:
    events, messages = analysis.events, analysis.matching.messages
    known = np.flatnonzero(messages.receive_end != UNKNOWN)
    for first in range(0, len(known), CHUNK_EVENTS):
        chosen = known[first : first + CHUNK_EVENTS]
        send, end = messages.send[chosen], messages.receive_end[chosen]
        # Where waiting for the sender ends, within the slice of the receive.
        arrival_ns = np.clip(events.enter_ns[send], events.enter_ns[end], events.leave_ns[end])
        columns = (events.rank[send], events.thread[send], events.enter_ns[send])
        ends = (events.rank[end], events.thread[end], arrival_ns)
        rows = zip(chosen.tolist(), *(column.tolist() for column in (*columns, *ends)), strict=True)
        for number, rank, thread, at_ns, to_rank, to_thread, to_ns in rows:
            flow = {"name": "message", "cat": "message", "id": number}
            yield flow | {"ph": "s", "pid": rank, "tid": thread, "ts": at_ns / NS_PER_US}
            yield flow | {
                "ph": "f",
                "bp": "e",
                "pid": to_rank,
                "tid": to_thread,
                "ts": to_ns / NS_PER_US,
            }
