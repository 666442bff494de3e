"""Which send belongs to which receive: the messages of a job, and the calls that complete them.

MPI delivers messages of one communicator, source, destination and tag in the order in which they
were sent to receives in the order in which they were posted (MPI 4.1, section 3.5). So the n-th of
the one belongs to the n-th of the other.
"""

from typing import NamedTuple

import numpy as np

from tasuki.profile.event_file import ANY, Kind, has_kind
from tasuki.profile.job_events import JobEvents, is_send
from tasuki.profile.numbered import numbered

UNKNOWN = -1


class Messages(NamedTuple):
    """Columns with one entry for each message that was sent: numbers of events, or UNKNOWN.

    `send` begins the sending, `receive` is the receive or its posting, `send_end` and `receive_end`
    are the calls in which the two end: the blocking call itself, or the wait or test.
    """

    send: np.ndarray
    send_end: np.ndarray
    receive: np.ndarray
    receive_end: np.ndarray


class Receives(NamedTuple):
    """Columns with one entry for each receive: its event, the call in which it ends or UNKNOWN,
    source, tag and bytes of what was received (asked for, while nothing is), and whether it is
    complete."""

    event: np.ndarray
    end: np.ndarray
    source: np.ndarray
    tag: np.ndarray
    bytes: np.ndarray
    is_complete: np.ndarray
    completion: np.ndarray  # The event in which it became complete, or UNKNOWN.


class MessageMatching:
    """Receives and messages of a job, found when it is made."""

    def __init__(self, events: JobEvents) -> None:
        self._events = events
        self.completed = np.flatnonzero(events.kind == Kind.COMPLETED)
        self.containing = self._calls_around(self.completed)
        self.begun = np.flatnonzero(_begins_request(events))
        self.start_of_completed = self._starts_of(self.completed)
        self.completion = np.full(len(events), UNKNOWN, np.int64)  # By the starting event.
        known = self.start_of_completed != UNKNOWN
        self.completion[self.start_of_completed[known]] = np.flatnonzero(known)
        self.receives = self._receives()
        self.messages = self._match()

    def unfinished(self) -> np.ndarray:
        """The events whose requests are not complete."""
        return self.begun[self.completion[self.begun] == UNKNOWN]

    def probed(self, probes: np.ndarray) -> np.ndarray:
        """For each probe that found a message the number of this one, or UNKNOWN.

        It is the one that the rank's next receive from there with that tag takes.
        """
        events, receives = self._events, self.receives
        both = np.concatenate([receives.event, probes])
        keys = _Keys(
            events.communicator[both],
            np.concatenate([receives.source, events.source[probes]]),
            events.rank[both],
            np.concatenate([receives.tag, events.received_tag[probes]]),
        )
        places = numbered(keys.values)[1] * len(events) + both
        taken, wanted = np.split(places, [len(receives.event)])
        order = np.argsort(taken)
        following = np.searchsorted(taken, wanted, sorter=order)
        # Behind the last receive there is none.
        receive = np.append(receives.event[order], UNKNOWN)[following]
        place = np.append(taken[order], UNKNOWN)[following]
        is_same = place // len(events) == wanted // len(events)
        return np.where(is_same, self._message_of_receive()[receive], UNKNOWN)

    def _message_of_receive(self) -> np.ndarray:
        """By event the number of the message that it receives, or UNKNOWN."""
        numbers = np.full(len(self._events), UNKNOWN, np.int64)
        known = np.flatnonzero(self.messages.receive != UNKNOWN)
        numbers[self.messages.receive[known]] = known
        return numbers

    def awaited(self, wait: int) -> np.ndarray:
        """The events that began the unfinished requests for which a wait in progress waits."""
        events, unfinished = self._events, self.unfinished()
        mine = unfinished[(events.rank[unfinished] == events.rank[wait]) & (unfinished < wait)]
        # Of several requests the event does not tell all numbers.
        is_one = events.function_names[events.function[wait]] == "MPI_Wait"
        return mine[events.request[mine] == events.request[wait]] if is_one else mine

    def _calls_around(self, indices: np.ndarray) -> np.ndarray:
        """By event the call of the same rank and thread during which it was recorded."""
        events = self._events
        is_call = events.is_call
        numbers = np.where(is_call, np.arange(len(events)), UNKNOWN)
        if not events.thread.any():
            return np.maximum.accumulate(numbers)[indices] if len(indices) else indices
        lanes = events.rank.astype(np.int64) << 32 | events.thread
        order = np.argsort(lanes, kind="stable")
        around = np.empty(len(events), np.int64)
        # Not a maximum: in this order the numbers of a later lane may be lower.
        places = np.maximum.accumulate(np.where(is_call[order], np.arange(len(order)), 0))
        around[order] = order[places]
        return around[indices]

    def _starts_of(self, completed: np.ndarray) -> np.ndarray:
        """For each completion the last event before it that began the same request."""
        events = self._events
        if not len(completed) or not len(self.begun):
            return np.full(len(completed), UNKNOWN, np.int64)
        started = self.begun
        both = np.concatenate([started, completed])
        request_count = int(events.request[both].max()) + 1

        def request_of(indices: np.ndarray) -> np.ndarray:
            return events.rank[indices].astype(np.int64) * request_count + events.request[indices]

        requests, dense = numbered(request_of(started))
        order = np.argsort(dense, kind="stable")
        places = dense[order] * len(events) + started[order]
        wanted_request = np.searchsorted(requests, request_of(completed))
        wanted = wanted_request * len(events) + completed
        found = np.searchsorted(places, wanted) - 1
        starts = started[order[np.maximum(found, 0)]]
        is_same = (found >= 0) & (request_of(starts) == request_of(completed))
        return np.where(is_same, starts, UNKNOWN)

    def _receives(self) -> Receives:
        events = self._events
        blocking = has_kind(events.kind, Kind.RECEIVE, Kind.SEND_RECEIVE) & (events.source != -1)
        posted = (events.kind == Kind.IRECEIVE) | (
            (events.kind == Kind.STARTED) & (events.destination < 0)
        )
        event = np.flatnonzero(blocking | (posted & (events.source != -1)))
        is_blocking = blocking[event]
        completion = np.where(is_blocking, UNKNOWN, self.completion[event])
        is_complete = np.where(is_blocking, ~events.is_open[event], completion != UNKNOWN)
        end = np.where(is_blocking, event, UNKNOWN)
        by_wait = completion != UNKNOWN
        end[by_wait] = self.containing[completion[by_wait]]
        # What says what was received: the call itself, or the completion.
        teller = event.copy()
        teller[by_wait] = self.completed[completion[by_wait]]
        tag = np.where(is_complete, events.received_tag[teller], events.tag[event])
        found = Receives(
            event,
            end,
            events.source[teller],
            tag,
            events.received_bytes[teller],
            is_complete,
            np.where(by_wait, teller, np.where(is_complete, event, UNKNOWN)),
        )
        # A cancelled receive completes without a source.
        return Receives(*(column[found.source != -1] for column in found))

    def _match(self) -> Messages:
        events, receives = self._events, self.receives
        send = np.flatnonzero(is_send(events.kind, events.destination))
        known = (receives.source >= 0) & (receives.tag != ANY)
        chosen = np.flatnonzero(known)
        keys = _Keys(
            events.communicator[np.concatenate([send, receives.event[chosen]])],
            np.concatenate([events.rank[send], receives.source[chosen]]),
            np.concatenate([events.destination[send], events.rank[receives.event[chosen]]]),
            np.concatenate([events.tag[send], receives.tag[chosen]]),
        )
        partner = _same_place(keys.values[: len(send)], keys.values[len(send) :])
        has_partner = partner != UNKNOWN
        receive = np.full(len(send), UNKNOWN, np.int64)
        receive_end = np.full(len(send), UNKNOWN, np.int64)
        receive[has_partner] = receives.event[chosen[partner[has_partner]]]
        receive_end[has_partner] = receives.end[chosen[partner[has_partner]]]
        send_end = send.copy()
        by_wait = has_kind(events.kind[send], Kind.ISEND, Kind.STARTED)
        completion = self.completion[send]
        send_end[by_wait] = UNKNOWN
        ended = by_wait & (completion != UNKNOWN)
        send_end[ended] = self.containing[completion[ended]]
        return Messages(send, send_end, receive, receive_end)


class _Keys:
    """One number for each combination of communicator, source, destination and tag."""

    def __init__(
        self,
        communicator: np.ndarray,
        source: np.ndarray,
        destination: np.ndarray,
        tag: np.ndarray,
    ) -> None:
        # Some MPIs' own tags are negative.
        tags, tag_index = numbered(tag.astype(np.int64) - int(tag.min(initial=0)))
        ranks = int(max(source.max(initial=0), destination.max(initial=0))) + 1
        values = communicator.astype(np.int64) + 1
        for column, count in ((source, ranks), (destination, ranks), (tag_index, len(tags))):
            values = values * count + column
        self.values = values


def _same_place(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """For each of `first` the index in `second` of the n-th with the same value, if it is the n-th
    with it itself, or UNKNOWN."""
    first_order = np.argsort(first, kind="stable")
    second_order = np.argsort(second, kind="stable")
    first_sorted, second_sorted = first[first_order], second[second_order]
    begin = np.searchsorted(second_sorted, first_sorted)
    end = np.searchsorted(second_sorted, first_sorted, side="right")
    place = begin + ordinal_in_group(first_sorted)
    found = np.full(len(first), UNKNOWN, np.int64)
    exists = place < end
    found[first_order[exists]] = second_order[place[exists]]
    return found


def ordinal_in_group(sorted_values: np.ndarray) -> np.ndarray:
    """For each of the sorted values how many equal ones come before it."""
    if not len(sorted_values):
        return np.zeros(0, np.int64)
    is_first = np.concatenate([[True], sorted_values[1:] != sorted_values[:-1]])
    starts = np.flatnonzero(is_first)
    lengths = np.diff(np.concatenate([starts, [len(sorted_values)]]))
    return np.arange(len(sorted_values)) - np.repeat(starts, lengths)


def _begins_request(events: JobEvents) -> np.ndarray:
    kinds = (Kind.ISEND, Kind.IRECEIVE, Kind.ICOLLECTIVE, Kind.STARTED)
    return has_kind(events.kind, *kinds) & (events.request > 0)
