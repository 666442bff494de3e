"""What each rank did over time, in as much detail as a page can hold: shares of equal columns of
time, and the longest calls one by one."""

from typing import NamedTuple

import numpy as np

from tasuki.profile.analysis import COLLECTIVES, Analysis
from tasuki.profile.event_file import Kind, has_kind

# What the time of a rank is divided into; the rest is computing.
CATEGORIES = (
    "late sender",
    "late receiver",
    "skew",
    "messages",
    "collectives",
    "other MPI",
)
# The same of Tasuki's runtime, for its main function.
RUNTIME_CATEGORIES = (*CATEGORIES[:3], "waiting fiber", "collectives", "other calls")
_MESSAGES, _COLLECTIVES, _OTHER = 3, 4, 5
_MESSAGE_KINDS = (
    Kind.SEND,
    Kind.ISEND,
    Kind.RECEIVE,
    Kind.IRECEIVE,
    Kind.WAIT,
    Kind.TEST,
    Kind.PROBE,
    Kind.START,
    Kind.SEND_RECEIVE,
)
# These bound the size of a page: 3 MB of shares and 3 MB of calls, whatever the job.
SHARES_MOST = 1 << 21
CALLS_MOST = 40_000
ROWS_MOST = 512
COLUMNS_LEAST, COLUMNS_MOST = 512, 16384
FULL_SHARE = 255


class TimeLine(NamedTuple):
    """`shares[row, category, column]`, of FULL_SHARE. A row has `rank_group` ranks, a column
    `column_ns`. `calls` are the events that are told one by one, `call_count` all there are."""

    shares: np.ndarray
    rank_group: int
    column_ns: float
    calls: np.ndarray
    call_count: int


def time_line_of(analysis: Analysis) -> TimeLine:
    """Of the first thread of each rank: what others do at the same time would hide it."""
    events = analysis.events
    rank_count = max(1, events.rank_count)
    rank_group = -(-rank_count // ROWS_MOST)
    row_count = -(-rank_count // rank_group)
    room = SHARES_MOST // (row_count * len(CATEGORIES))
    column_count = min(COLUMNS_MOST, max(COLUMNS_LEAST, room))
    edges = np.linspace(0, max(1, events.end_ns), column_count + 1)
    sums = np.zeros((row_count, len(CATEGORIES), column_count))
    first = events.is_call & (events.thread == 0)
    for index, file in enumerate(events.files):
        chosen = events.rank_slice(index)
        calls = chosen.start + np.flatnonzero(first[chosen])
        sums[file.rank // rank_group] += _covered_ns(analysis, calls, edges)
    column_ns = float(edges[1] - edges[0])
    shares = np.minimum(sums / (column_ns * rank_group), 1.0) * FULL_SHARE
    return TimeLine(
        np.rint(shares).astype(np.uint8),
        rank_group,
        column_ns,
        _longest(analysis, np.flatnonzero(first)),
        int(first.sum()),
    )


def categories_of(analysis: Analysis, calls: np.ndarray) -> np.ndarray:
    """Of what a call does while it does not wait."""
    kinds = analysis.events.kind[calls]
    found = np.full(len(calls), _OTHER)
    found[has_kind(kinds, *_MESSAGE_KINDS)] = _MESSAGES
    found[has_kind(kinds, *COLLECTIVES)] = _COLLECTIVES
    return found


def waits_of(analysis: Analysis, calls: np.ndarray) -> np.ndarray:
    """The category of what a call waits for most."""
    waiting = analysis.waiting
    columns = (waiting.late_sender, waiting.late_receiver, waiting.skew)
    return np.argmax([column[calls] for column in columns], axis=0)


def _covered_ns(analysis: Analysis, calls: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """By category and column how much of it the calls, in their order, cover."""
    events, waiting_ns = analysis.events, analysis.waiting.total[calls]
    enter_ns, leave_ns = events.enter_ns[calls], events.leave_ns[calls]
    begun_ns = enter_ns + waiting_ns  # Waiting comes first in a call.
    categories, waits = categories_of(analysis, calls), waits_of(analysis, calls)
    covered = np.zeros((len(CATEGORIES), len(edges) - 1))
    for category in range(len(CATEGORIES)):
        if category < _MESSAGES:
            chosen = (waits == category) & (waiting_ns > 0)
            begin, end = enter_ns[chosen], begun_ns[chosen]
        else:
            chosen = categories == category
            begin, end = begun_ns[chosen], leave_ns[chosen]
        covered[category] = np.diff(_covered_until(begin, end, edges))
    return covered


def _covered_until(begin: np.ndarray, end: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """For each edge the length of all intervals, which follow each other, before it."""
    whole = np.concatenate([[0], np.cumsum(end - begin)])
    count = np.searchsorted(begin, edges)
    last_end = np.concatenate([[0], end])[count]
    beyond = np.where(count > 0, np.maximum(last_end - edges, 0), 0)
    return whole[count] - beyond


def _longest(analysis: Analysis, calls: np.ndarray) -> np.ndarray:
    """The calls that take longest, in their order."""
    if len(calls) <= CALLS_MOST:
        return calls
    events = analysis.events
    durations = events.leave_ns[calls] - events.enter_ns[calls]
    longest = np.argpartition(durations, len(calls) - CALLS_MOST)[-CALLS_MOST:]
    return calls[np.sort(longest)]
