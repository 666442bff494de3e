"""The collectives of a job by size and by the algorithm that carried them out, and what another
profile of the same program took for them."""

from typing import NamedTuple

import numpy as np

from tasuki.profile.analysis import COLLECTIVES, NS_PER_S, Analysis
from tasuki.profile.event_file import NONE, has_kind
from tasuki.profile.library_settings import LibrarySettings
from tasuki.profile.numbered import numbered


class CollectiveTotals(NamedTuple):
    """The calls, on all ranks, of one collective with one algorithm, for sizes from `least_bytes`
    to below the double. Of the seconds, `skew_s` was waiting for ranks to enter; `call_s` is what a
    call takes without it (the median)."""

    function: str
    algorithm: str
    least_bytes: int
    calls: int
    seconds: float
    skew_s: float
    call_s: float
    sent_bytes: int


class Saving(NamedTuple):
    """What calls take in another run, by the algorithm of most of them there; None where it has no
    such calls."""

    before: CollectiveTotals
    algorithm: str | None
    call_s: float | None

    @property
    def saved_s(self) -> float | None:
        if self.call_s is None:
            return None
        return (self.before.call_s - self.call_s) * self.before.calls


def collective_totals(analysis: Analysis) -> list[CollectiveTotals]:
    """Those of the longest time first.

    A size is the smaller of what a call sends and receives, if it does both: a rank's block.
    """
    events = analysis.events
    library = LibrarySettings.beside(file.path for file in events.files)
    calls = np.flatnonzero(has_kind(events.kind, *COLLECTIVES))
    sent, received = events.sent_bytes[calls], events.received_bytes[calls]
    sizes = np.where(
        (sent > 0) & (received > 0), np.minimum(sent, received), np.maximum(sent, received)
    )
    exponents = np.frexp(sizes.astype(np.float64))[1].astype(np.int64)
    algorithms = events.algorithm[calls].astype(np.int64) - NONE
    width = int(algorithms.max(initial=0)) + 1
    keys = (events.function[calls].astype(np.int64) * width + algorithms) << 8 | exponents
    used, place = numbered(keys)
    found = []
    for number in range(len(used)):
        own = calls[place == number]
        first, exponent = own[0], int(exponents[place == number][0])
        duration_ns = events.leave_ns[own] - events.enter_ns[own]
        skew_ns = analysis.waiting.skew[own]
        function = events.function_names[events.function[first]]
        algorithm = int(events.algorithm[first])
        is_library = algorithm == NONE
        found.append(
            CollectiveTotals(
                function,
                library.algorithm_of(function) if is_library else events.function_names[algorithm],
                0 if exponent == 0 else 1 << (exponent - 1),
                len(own),
                float(duration_ns.sum()) / NS_PER_S,
                float(skew_ns.sum()) / NS_PER_S,
                float(np.median(duration_ns - skew_ns)) / NS_PER_S,
                int(events.sent_bytes[own].sum()),
            )
        )
    return sorted(found, key=lambda one: -one.seconds)


def savings(before: list[CollectiveTotals], after: list[CollectiveTotals]) -> list[Saving]:
    """Of each of the collectives before, in their order."""
    found = []
    for one in before:
        same = [
            other
            for other in after
            if (other.function, other.least_bytes) == (one.function, one.least_bytes)
        ]
        most = max(same, key=lambda other: other.calls, default=None)
        if most is None:
            found.append(Saving(one, None, None))
        else:
            found.append(Saving(one, most.algorithm, most.call_s))
    return found
