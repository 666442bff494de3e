"""The stream of received messages as a message trace (docs/formats/message-trace.md)."""

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np

from tasuki.profile.analysis import Analysis
from tasuki.profile.event_file import ANY, ROOM_BYTES_MOST, Kind, has_kind
from tasuki.profile.job_events import ANY_SOURCE_FLAG, ANY_TAG_FLAG, WAS_THERE_FLAG
from tasuki.profile.messages import UNKNOWN
from tasuki.profile.written_file import written_file

FORMAT, VERSION = "tasuki message trace", 1
CHUNK_MESSAGES = 1 << 14


def write_record(analysis: Analysis, command: list[str], path: Path) -> None:
    """Writes the file. Raises CommandError if it cannot be written."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "program": shlex.join(command),
        "ranks": analysis.events.rank_count,
    }
    with written_file(path) as file:
        file.write(f"{json.dumps(header)}\n")
        columns = _columns(analysis)
        encode = json.JSONEncoder(separators=(",", ":")).encode
        for first in range(0, len(columns["rank"]), CHUNK_MESSAGES):
            chunk = slice(first, first + CHUNK_MESSAGES)
            values = [_python(name, column[chunk]) for name, column in columns.items()]
            for row in zip(*values, strict=True):
                file.write(f"{encode(dict(zip(columns, row, strict=True)))}\n")


_UNKNOWN_VALUE = np.iinfo(np.int64).min  # In columns that may be null.


def _python(name: str, column: np.ndarray) -> list[Any]:
    if not name.startswith("posted"):
        return column.tolist()
    return [None if value == _UNKNOWN_VALUE else value for value in column.tolist()]


def _columns(analysis: Analysis) -> dict[str, np.ndarray]:
    """By field its values, in the order in which the messages came."""
    if analysis.events.is_runtime:
        parts = [_by_runtime(analysis)]
    else:
        parts = [_received(analysis), _inside_collectives(analysis)]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    order = np.lexsort((columns["arrival_ns"], columns["rank"]))
    columns = {name: column[order] for name, column in columns.items()}
    columns["communicator"] = _by_first_use(columns["rank"], columns["communicator"])
    return columns


def _received(analysis: Analysis) -> dict[str, np.ndarray]:
    """The messages that the program's own calls have received."""
    events, receives = analysis.events, analysis.matching.receives
    chosen = np.flatnonzero(receives.is_complete & (receives.tag != ANY))
    event, completion = receives.event[chosen], receives.completion[chosen]
    source, tag = receives.source[chosen].astype(np.int64), receives.tag[chosen].astype(np.int64)
    flags = events.flags[event]
    is_any_source = (events.source[event] == ANY) | ((flags & ANY_SOURCE_FLAG) != 0)
    is_any_tag = ((events.tag[event] == ANY) & (events.kind[event] != Kind.SEND_RECEIVE)) | (
        (flags & ANY_TAG_FLAG) != 0
    )
    return {
        "rank": events.rank[event],
        "communicator": events.communicator[event],
        "source": source,
        "tag": tag,
        "bytes": receives.bytes[chosen],
        "posted_source": np.where(is_any_source, _UNKNOWN_VALUE, source),
        "posted_tag": np.where(is_any_tag, _UNKNOWN_VALUE, tag),
        "posted_bytes": _room_bytes(analysis, event),
        "posted_ns": events.enter_ns[event],
        "arrival_ns": events.leave_ns[completion],
        "was_there": ((events.flags[completion] & WAS_THERE_FLAG) != 0)
        | _sent_before(analysis, event, chosen),
        "in_collective": np.zeros(len(event), bool),
    }


def _room_bytes(analysis: Analysis, event: np.ndarray) -> np.ndarray:
    """What the buffers of receives hold. The event of a blocking one that has returned tells it in
    place of a request."""
    events = analysis.events
    is_posted = has_kind(events.kind[event], Kind.IRECEIVE, Kind.STARTED)
    room = events.request[event]
    of_blocking = np.where(room < ROOM_BYTES_MOST, room, _UNKNOWN_VALUE)
    return np.where(is_posted, events.received_bytes[event], of_blocking)


def _inside_collectives(analysis: Analysis) -> dict[str, np.ndarray]:
    """The messages of collectives that Tasuki carried out. Their receives have no wildcards and no
    more room than is needed, because the schedule of the collective says what comes."""
    events = analysis.events
    event = np.flatnonzero(events.kind == Kind.COLLECTIVE_MESSAGE)
    source = events.source[event].astype(np.int64)
    tag = np.zeros(len(event), np.int64)
    return {
        "rank": events.rank[event],
        "communicator": events.communicator[event],
        "source": source,
        "tag": tag,
        "bytes": events.received_bytes[event],
        "posted_source": source,
        "posted_tag": tag,
        "posted_bytes": events.received_bytes[event],
        "posted_ns": events.enter_ns[event],
        "arrival_ns": events.leave_ns[event],
        "was_there": np.zeros(len(event), bool),  # Not known.
        "in_collective": np.ones(len(event), bool),
    }


def _by_runtime(analysis: Analysis) -> dict[str, np.ndarray]:
    """The messages of Tasuki's runtime. No receive is posted for them, so nothing of them is known
    beforehand. What a rank waits for while it is idle is any message."""
    events = analysis.events
    event = np.flatnonzero(has_kind(events.kind, Kind.CALLED, Kind.RECEIVED))
    was_there = (events.flags[event] & WAS_THERE_FLAG) != 0
    # The last idle time before a message that was waited for is the one that it has ended.
    places = np.where(events.kind == Kind.IDLE, np.arange(len(events)), 0)
    idle = np.maximum.accumulate(places)[event]
    unknown = np.full(len(event), _UNKNOWN_VALUE)
    arrival_ns = events.enter_ns[event]
    return {
        "rank": events.rank[event],
        "communicator": np.zeros(len(event), np.int64),
        "source": events.source[event].astype(np.int64),
        "tag": events.function[event].astype(np.int64),
        "bytes": events.received_bytes[event],
        "posted_source": unknown,
        "posted_tag": unknown,
        "posted_bytes": unknown,
        "posted_ns": np.where(was_there, arrival_ns, events.enter_ns[idle]),
        "arrival_ns": arrival_ns,
        "was_there": was_there,
        "in_collective": np.zeros(len(event), bool),
    }


def _sent_before(analysis: Analysis, event: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Had the send ended when the call began that completed the receive?"""
    events, messages = analysis.events, analysis.matching.messages
    sent_ns = np.full(len(events), np.iinfo(np.int64).max)
    known = messages.receive != UNKNOWN
    sent_ns[messages.receive[known]] = events.leave_ns[messages.send[known]]
    end = analysis.matching.receives.end[chosen]
    return sent_ns[event] <= events.enter_ns[end]


def _by_first_use(rank: np.ndarray, communicator: np.ndarray) -> np.ndarray:
    """Of each rank the communicators by the order in which it first receives on them."""
    pairs = rank.astype(np.int64) << 32 | communicator
    used, first, place = np.unique(pairs, return_index=True, return_inverse=True)
    numbers = np.empty(len(used), np.int64)
    counts: dict[int, int] = {}
    for index in np.argsort(first):
        owner = int(used[index] >> 32)
        numbers[index] = counts.get(owner, 0)
        counts[owner] = counts.get(owner, 0) + 1
    return numbers[place]
