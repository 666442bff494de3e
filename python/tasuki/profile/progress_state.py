"""What each rank does at the moment: the call that it is in, and for which ranks this one waits."""

import os
from typing import NamedTuple

import numpy as np

from tasuki.profile.analysis import NS_PER_S, Analysis
from tasuki.profile.event_file import ANY, EventFile, Kind, State
from tasuki.profile.gatherings import Gatherings
from tasuki.profile.job_events import JobEvents
from tasuki.profile.messages import UNKNOWN
from tasuki.profile.wait_graph import Wait

_WAITS_FOR_ANY = ("MPI_Waitany", "MPI_Waitsome")
SHOWN_WAITS = 3  # Of a thread; more do not fit into a table.
# Of these only the root is waited for by the others.
_FROM_ROOT = ("MPI_Bcast", "MPI_Scatter", "MPI_Scatterv")


class ThreadState(NamedTuple):
    """A thread of a rank: `event` is its call in progress, or its last one (`is_in_mpi` is False),
    UNKNOWN if there is none. `since_s` is how long this state lasts."""

    rank: int
    thread: int
    event: int
    is_in_mpi: bool
    since_s: float
    wait: Wait
    waits_for: str


class ProgressState:
    """The states of all threads (`threads`) and `gatherings`.

    With `asks_system`, processes of this machine are asked whether they run: `gone` and `stopped`
    are the ranks whose do not.
    """

    def __init__(self, analysis: Analysis, asks_system: bool) -> None:
        self._analysis = analysis
        self._events = analysis.events
        messages = analysis.matching.messages
        known = messages.receive != UNKNOWN
        self._has_receive = _marked(len(self._events), messages.send[known])
        self._has_send = _marked(len(self._events), messages.receive[known])
        self._gatherings = Gatherings(self._events, analysis.waiting.collectives)
        self.gatherings = self._gatherings.all
        self.gone: list[int] = []
        self.stopped: list[int] = []
        for file in self._events.files if asks_system else ():
            state = _process_state(file)
            if file.state != State.FINALIZED and state in ("", "Z", "X"):
                self.gone.append(file.rank)
            elif state in ("T", "t"):
                self.stopped.append(file.rank)
        self.threads = [
            state
            for index, file in enumerate(self._events.files)
            if file.state != State.FINALIZED
            for state in self._threads(index)
        ]

    def waits(self) -> dict[int, list[Wait]]:
        """By rank those of its threads; ranks that are gone have none."""
        found: dict[int, list[Wait]] = {rank: [] for rank in self.gone}
        for one in self.threads:
            if one.rank not in self.gone:
                found.setdefault(one.rank, []).append(one.wait)
        return found

    def _threads(self, index: int) -> list[ThreadState]:
        events, chosen = self._events, self._events.rank_slice(index)
        rank = events.files[index].rank
        calls = chosen.start + np.flatnonzero(events.is_call[chosen])
        if not len(calls):
            since_s = (events.end_ns - events.start_ns[index]) / NS_PER_S
            return [ThreadState(rank, 0, UNKNOWN, False, since_s, Wait(()), "")]
        if events.is_runtime:
            # Functions that have ended are no threads, and the latest call may lie within another.
            latest = calls[events.is_open[calls] | (calls == _last_of_main(events, calls))]
            return [self._thread(rank, int(events.thread[one]), int(one)) for one in latest]
        threads, last = np.unique(events.thread[calls][::-1], return_index=True)
        latest = calls[::-1][last]
        return [
            self._thread(rank, int(thread), int(event))
            for thread, event in zip(threads, latest, strict=True)
        ]

    def _thread(self, rank: int, thread: int, event: int) -> ThreadState:
        events = self._events
        is_in_mpi = bool(events.is_open[event])
        since_ns = events.enter_ns[event] if is_in_mpi else events.leave_ns[event]
        wait, waits_for = self._wait(rank, event) if is_in_mpi else (Wait(()), "")
        since_s = float(events.end_ns - since_ns) / NS_PER_S
        return ThreadState(rank, thread, event, is_in_mpi, since_s, wait, waits_for)

    def _wait(self, rank: int, event: int) -> tuple[Wait, str]:
        kind = self._events.kind[event]
        if self._events.is_runtime and kind == Kind.WAIT:
            return self._fiber_wait(event)
        name = self._events.function_names[self._events.function[event]]
        if kind in (Kind.RECEIVE, Kind.SEND, Kind.SEND_RECEIVE, Kind.PROBE):
            return self._message_wait(event)
        if kind == Kind.WAIT:
            return self._requests_wait(event, name)
        gathering = self._gatherings.by_event.get(event)
        if gathering is None:
            return Wait(()), ""
        root = int(self._events.destination[event])
        if name in _FROM_ROOT and root >= 0 and root != rank:
            peers = (root,) if root in gathering.missing else ()
            return Wait(peers), f"its root, rank {root}" if peers else ""
        return Wait(gathering.missing), f"{ranks_text(gathering.missing)} to enter it"

    def _fiber_wait(self, event: int) -> tuple[Wait, str]:
        rank = int(self._events.destination[event])
        return (Wait((rank,)), f"rank {rank}") if rank >= 0 else (Wait(()), "")

    def _message_wait(self, event: int) -> tuple[Wait, str]:
        """Of a send, a receive or both: what has not begun on the other side."""
        events = self._events
        destination, source = int(events.destination[event]), int(events.source[event])
        if source == ANY:
            others = self._gatherings.members[events.communicator[event]]
            rank = int(events.rank[event])
            peers = tuple(one for one in others if one != rank)
            return Wait(peers, needs_all=False), f"a message from any rank{self._tag_text(event)}"
        texts, peers = [], []
        if destination >= 0 and not self._has_receive[event]:
            peers.append(destination)
            texts.append(f"rank {destination} to receive{self._tag_text(event)}")
        if source >= 0 and not self._has_send[event]:
            peers.append(source)
            tag = self._tag_text(event) if destination < 0 else ""
            texts.append(f"a message from rank {source}{tag}")
        return Wait(tuple(dict.fromkeys(peers))), " and ".join(texts) or "the data"

    def _tag_text(self, event: int) -> str:
        tag = int(self._events.tag[event])
        return "" if tag == ANY else f" with tag {tag}"

    def _requests_wait(self, event: int, name: str) -> tuple[Wait, str]:
        starts = self._analysis.matching.awaited(event)
        waits = [self._request_wait(int(one)) for one in starts]
        texts = list(dict.fromkeys(text for _, text in waits if text))
        if name in _WAITS_FOR_ANY:
            # One that goes on by itself is enough.
            peers = () if any(not wait.ranks for wait, _ in waits) else _all_ranks(waits)
            return Wait(peers, needs_all=False), _first_of(texts, " or ")
        # A receive from any rank may be fulfilled by one of many: it says nothing for sure.
        sure = [one for one in waits if one[0].needs_all]
        return Wait(_all_ranks(sure)), _first_of(texts, " and ")

    def _request_wait(self, start: int) -> tuple[Wait, str]:
        if self._events.kind[start] != Kind.ICOLLECTIVE:
            return self._message_wait(start)
        name = self._events.function_names[self._events.function[start]]
        missing = self._gatherings.missing_in_started(start)
        return Wait(missing), f"{ranks_text(missing)} to call {name}" if missing else name


def _last_of_main(events: JobEvents, calls: np.ndarray) -> int:
    """The last call of the main function, unless it is in progress."""
    own = calls[(events.thread[calls] == 0) & (events.kind[calls] != Kind.SEND)]
    return UNKNOWN if events.is_open[own].any() or not len(own) else int(own[-1])


def ranks_text(ranks: tuple[int, ...] | list[int]) -> str:
    """As in "rank 3" or "ranks 0-2, 5"."""
    runs: list[list[int]] = []
    for rank in sorted(ranks):
        if runs and runs[-1][-1] == rank - 1:
            runs[-1][1:] = [rank]
        else:
            runs.append([rank])
    text = ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
    return f"rank{'s' if len(ranks) > 1 else ''} {text}"


def _marked(count: int, indices: np.ndarray) -> np.ndarray:
    marks = np.zeros(count, bool)
    marks[indices] = True
    return marks


def _all_ranks(waits: list[tuple[Wait, str]]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(rank for wait, _ in waits for rank in wait.ranks))


def _first_of(texts: list[str], word: str) -> str:
    more = len(texts) - SHOWN_WAITS
    shown = word.join(texts[:SHOWN_WAITS])
    return f"{shown}, and {more} more" if more > 0 else shown


def _process_state(file: EventFile) -> str:
    """The letter that the kernel has for it, "" if it is gone, "?" if it is on another machine."""
    if file.host != os.uname().nodename:
        return "?"
    try:
        with open(f"/proc/{int(file.header['process_id'])}/stat") as stat:
            return stat.read().rpartition(") ")[2][:1]
    except OSError:
        return ""
