"""The event file of one rank, as docs/formats/mpi-events.md describes it.

A file may be read while its rank writes it: what was recorded before `EventFile` was made is there.
"""

from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tasuki.base.errors import CommandError

MAGIC = b"TSKEVENT"
VERSION = 2
NO_COMMUNICATOR = 65535
RANKS_MOST = 1 << 24  # More would be damage: no machine starts so many.
NONE, ANY = -1, -2  # Of ranks and tags.
ROOM_BYTES_MOST = (1 << 32) - 1  # The room of a blocking receive that has so much and more.


class State(IntEnum):
    """How far a rank has come."""

    BEFORE_INIT = 0
    RUNNING = 1
    FINALIZED = 2
    ABORTED = 3


class Recorded(IntEnum):
    """Whose calls a file has."""

    MPI = 0
    RUNTIME = 1


class Kind(IntEnum):
    """What a function does, as far as the analysis distinguishes it."""

    OTHER = 0
    SEND = 1
    ISEND = 2
    RECEIVE = 3
    IRECEIVE = 4
    WAIT = 5
    TEST = 6
    PROBE = 7
    COLLECTIVE = 8
    ICOLLECTIVE = 9
    START = 10
    ONE_SIDED = 11
    FILE = 12
    COMMUNICATOR = 13
    INIT_AND_FINALIZE = 14
    REGION = 15
    COMPLETED = 16
    SEND_RECEIVE = 17
    STARTED = 18
    CALLED = 19
    IDLE = 20
    ALGORITHM = 21
    COLLECTIVE_MESSAGE = 22
    RECEIVED = 23

    @classmethod
    def _missing_(cls, _value: object) -> "Kind":
        return cls.OTHER  # Of a damaged file.


def has_kind(column: np.ndarray, *kinds: Kind) -> np.ndarray:
    """Which of the column of kinds are one of these."""
    table = np.zeros(256, np.bool_)  # Of 10 million events it is 20 times as fast as np.isin.
    table[list(kinds)] = True
    return table[column]


# Events that belong to a call, and are none.
NO_CALLS = (Kind.COMPLETED, Kind.STARTED, Kind.IDLE, Kind.COLLECTIVE_MESSAGE, Kind.RECEIVED)


def _layout(size_bytes: int, **fields: tuple[int, str]) -> np.dtype:
    """A structure of `size_bytes` with the fields at (offset, type)."""
    return np.dtype(
        {
            "names": list(fields),
            "offsets": [offset for offset, _ in fields.values()],
            "formats": [kind for _, kind in fields.values()],
            "itemsize": size_bytes,
        }
    )


HEADER = _layout(
    4096,
    magic=(0, "S8"),
    version=(8, "u4"),
    state=(12, "u4"),
    rank=(16, "i4"),
    rank_count=(20, "i4"),
    process_id=(24, "u4"),
    abort_code=(28, "i4"),
    start_ticks=(32, "u8"),
    start_monotonic_ns=(40, "u8"),
    start_realtime_ns=(48, "u8"),
    ticks_per_second=(56, "f8"),
    event_count=(64, "u8"),
    event_capacity=(72, "u8"),
    events_offset=(80, "u8"),
    function_count=(88, "u4"),
    site_count=(92, "u4"),
    module_count=(96, "u4"),
    communicator_count=(100, "u4"),
    functions_offset=(104, "u8"),
    sites_offset=(112, "u8"),
    modules_offset=(120, "u8"),
    communicators_offset=(128, "u8"),
    thread_level=(136, "u4"),
    recorded=(140, "u4"),
    last_ticks=(152, "u8"),
    last_monotonic_ns=(160, "u8"),
    host=(256, "S256"),
    program=(512, "S1024"),
    library=(1536, "S1024"),
)
FUNCTION = _layout(
    96,
    name=(0, "S55"),
    kind=(55, "u1"),
    calls=(56, "u8"),
    ticks=(64, "u8"),
    sent_bytes=(72, "u8"),
    received_bytes=(80, "u8"),
)
SITE = _layout(16, address=(0, "u8"), module=(8, "u4"))
MODULE = _layout(264, base=(0, "u8"), path=(8, "S256"))
COMMUNICATOR = _layout(
    128,
    key=(0, "u8"),
    rank_count=(8, "u4"),
    rank=(12, "i4"),
    remote_rank_count=(16, "u4"),
    name=(20, "S64"),
)
EVENT = _layout(
    64,
    enter_ticks=(0, "u8"),
    leave_ticks=(8, "u8"),
    sent_bytes=(16, "u8"),
    received_bytes=(24, "u8"),
    function=(32, "u2"),
    communicator=(34, "u2"),
    site=(36, "u4"),
    destination=(40, "i4"),
    source=(44, "i4"),
    tag=(48, "i4"),
    received_tag=(52, "i4"),
    request=(56, "u4"),
    thread=(60, "u2"),
    flags=(62, "u2"),
)


class Communicator(NamedTuple):
    """A communicator as one rank knows it. `key` is the same on all its ranks."""

    key: int
    member_count: int  # Of both groups of an intercommunicator.
    name: str


class EventFile:
    """What a rank has recorded so far. The arrays are those of the file, mapped.

    `missing_count` events were begun but are not in the file, because it had no room for them or
    was cut. Raises CommandError for what is no event file, or one of another version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._bytes = _mapped(path)
        header = self._bytes[: HEADER.itemsize].view(HEADER)[0].copy()
        self.header = header
        fault = _fault_of(header)
        if fault is not None:
            raise _refused(path, *fault)
        self.functions = self._table("functions", FUNCTION)
        self.sites = self._table("sites", SITE)
        self.modules = self._table("modules", MODULE)
        self.communicators = [
            Communicator(
                int(row["key"]),
                int(row["rank_count"]) + int(row["remote_rank_count"]),
                _text(row["name"]),
            )
            for row in self._table("communicators", COMMUNICATOR)
        ]
        begun_count = int(header["event_count"])
        recorded_count = min(begun_count, int(header["event_capacity"]))
        self.events = self._array(int(header["events_offset"]), recorded_count, EVENT)
        self.missing_count = begun_count - len(self.events)

    @property
    def rank(self) -> int:
        return int(self.header["rank"])

    @property
    def state(self) -> State:
        return State(int(self.header["state"]))

    @property
    def recorded(self) -> Recorded:
        return Recorded(int(self.header["recorded"]))

    @property
    def host(self) -> str:
        return _text(self.header["host"])

    @property
    def program(self) -> str:
        return _text(self.header["program"])

    @property
    def library(self) -> str:
        return _text(self.header["library"])

    @property
    def function_names(self) -> list[str]:
        return [_text(name) for name in self.functions["name"]]

    @property
    def module_paths(self) -> list[str]:
        return [_text(path) for path in self.modules["path"]]

    def _table(self, name: str, layout: np.dtype) -> np.ndarray:
        count = int(self.header[f"{name[:-1]}_count"])
        table = self._array(int(self.header[f"{name}_offset"]), count, layout)
        if len(table) < count:
            raise _refused(
                self.path,
                f"ends at byte {len(self._bytes)}, within its table of {name}",
                "copy it again; the program may have had no room on the disk",
            )
        return table

    def _array(self, offset: int, count: int, layout: np.dtype) -> np.ndarray:
        """As many of the entries as the file has."""
        count = max(0, min(count, (len(self._bytes) - offset) // layout.itemsize))
        return self._bytes[offset : offset + count * layout.itemsize].view(layout)


def _fault_of(header: np.void) -> tuple[str, str] | None:
    """What is wrong with a header, and what to do; None if it makes sense."""
    damaged = "copy the file again, or run the program again"
    rank, rank_count = int(header["rank"]), int(header["rank_count"])
    if header["magic"] != MAGIC:
        return "does not begin as an event file does", "name another file"
    if header["version"] != VERSION:
        return (
            f"has version {header['version']} of the format, and this command reads {VERSION}",
            "use the library and the command of one installation",
        )
    if int(header["state"]) not in list(State):
        return f"is damaged: it has the unknown state {header['state']}", damaged
    if int(header["recorded"]) not in list(Recorded):
        return f"is damaged: it has calls of the unknown kind {header['recorded']}", damaged
    if rank >= 0 and not rank < rank_count <= RANKS_MOST:
        return f"is damaged: it has rank {rank} of {rank_count}", damaged
    if rank >= 0 and not 0 < float(header["ticks_per_second"]) < float("inf"):
        return "is damaged: its clock has no rate", damaged
    return None


def event_files(folder: Path) -> list[EventFile]:
    """The files of all ranks in the folder that have come to MPI_Init, ordered by rank.

    A file without a header is one of a process that has just made it, or was killed then.
    """
    paths = [path for path in sorted(folder.glob("*.events")) if _has_header(path)]
    files = [EventFile(path) for path in paths]
    return sorted((one for one in files if one.rank >= 0), key=lambda one: one.rank)


def all_finished(files: list[EventFile]) -> bool:
    """Have all ranks of the job called MPI_Finalize?"""
    finished = [one.rank for one in files if one.state == State.FINALIZED]
    return len(finished) == max((int(one.header["rank_count"]) for one in files), default=0)


def _has_header(path: Path) -> bool:
    with path.open("rb") as file:
        header = file.read(HEADER.itemsize)
    return len(header) == HEADER.itemsize and any(header[: len(MAGIC)])


def _mapped(path: Path) -> np.ndarray:
    size_bytes = path.stat().st_size
    if size_bytes < HEADER.itemsize:
        raise _refused(
            path,
            f"has {size_bytes} bytes, fewer than the {HEADER.itemsize} of a header",
            "see whether the disk is full, and run the program again",
        )
    # A plain array over the map: slices of a memmap are an order of magnitude slower.
    return np.asarray(np.memmap(path, mode="r"))


def _refused(path: Path, why: str, remedy: str) -> CommandError:
    return CommandError("profile", f"{path} {why}", remedy)


def _text(raw: Any) -> str:
    return bytes(raw).partition(b"\0")[0].decode(errors="replace")
