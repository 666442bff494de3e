"""What the events of a program of Tasuki's runtime amount to, beside what all programs have."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from tasuki.profile.analysis import COLLECTIVES, NS_PER_S, Analysis
from tasuki.profile.event_file import Kind, has_kind


class RankLoad(NamedTuple):
    """What one rank did. The functions that others have called take `called_s` without their
    waiting. `main_s` is what the main function computes, `collectives_s` what it is in collectives;
    functions may run meanwhile. While it is idle nothing can run."""

    rank: int
    span_s: float
    main_s: float
    collectives_s: float
    called_s: float
    idle_s: float
    called: int
    messages: int
    sent_bytes: int


class CalledFunction(NamedTuple):
    """A function that ranks have called on others: `busy_s` is without its waiting."""

    name: str
    calls: int
    seconds: float
    busy_s: float
    received_bytes: int


class FiberWait(NamedTuple):
    """What fibers waited for."""

    name: str
    times: int
    seconds: float
    longest_s: float


class RuntimeTotals:
    """Sums over the events of a job, those of the longest time first."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._events = analysis.events
        self._duration_ns = self._events.leave_ns - self._events.enter_ns

    @cached_property
    def _busy_ns(self) -> np.ndarray:
        """By event of a called function its time without the waits within it."""
        events = self._events
        busy_ns = self._duration_ns.copy()
        called = events.kind == Kind.CALLED
        within = (events.thread > 0) & has_kind(events.kind, Kind.WAIT, *COLLECTIVES)
        # Calls on one thread follow each other, and waits lie within them.
        chosen = np.flatnonzero(called | within)
        lanes = events.rank[chosen].astype(np.int64) << 32 | events.thread[chosen]
        chosen = chosen[np.lexsort((chosen, lanes))]
        places = np.maximum.accumulate(np.where(called[chosen], np.arange(len(chosen)), 0))
        waits = within[chosen]
        np.subtract.at(busy_ns, chosen[places[waits]], self._duration_ns[chosen[waits]])
        return busy_ns

    @cached_property
    def loads(self) -> list[RankLoad]:
        events, analysis = self._events, self._analysis
        loads = []
        for index, totals in enumerate(analysis.ranks):
            own = events.rank_slice(index)
            kind, duration_ns = events.kind[own], self._duration_ns[own]
            called = kind == Kind.CALLED
            in_main = has_kind(kind, *COLLECTIVES) & (events.thread[own] == 0)
            loads.append(
                RankLoad(
                    totals.rank,
                    totals.span_s,
                    totals.computing_s,
                    duration_ns[in_main].sum() / NS_PER_S,
                    self._busy_ns[own][called].sum() / NS_PER_S,
                    duration_ns[kind == Kind.IDLE].sum() / NS_PER_S,
                    int(called.sum()),
                    int((kind == Kind.SEND).sum()),
                    int(events.sent_bytes[own][kind == Kind.SEND].sum()),
                )
            )
        return loads

    @cached_property
    def called(self) -> list[CalledFunction]:
        events = self._events
        found = []
        for function, calls in self._by_function(Kind.CALLED):
            sizes = events.received_bytes[calls]
            seconds, busy_s = (
                column[calls].sum() / NS_PER_S for column in (self._duration_ns, self._busy_ns)
            )
            name = events.function_names[function]
            found.append(CalledFunction(name, len(calls), seconds, busy_s, int(sizes.sum())))
        return sorted(found, key=lambda one: -one.seconds)

    @cached_property
    def waits(self) -> list[FiberWait]:
        found = []
        for function, waits in self._by_function(Kind.WAIT):
            times_s = self._duration_ns[waits] / NS_PER_S
            name = self._events.function_names[function]
            found.append(FiberWait(name, len(waits), times_s.sum(), times_s.max()))
        return sorted(found, key=lambda one: -one.seconds)

    def _by_function(self, *kinds: Kind) -> list[tuple[int, np.ndarray]]:
        """By number of the function its events, if there are any."""
        events = self._events
        chosen = np.flatnonzero(has_kind(events.kind, *kinds))
        order = chosen[np.argsort(events.function[chosen], kind="stable")]
        functions, starts = np.unique(events.function[order], return_index=True)
        return list(zip(functions.tolist(), np.split(order, starts[1:]), strict=False))
