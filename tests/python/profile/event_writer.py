"""Writes event files of made-up ranks: the source of synthetic cases. One tick is 1 ns."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
from tasuki.profile.event_file import (
    ANY,
    COMMUNICATOR,
    EVENT,
    FUNCTION,
    HEADER,
    MAGIC,
    MODULE,
    NO_COMMUNICATOR,
    NONE,
    SITE,
    VERSION,
    Kind,
    State,
)

WORLD_KEY = 1
# Name -> kind of what the cases call, in the order of their numbers.
FUNCTIONS = {
    "MPI_Send": Kind.SEND,
    "MPI_Isend": Kind.ISEND,
    "MPI_Recv": Kind.RECEIVE,
    "MPI_Irecv": Kind.IRECEIVE,
    "MPI_Wait": Kind.WAIT,
    "MPI_Waitall": Kind.WAIT,
    "MPI_Test": Kind.TEST,
    "MPI_Iprobe": Kind.PROBE,
    "MPI_Probe": Kind.PROBE,
    "MPI_Allreduce": Kind.COLLECTIVE,
    "MPI_Barrier": Kind.COLLECTIVE,
    "MPI_Ibarrier": Kind.ICOLLECTIVE,
    "MPI_Start": Kind.START,
    "MPI_Init": Kind.INIT_AND_FINALIZE,
    "MPI_Finalize": Kind.INIT_AND_FINALIZE,
    "MPI_Pcontrol": Kind.REGION,
    "completed": Kind.COMPLETED,
    "MPI_Sendrecv": Kind.SEND_RECEIVE,
    "started": Kind.STARTED,
    "MPI_Comm_split": Kind.COMMUNICATOR,
    "staged": Kind.ALGORITHM,
    "collective_message": Kind.COLLECTIVE_MESSAGE,
    "square": Kind.CALLED,
    "idle": Kind.IDLE,
    "handle_result": Kind.RECEIVED,
}
NUMBERS = {name: number for number, name in enumerate(FUNCTIONS)}
NOTHING = {
    "destination": NONE,
    "source": NONE,
    "tag": ANY,
    "received_tag": ANY,
}


class WrittenRank:
    """The events of one rank, and how they are written to a file.

        rank = WrittenRank(0, 2)
        rank.call("MPI_Send", 100, 200, destination=1, tag=7, sent_bytes=8)
        rank.write(folder)

    Events of messages are on MPI_COMM_WORLD unless `communicator` says otherwise. `fields` of the
    header may be changed before `write`.
    """

    def __init__(self, rank: int, rank_count: int, process_id: int | None = None) -> None:
        self.fields: dict[str, Any] = {
            "magic": MAGIC,
            "version": VERSION,
            "state": State.FINALIZED,
            "rank": rank,
            "rank_count": rank_count,
            "process_id": process_id or 1000 + rank,
            "ticks_per_second": 1e9,
            "host": b"node0",
            "program": b"/opt/app",
            "library": b"Open MPI v4.1.4",
        }
        self.functions = np.zeros(len(FUNCTIONS), FUNCTION)
        self.functions["name"] = [name.encode() for name in FUNCTIONS]
        self.functions["kind"] = list(FUNCTIONS.values())
        self.sites: list[tuple[int, int]] = [(0x401000, 0)]
        self.modules: list[tuple[int, bytes]] = [(0x400000, b"/opt/app")]
        self.communicators = [(WORLD_KEY, rank_count, rank, 0, b"MPI_COMM_WORLD")]
        self.events: list[dict[str, Any]] = []
        self._requests = itertools.count(1)

    def call(self, name: str, enter_ns: int, leave_ns: int, **fields: Any) -> None:
        """An event of the function; a `leave_ns` of 0 is a call in progress."""
        kind = FUNCTIONS[name]
        is_alone = kind in (Kind.REGION, Kind.INIT_AND_FINALIZE, Kind.WAIT, Kind.TEST, Kind.START)
        communicator = NO_COMMUNICATOR if is_alone else 0
        times = {"enter_ticks": enter_ns, "leave_ticks": leave_ns, "function": NUMBERS[name]}
        self.events.append({**NOTHING, "communicator": communicator, **times, **fields})

    def start(self, name: str, enter_ns: int, leave_ns: int, **fields: Any) -> int:
        """The call of a non-blocking function; returns the number of its request."""
        request = next(self._requests)
        self.call(name, enter_ns, leave_ns, request=request, **fields)
        return request

    def complete(self, request: int, at_ns: int, **fields: Any) -> None:
        """The completion of the request in the call recorded before."""
        self.call("completed", at_ns, at_ns, request=request, **fields)

    def write(self, folder: Path) -> Path:
        """Writes node0-PID.events, returns its path."""
        path = folder / f"node0-{self.fields['process_id']}.events"
        path.write_bytes(self.contents())
        return path

    def contents(self) -> bytes:
        header = np.zeros(1, HEADER)
        tables = {
            "function": self.functions,
            "site": _filled(SITE, self.sites),
            "module": _filled(MODULE, self.modules),
            "communicator": _filled(COMMUNICATOR, self.communicators),
            "event": _events(self.events),
        }
        offset = HEADER.itemsize
        for name, table in tables.items():
            header[f"{name}_count"] = len(table)
            header[f"{name}s_offset"] = offset
            offset += table.nbytes
        header["event_capacity"] = len(self.events)
        for name, value in self.fields.items():
            header[name] = value
        return header.tobytes() + b"".join(table.tobytes() for table in tables.values())


def _filled(layout: np.dtype, rows: list[tuple]) -> np.ndarray:
    return np.array(rows, layout)


def _events(events: list[dict[str, Any]]) -> np.ndarray:
    table = np.zeros(len(events), EVENT)
    for row, event in zip(table, events, strict=True):
        for name, value in event.items():
            row[name] = value
    return table
