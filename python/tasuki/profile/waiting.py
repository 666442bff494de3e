"""How long each call waited for another rank, and for what.

The three kinds are those of Scalasca's wait-state analysis: Late Sender, Late Receiver, and Wait at
N x N (Geimer, Wolf, Wylie, Becker, Mohr: The Scalasca performance toolset architecture, Concurrency
and Computation 22, 2010).
"""

from typing import NamedTuple

import numpy as np

from tasuki.profile.event_file import ANY, Kind, has_kind
from tasuki.profile.job_events import JobEvents, is_send
from tasuki.profile.messages import UNKNOWN, MessageMatching, ordinal_in_group
from tasuki.profile.numbered import numbered


class Collectives(NamedTuple):
    """Columns with one entry for each call of a collective that a rank has begun: its event, the
    number of the operation that its communicator's ranks carry out together, how many of them have
    entered it, how many should, and when the last one did."""

    event: np.ndarray
    operation: np.ndarray
    entered_count: np.ndarray
    member_count: np.ndarray
    last_enter_ns: np.ndarray

    @property
    def is_complete(self) -> np.ndarray:
        return self.entered_count >= self.member_count


class Waiting:
    """By event the nanoseconds of `late_sender`, `late_receiver` and `skew`; 0 for most.

    - late sender: a receive, or the wait for it, began before the message was sent;
    - late receiver: a send, or the wait for it, began before the receive was posted, and ended
      later than that. (A send that ended before did not wait: the message was buffered.)
    - skew: a rank entered a collective before the last one of its communicator.

    A call that waits for several of them has only the longest, which is no longer than the call.
    """

    def __init__(self, events: JobEvents, matching: MessageMatching) -> None:
        self._events = events
        self.late_sender = np.zeros(len(events), np.int64)
        self.late_receiver = np.zeros(len(events), np.int64)
        self.skew = np.zeros(len(events), np.int64)
        self._note_messages(matching)
        self._note_probes(matching)
        self._note_unmatched(matching)
        self._note_open_waits(matching)
        self.collectives = collectives_of(events)
        self._note_collectives()
        self.total = np.maximum(np.maximum(self.late_sender, self.late_receiver), self.skew)
        self._keep_longest()

    def _keep_longest(self) -> None:
        """All waiting of a call begins with it, so that what is shorter lies within the longest."""
        self.late_receiver[self.late_receiver < self.total] = 0
        self.late_sender[self.late_sender < self.total] = 0
        # Of two that are equally long, one counts.
        self.late_receiver[self.late_sender > 0] = 0

    def _note_messages(self, matching: MessageMatching) -> None:
        events, messages = self._events, matching.messages
        is_received = messages.receive != UNKNOWN
        chosen = is_received & (messages.receive_end != UNKNOWN)
        begin_ns = events.enter_ns[messages.send[chosen]]
        self._wait_until(self.late_sender, messages.receive_end[chosen], begin_ns)
        chosen = is_received & (messages.send_end != UNKNOWN)
        ends = messages.send_end[chosen]
        post_ns = events.enter_ns[messages.receive[chosen]]
        in_time = post_ns < events.leave_ns[ends]
        self._wait_until(self.late_receiver, ends[in_time], post_ns[in_time])

    def _note_probes(self, matching: MessageMatching) -> None:
        events = self._events
        is_found = (events.source >= 0) & (events.received_tag != ANY) & ~events.is_open
        probes = np.flatnonzero((events.kind == Kind.PROBE) & is_found)
        message = matching.probed(probes)
        probes, message = probes[message != UNKNOWN], message[message != UNKNOWN]
        begin_ns = events.enter_ns[matching.messages.send[message]]
        self._wait_until(self.late_sender, probes, begin_ns)

    def _note_open_waits(self, matching: MessageMatching) -> None:
        """Waits in progress wait for those requests whose other side has not begun, or did late."""
        events, messages = self._events, matching.messages
        for wait in np.flatnonzero(events.is_open & has_kind(events.kind, Kind.WAIT)).tolist():
            starts = matching.awaited(wait)
            is_sending = is_send(events.kind[starts], events.destination[starts])
            for column, own, of_own, of_other in (
                (self.late_sender, starts[~is_sending], messages.receive, messages.send),
                (self.late_receiver, starts[is_sending], messages.send, messages.receive),
            ):
                others = of_other[np.isin(of_own, own) & (of_other != UNKNOWN)]
                is_late = len(others) < len(own)
                begun_ns = events.leave_ns[[wait]] if is_late else events.enter_ns[others]
                self._wait_until(column, np.full(len(begun_ns), wait), begun_ns)

    def _note_unmatched(self, matching: MessageMatching) -> None:
        """Calls in progress whose other side has not begun wait as long as they take."""
        events, messages, receives = self._events, matching.messages, matching.receives
        matched = np.zeros(len(events), bool)
        matched[messages.receive[messages.receive != UNKNOWN]] = True
        waiting = receives.event[~receives.is_complete & (receives.end != UNKNOWN)]
        waiting = waiting[~matched[waiting]]
        self._wait_until(self.late_sender, waiting, events.leave_ns[waiting])
        sends = messages.send[messages.receive == UNKNOWN]
        sends = sends[events.is_open[sends] & (events.kind[sends] == Kind.SEND)]
        self._wait_until(self.late_receiver, sends, events.leave_ns[sends])

    def _note_collectives(self) -> None:
        found, events = self.collectives, self._events
        until = np.where(found.is_complete, found.last_enter_ns, events.leave_ns[found.event])
        self._wait_until(self.skew, found.event, until)

    def _wait_until(self, column: np.ndarray, calls: np.ndarray, until_ns: np.ndarray) -> None:
        """A call that waits for several waits for the last of them."""
        events = self._events
        waited = np.minimum(until_ns, events.leave_ns[calls]) - events.enter_ns[calls]
        some = waited > 0
        np.maximum.at(column, calls[some], waited[some])


def collectives_of(events: JobEvents, kind: Kind = Kind.COLLECTIVE) -> Collectives:
    """Those of the kind, blocking or not.

    All ranks of a communicator call its collectives in one order (MPI 4.1, section 6.14), so that
    the n-th call of each belongs to the same operation.
    """
    event = np.flatnonzero((events.kind == kind) & (events.communicator >= 0))
    communicator = events.communicator[event].astype(np.int64)
    by_rank = communicator * (events.rank_count + 1) + events.rank[event]
    order = np.argsort(by_rank, kind="stable")
    ordinal = np.empty(len(event), np.int64)
    ordinal[order] = ordinal_in_group(by_rank[order])
    operations, operation = numbered(communicator * (int(ordinal.max(initial=0)) + 1) + ordinal)
    last_enter_ns = np.zeros(len(operations), np.int64)
    np.maximum.at(last_enter_ns, operation, events.enter_ns[event])
    entered_count = np.bincount(operation, minlength=len(operations))
    member_count = np.array([one.member_count for one in events.communicators] or [0])
    return Collectives(
        event,
        operation,
        entered_count[operation],
        member_count[communicator],
        last_enter_ns[operation],
    )
