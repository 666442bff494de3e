"""The clock of the events of one host: how its ticks become nanoseconds."""

from collections.abc import Sequence
from statistics import median

import numpy as np

from tasuki.profile.event_file import EventFile

# Two readings lie up to 50 ns apart (src/events/ticks.cpp): over so long, the rate is good to
# 1 in 100,000, 100 times better than what a rank measures by itself.
LEAST_SPAN_NS = 5_000_000


class HostClock:
    """Made of the files of one host, whose ranks have the same clock.

    `start_ns` is when the first of them was made, on the clock of the kernel that has this name in
    the files' headers: "monotonic", or "realtime" where hosts are compared.
    """

    def __init__(self, files: Sequence[EventFile], kernel_clock: str) -> None:
        headers = [one.header for one in files]
        first = min(headers, key=lambda one: int(one["start_ticks"]))
        self.start_ns = int(first[f"start_{kernel_clock}_ns"])
        self._start_ticks = int(first["start_ticks"])
        last = max(headers, key=lambda one: int(one["last_ticks"]))
        ticks = int(last["last_ticks"]) - self._start_ticks
        span_ns = int(last["last_monotonic_ns"]) - int(first["start_monotonic_ns"])
        if ticks > 0 and span_ns >= LEAST_SPAN_NS:
            self.ns_per_tick = span_ns / ticks
        else:
            self.ns_per_tick = 1e9 / median(float(one["ticks_per_second"]) for one in headers)

    def ns(self, ticks: np.ndarray) -> np.ndarray:
        """Since `start_ns`; wraps for ticks of 0."""
        passed = (ticks - np.uint64(self._start_ticks)).view(np.int64)
        return (passed * self.ns_per_tick).astype(np.int64)
