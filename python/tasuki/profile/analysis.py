"""What the events of a job amount to: sums by rank, function, call site, size, pair and region."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from tasuki.profile.call_sites import SiteName, named_sites
from tasuki.profile.event_file import NO_CALLS, Kind, has_kind
from tasuki.profile.job_events import JobEvents
from tasuki.profile.messages import MessageMatching
from tasuki.profile.numbered import numbered
from tasuki.profile.waiting import Waiting

SENDS = (Kind.SEND, Kind.ISEND, Kind.SEND_RECEIVE)
RECEIVES = (Kind.RECEIVE, Kind.IRECEIVE, Kind.SEND_RECEIVE)
COLLECTIVES = (Kind.COLLECTIVE, Kind.ICOLLECTIVE)
SIZE_CLASSES = 65  # Class 0 is of empty messages, class n of 2^(n-1) bytes and more.
NS_PER_S = 1e9


class Totals(NamedTuple):
    """Sums over calls. What is neither waiting nor computing is transferring."""

    calls: int
    seconds: float
    late_sender_s: float
    late_receiver_s: float
    skew_s: float
    sent_bytes: int
    received_bytes: int

    @property
    def waiting_s(self) -> float:
        return self.late_sender_s + self.late_receiver_s + self.skew_s

    @property
    def transferring_s(self) -> float:
        return self.seconds - self.waiting_s

    def plus(self, other: "Totals") -> "Totals":
        return Totals(*(one + two for one, two in zip(self, other, strict=True)))


NO_CALLS_AT_ALL = Totals(0, 0.0, 0.0, 0.0, 0.0, 0, 0)


class RankTotals(NamedTuple):
    """One rank: from its start to its end, or now. `mpi` has the calls of its first thread; other
    threads' calls are in `functions` alone, as they may take place at the same time."""

    rank: int
    host: str
    state: str
    span_s: float
    mpi: Totals
    sends: int
    receives: int
    probes: int
    tests: int
    waits: int
    collectives: int
    sent_bytes: int

    @property
    def computing_s(self) -> float:
        return max(0.0, self.span_s - self.mpi.seconds)

    @property
    def average_bytes(self) -> float:
        """Of what a sending or collective call sends."""
        return self.sent_bytes / max(1, self.sends + self.collectives)


class Region(NamedTuple):
    """What a rank did between MPI_Pcontrol(level) and its next MPI_Pcontrol, all times taken
    together. `mpi` has the calls that began there."""

    rank: int
    level: int
    times: int
    seconds: float
    mpi: Totals


class RegionSpan(NamedTuple):
    """One time in a region: `events` are those that began there."""

    rank: int
    level: int
    events: slice
    begin_ns: int
    end_ns: int


class Pair(NamedTuple):
    source: int
    destination: int
    messages: int
    bytes: int


class SizeClass(NamedTuple):
    """Messages and calls of collectives by what they send: from `least_bytes` to below the double
    (0: nothing)."""

    least_bytes: int
    messages: int
    collectives: int


class Analysis:
    """All sums of a job; those that are asked for are computed then.

    Calls for which the event file had no room are in `functions` alone (`missing_count`).
    """

    def __init__(self, events: JobEvents) -> None:
        self.events = events
        self.matching = MessageMatching(events)
        self.waiting = Waiting(events, self.matching)
        self._received_bytes = _received_bytes(events, self.matching)
        self.missing_count = sum(one.missing_count for one in events.files)

    @cached_property
    def site_names(self) -> list[SiteName]:
        return named_sites(self.events.sites)

    @cached_property
    def ranks(self) -> list[RankTotals]:
        return [self._rank(index) for index in range(len(self.events.files))]

    @cached_property
    def functions(self) -> dict[tuple[int, int], Totals]:
        """By rank and number of the function."""
        events = self.events
        found = self._by_rank(events.function.astype(np.int64))
        for file in events.files:
            for name, row in zip(file.function_names, file.functions, strict=True):
                if row["calls"] and row["kind"] not in NO_CALLS:
                    key = (file.rank, events.function_number(name, int(row["kind"])))
                    clock = events.clocks[file.host]
                    seconds = float(row["ticks"]) * clock.ns_per_tick / NS_PER_S
                    sizes = int(row["sent_bytes"]), int(row["received_bytes"])
                    more = Totals(int(row["calls"]), seconds, 0.0, 0.0, 0.0, *sizes)
                    found[key] = found.get(key, NO_CALLS_AT_ALL).plus(more)
        return found

    @cached_property
    def sites(self) -> dict[tuple[int, int, int], Totals]:
        """By rank, number of the function and number of the site."""
        events = self.events
        site_count = max(1, len(events.sites))
        keys = events.function.astype(np.int64) * site_count + events.site
        return {
            (rank, key // site_count, key % site_count): totals
            for (rank, key), totals in self._by_rank(keys).items()
        }

    @cached_property
    def pairs(self) -> list[Pair]:
        events, send = self.events, self.matching.messages.send
        count = max(1, events.rank_count)
        keys = events.rank[send].astype(np.int64) * count + events.destination[send]
        used, place = numbered(keys)
        messages = np.bincount(place, minlength=len(used))
        sizes = np.bincount(place, weights=events.sent_bytes[send], minlength=len(used))
        return [
            Pair(int(key) // count, int(key) % count, int(number), int(size))
            for key, number, size in zip(used, messages, sizes, strict=True)
        ]

    @cached_property
    def sizes(self) -> list[SizeClass]:
        events = self.events
        sent = self._size_classes(self.matching.messages.send)
        collective = self._size_classes(np.flatnonzero(has_kind(events.kind, *COLLECTIVES)))
        return [
            SizeClass(0 if index == 0 else 1 << (index - 1), int(sent[index]), int(number))
            for index, number in enumerate(collective)
            if sent[index] or number
        ]

    @cached_property
    def region_spans(self) -> list[RegionSpan]:
        return [one for index in range(len(self.events.files)) for one in self._spans(index)]

    @cached_property
    def regions(self) -> list[Region]:
        """By rank and level."""
        spans: dict[tuple[int, int], list[RegionSpan]] = {}
        for one in self.region_spans:
            spans.setdefault((one.rank, one.level), []).append(one)
        return [
            Region(
                rank,
                level,
                len(own),
                sum(one.end_ns - one.begin_ns for one in own) / NS_PER_S,
                self._calls_in(own),
            )
            for (rank, level), own in spans.items()
        ]

    def _size_classes(self, chosen: np.ndarray) -> np.ndarray:
        # frexp(2^n) is (0.5, n + 1), and that of 0 (0, 0).
        exponents = np.frexp(self.events.sent_bytes[chosen].astype(np.float64))[1]
        return np.bincount(exponents, minlength=SIZE_CLASSES)

    def _by_rank(self, keys: np.ndarray) -> dict[tuple[int, int], Totals]:
        found = {}
        for index, file in enumerate(self.events.files):
            calls = self._calls_of(index)
            for key, totals in self._sums(calls, keys[calls]).items():
                found[file.rank, key] = totals
        return found

    def _calls_of(self, index: int) -> np.ndarray:
        chosen = self.events.rank_slice(index)
        return chosen.start + np.flatnonzero(self.events.is_call[chosen])

    def _sums(self, calls: np.ndarray, keys: np.ndarray) -> dict[int, Totals]:
        """By key the sums of the calls."""
        used, place = numbered(keys)
        columns = [np.bincount(place, minlength=len(used))]
        events, waiting = self.events, self.waiting
        for values, unit in (
            (events.leave_ns[calls] - events.enter_ns[calls], NS_PER_S),
            (waiting.late_sender[calls], NS_PER_S),
            (waiting.late_receiver[calls], NS_PER_S),
            (waiting.skew[calls], NS_PER_S),
            (events.sent_bytes[calls], None),
            (self._received_bytes[calls], None),
        ):
            sums = np.bincount(place, weights=values, minlength=len(used))
            columns.append(sums.astype(np.int64) if unit is None else sums / unit)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return {int(key): Totals(*row) for key, row in zip(used, rows, strict=True)}

    def _rank(self, index: int) -> RankTotals:
        events, file = self.events, self.events.files[index]
        chosen = events.rank_slice(index)
        first = self._calls_of(index)
        first = first[events.thread[first] == 0]
        totals = self._sums(first, np.zeros(len(first), np.int64)).get(0, NO_CALLS_AT_ALL)
        calls = np.bincount(events.kind[chosen], minlength=len(Kind))

        def count(*kinds: Kind) -> int:
            return int(sum(calls[kind] for kind in kinds))

        own = [one for (rank, _), one in self.functions.items() if rank == file.rank]
        return RankTotals(
            rank=file.rank,
            host=file.host,
            state=file.state.name.lower(),
            span_s=(events.rank_end_ns(index) - events.start_ns[index]) / NS_PER_S,
            mpi=totals,
            sends=count(*SENDS) + self._started(chosen, is_sending=True),
            receives=count(*RECEIVES) + self._started(chosen, is_sending=False),
            probes=count(Kind.PROBE),
            tests=count(Kind.TEST),
            waits=count(Kind.WAIT),
            collectives=count(*COLLECTIVES),
            sent_bytes=sum(one.sent_bytes for one in own) + self._started_bytes(chosen),
        )

    def _started(self, chosen: slice, is_sending: bool) -> int:
        """Of persistent requests each start is a send or a receive."""
        events = self.events
        started = events.kind[chosen] == Kind.STARTED
        return int((started & ((events.destination[chosen] >= 0) == is_sending)).sum())

    def _started_bytes(self, chosen: slice) -> int:
        events = self.events
        started = events.kind[chosen] == Kind.STARTED
        return int(events.sent_bytes[chosen][started].sum())

    def _spans(self, index: int) -> list[RegionSpan]:
        events, chosen = self.events, self.events.rank_slice(index)
        borders = chosen.start + np.flatnonzero(events.kind[chosen] == Kind.REGION)
        ends = np.append(borders[1:], chosen.stop)
        end_ns = np.append(events.enter_ns[borders[1:]], events.rank_end_ns(index))
        return [
            RegionSpan(
                events.files[index].rank,
                int(events.tag[border]),
                slice(int(border) + 1, int(end)),
                int(events.leave_ns[border]),
                int(until_ns),
            )
            for border, end, until_ns in zip(borders, ends, end_ns, strict=False)
            if events.tag[border] > 0
        ]

    def _calls_in(self, spans: list[RegionSpan]) -> Totals:
        """The sums of the calls of the first thread that began there."""
        events = self.events
        indices = np.concatenate([np.arange(one.events.start, one.events.stop) for one in spans])
        is_first = events.is_call[indices] & (events.thread[indices] == 0)
        chosen = indices[is_first]
        return self._sums(chosen, np.zeros(len(chosen), np.int64)).get(0, NO_CALLS_AT_ALL)


def _received_bytes(events: JobEvents, matching: MessageMatching) -> np.ndarray:
    """By event what was received, where the event of a posted receive has the room for it."""
    receives, found = matching.receives, events.received_bytes.copy()
    found[events.kind == Kind.IRECEIVE] = 0
    found[receives.event] = np.where(receives.is_complete, receives.bytes, 0)
    return found
