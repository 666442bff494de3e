"""The events of all ranks of a job as columns, on one clock, with one numbering of functions, call
sites and communicators."""

import time
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tasuki.profile.event_file import (
    NO_CALLS,
    NO_COMMUNICATOR,
    NONE,
    EventFile,
    Kind,
    Recorded,
    State,
    has_kind,
)
from tasuki.profile.host_clock import HostClock

CHUNK_EVENTS = 1 << 14  # 1 MiB: each is read from memory once and then from the cache.
# Column -> its type; those of the event file keep their names.
COLUMNS = {
    "rank": np.int32,
    "function": np.int16,
    "kind": np.uint8,
    "enter_ns": np.int64,
    "leave_ns": np.int64,
    "is_open": np.bool_,
    "sent_bytes": np.int64,
    "received_bytes": np.int64,
    "communicator": np.int32,
    "algorithm": np.int16,
    "site": np.int32,
    "destination": np.int32,
    "source": np.int32,
    "tag": np.int32,
    "received_tag": np.int32,
    "request": np.int64,
    "thread": np.int32,
    "flags": np.uint16,
}
COPIED = (
    "sent_bytes",
    "received_bytes",
    "destination",
    "source",
    "tag",
    "received_tag",
    "request",
    "thread",
    "flags",
)


# Of `flags`.
WAS_THERE_FLAG, ANY_SOURCE_FLAG, ANY_TAG_FLAG = 1, 2, 4


class Moment(NamedTuple):
    """When the files were read, on both clocks of this machine."""

    monotonic_ns: int
    realtime_ns: int

    @classmethod
    def now(cls) -> "Moment":
        return cls(time.clock_gettime_ns(time.CLOCK_MONOTONIC), time.time_ns())


class JobCommunicator(NamedTuple):
    """A communicator, whose `key` is the same on all its `member_count` ranks."""

    key: int
    member_count: int
    name: str


class Site(NamedTuple):
    """A call site: how far behind the start of the module's memory the call returns."""

    module: str
    offset: int


class JobEvents:
    """All events of a job, as arrays of one length: `events.enter_ns[i]` is of event i.

    They are of Tasuki's runtime (`is_runtime`) if that has recorded any, otherwise of MPI.
    Events of a rank follow each other in the order in which they began, and ranks in their order:
    `starts[r]` is the first event of `files[r]`, `starts[r + 1]` is behind its last. Times are
    nanoseconds since the first rank started (`end_ns` is the last that is known). On several hosts
    they are as exact as the hosts' clocks. `algorithm` is the name of what carried a collective
    out, as a number of a function, or NONE. A call in progress (`is_open`) ends now.
    """

    rank: np.ndarray
    function: np.ndarray
    kind: np.ndarray
    enter_ns: np.ndarray
    leave_ns: np.ndarray
    is_open: np.ndarray
    sent_bytes: np.ndarray
    received_bytes: np.ndarray
    communicator: np.ndarray
    algorithm: np.ndarray
    site: np.ndarray
    destination: np.ndarray
    source: np.ndarray
    tag: np.ndarray
    received_tag: np.ndarray
    request: np.ndarray
    thread: np.ndarray
    flags: np.ndarray

    def __init__(self, files: list[EventFile], now: Moment | None = None) -> None:
        # Tasuki's runtime calls MPI by itself, if it does.
        by_runtime = [one for one in files if one.recorded == Recorded.RUNTIME]
        self.is_runtime = bool(by_runtime)
        self.files = _last_job(by_runtime or files)
        self.earlier_count = len(by_runtime or files) - len(self.files)
        self.rank_count = max((int(one.header["rank_count"]) for one in self.files), default=0)
        self.function_names: list[str] = []
        self.function_kinds: list[int] = []
        self.communicators: list[JobCommunicator] = []
        self.sites: list[Site] = []
        hosts = {one.host for one in self.files}
        kernel_clock = "monotonic" if len(hosts) == 1 else "realtime"
        self.clocks = {
            host: HostClock([one for one in self.files if one.host == host], kernel_clock)
            for host in hosts
        }
        first_ns = min((one.start_ns for one in self.clocks.values()), default=0)
        self._offset_ns = {host: one.start_ns - first_ns for host, one in self.clocks.items()}
        starts = (np.array([one.header["start_ticks"]]) for one in self.files)
        self.start_ns = [
            int(self._ns(one.host, ticks)[0]) for one, ticks in zip(self.files, starts, strict=True)
        ]
        self._read()
        ends = [int(column.max(initial=0)) for column in (self.enter_ns, self.leave_ns)]
        self.end_ns = max([0, *self.start_ns, *ends])
        if now is not None and self.files:
            self.end_ns = max(self.end_ns, getattr(now, f"{kernel_clock}_ns") - first_ns)
        self.leave_ns[self.is_open] = self.end_ns

    def __len__(self) -> int:
        return len(self.rank)

    @cached_property
    def is_call(self) -> np.ndarray:
        """False for events that only belong to a call."""
        return ~has_kind(self.kind, *NO_CALLS)

    def function_number(self, name: str, kind: int) -> int:
        pairs = zip(self.function_names, self.function_kinds, strict=True)
        return list(pairs).index((name, kind))

    def rank_slice(self, index: int) -> slice:
        """The events of `files[index]`."""
        return slice(self.starts[index], self.starts[index + 1])

    def rank_end_ns(self, index: int) -> int:
        """When that rank had ended, or now."""
        if self.files[index].state != State.FINALIZED:
            return self.end_ns
        return int(self.leave_ns[self.rank_slice(index)].max(initial=self.start_ns[index]))

    def _ns(self, host: str, ticks: np.ndarray) -> np.ndarray:
        return self._offset_ns[host] + self.clocks[host].ns(ticks)

    def _read(self) -> None:
        counts = [len(one.events) for one in self.files]
        self.starts = [0, *np.cumsum(counts, dtype=int).tolist()]
        for name, kind in COLUMNS.items():
            setattr(self, name, np.empty(self.starts[-1], kind))
        numbers = _Numbers(self)
        for index, file in enumerate(self.files):
            places = _Places(file, numbers)
            for first in range(0, counts[index], CHUNK_EVENTS):
                chunk = file.events[first : first + CHUNK_EVENTS]
                begin = self.starts[index] + first
                self._copy(slice(begin, begin + len(chunk)), chunk, places)
        written = self.enter_ns != _NOT_WRITTEN
        if not written.all():
            kept = np.concatenate([[0], np.cumsum(written)])
            self.starts = [int(kept[start]) for start in self.starts]
            for name in COLUMNS:
                setattr(self, name, getattr(self, name)[written])
        if self.is_runtime:
            self._sort()

    def _sort(self) -> None:
        """That a function is called the runtime records when it first waits, or has ended."""
        order = np.lexsort((self.enter_ns, self.rank))
        for name in COLUMNS:
            setattr(self, name, getattr(self, name)[order])

    def _copy(self, target: slice, chunk: np.ndarray, places: "_Places") -> None:
        # A thread may have taken the place of an event a moment ago, and not have written it whole.
        is_written = (
            (chunk["enter_ticks"] != 0)
            & (chunk["function"] < len(places.functions))
            & (chunk["site"] < len(places.sites))
        )
        if not is_written.all():
            chunk = np.where(is_written, chunk, np.zeros(1, chunk.dtype))
        for name in COPIED:
            getattr(self, name)[target] = chunk[name]
        for column in (self.destination[target], self.source[target]):
            column[column >= self.rank_count] = NONE  # Of another MPI_COMM_WORLD.
        self.rank[target] = places.rank
        self.function[target] = places.functions[chunk["function"]]
        self.kind[target] = places.kinds[chunk["function"]]
        self.communicator[target] = places.communicators[chunk["communicator"]]
        self.algorithm[target] = places.algorithms_of(chunk)
        self.site[target] = places.sites[chunk["site"]]
        self.is_open[target] = chunk["leave_ticks"] == 0
        self.leave_ns[target] = self._ns(places.host, chunk["leave_ticks"])
        enter_ns = self._ns(places.host, chunk["enter_ticks"])
        self.enter_ns[target] = np.where(is_written, enter_ns, _NOT_WRITTEN)


_NOT_WRITTEN = np.iinfo(np.int64).min


class _Numbers:
    """Gives functions, sites and communicators of all files the numbers of the job."""

    def __init__(self, job: JobEvents) -> None:
        self._job = job
        self._functions: dict[tuple[str, int], int] = {}
        self._sites: dict[Site, int] = {}
        self._communicators: dict[int, int] = {}

    def function(self, name: str, kind: int) -> int:
        if (name, kind) not in self._functions:
            self._functions[name, kind] = len(self._functions)
            self._job.function_names.append(name)
            self._job.function_kinds.append(kind)
        return self._functions[name, kind]

    def site(self, site: Site) -> int:
        if site not in self._sites:
            self._sites[site] = len(self._sites)
            self._job.sites.append(site)
        return self._sites[site]

    def communicator(self, communicator: JobCommunicator) -> int:
        if communicator.key not in self._communicators:
            self._communicators[communicator.key] = len(self._communicators)
            self._job.communicators.append(communicator)
        return self._communicators[communicator.key]


class _Places:
    """By the numbers of one file those of the job."""

    def __init__(self, file: EventFile, numbers: _Numbers) -> None:
        self.rank = file.rank
        self.host = file.host
        kinds = file.functions["kind"]
        self.functions = np.array(
            [
                numbers.function(name, int(kind))
                for name, kind in zip(file.function_names, kinds, strict=True)
            ],
            np.int16,
        )
        self.kinds = kinds.copy()
        # Tasuki's runtime knows no call sites.
        sites = _sites(file) or [Site("", 0)]
        self.sites = np.array([numbers.site(site) for site in sites], np.int32)
        # One entry for each number that an event can have.
        self.communicators = np.full(NO_COMMUNICATOR + 1, -1, np.int32)
        for index, one in enumerate(file.communicators):
            self.communicators[index] = numbers.communicator(JobCommunicator(*one))

    def algorithms_of(self, chunk: np.ndarray) -> np.ndarray:
        """By event what has carried a collective out; NONE where that is not known."""
        is_collective = has_kind(self.kinds[chunk["function"]], Kind.COLLECTIVE, Kind.ICOLLECTIVE)
        is_number = (chunk["tag"] >= 0) & (chunk["tag"] < len(self.kinds))
        tags = np.where(is_number, chunk["tag"], 0)
        is_known = is_collective & is_number & (self.kinds[tags] == Kind.ALGORITHM)
        return np.where(is_known, self.functions[tags], NONE)


def _sites(file: EventFile) -> list[Site]:
    paths = file.module_paths
    bases = file.modules["base"].tolist()
    return [
        Site(paths[module], address - bases[module]) if module < len(paths) else Site("", address)
        for address, module, *_ in file.sites.tolist()
    ]


def _last_job(files: list[EventFile]) -> list[EventFile]:
    """Of each rank the file made last: a command may start one program after the other.

    Of ranks that only an earlier, larger job had, none.
    """
    last: dict[int, EventFile] = {}
    for one in sorted(files, key=lambda one: int(one.header["start_realtime_ns"])):
        last[one.rank] = one
    if not last:
        return []
    newest = max(last.values(), key=lambda one: int(one.header["start_realtime_ns"]))
    rank_count = int(newest.header["rank_count"])
    return [last[rank] for rank in sorted(last) if rank < rank_count]


def is_send(kind: np.ndarray, destination: np.ndarray) -> np.ndarray:
    """Which events begin the sending of a message."""
    kinds = (Kind.SEND, Kind.ISEND, Kind.SEND_RECEIVE, Kind.STARTED)
    return has_kind(kind, *kinds) & (destination >= 0)
