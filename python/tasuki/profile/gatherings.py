"""The calls that all ranks of a communicator have to make, and that some of them have not made."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from tasuki.profile.event_file import Kind
from tasuki.profile.job_events import JobEvents
from tasuki.profile.waiting import Collectives, collectives_of

# What all ranks of a communicator call, besides its collectives. MPI_Finalize is of all ranks.
_CALLED_BY_ALL = (
    "MPI_Comm_create",
    "MPI_Comm_dup",
    "MPI_Comm_dup_with_info",
    "MPI_Comm_split",
    "MPI_Comm_split_type",
    "MPI_Cart_create",
    "MPI_Cart_sub",
    "MPI_Graph_create",
    "MPI_Dist_graph_create",
    "MPI_Dist_graph_create_adjacent",
    "MPI_Finalize",
)
_WORLD = "MPI_COMM_WORLD"


class Gathering(NamedTuple):
    """A call that ranks are in, the `number`-th of its kind on the communicator.

    `entered` are the ranks that have come to it, `missing` the other members. `functions` are the
    names under which it was called: more than one is an error of the program.
    """

    number: int
    communicator: str
    functions: tuple[str, ...]
    entered: tuple[int, ...]
    missing: tuple[int, ...]


class Gatherings:
    """Those that are not complete, or in which ranks disagree. `by_event` has them by the calls."""

    def __init__(self, events: JobEvents, collectives: Collectives) -> None:
        self._events = events
        self._collectives = collectives
        self.members = _members_by_communicator(events)
        self.all: list[Gathering] = []
        self.by_event: dict[int, Gathering] = {}
        self._note_collectives()
        for function in np.unique(events.function[events.is_open & _is_called_by_all(events)]):
            self._note_calls_of(int(function))

    def missing_in_started(self, event: int) -> tuple[int, ...]:
        """The ranks that have not started the non-blocking collective that the event starts."""
        events, found = self._events, collectives_of(self._events, Kind.ICOLLECTIVE)
        operation = found.operation[np.searchsorted(found.event, event)]
        started = events.rank[found.event[found.operation == operation]]
        return _without(self.members[events.communicator[event]], started)

    def _note_collectives(self) -> None:
        events, found = self._events, self._collectives
        is_open = events.is_open[found.event]
        for operation in np.unique(found.operation[is_open]):
            calls = found.event[found.operation == operation]
            communicator = int(events.communicator[calls[0]])
            number = self._number_of(int(calls[0]), communicator)
            self._note(calls, events.rank[calls], communicator, number)

    def _note_calls_of(self, function: int) -> None:
        """Of a function that is no collective: who has called it less often has not come."""
        events = self._events
        calls = np.flatnonzero(events.function == function)
        for communicator in np.unique(events.communicator[calls[events.is_open[calls]]]):
            here = calls[events.communicator[calls] == communicator]
            call_counts = np.bincount(events.rank[here])
            inside = here[events.is_open[here]]
            number = int(call_counts[events.rank[inside]].max())
            inside = inside[call_counts[events.rank[inside]] == number]
            self._note(inside, np.flatnonzero(call_counts >= number), int(communicator), number)

    def _note(self, calls: np.ndarray, entered: np.ndarray, communicator: int, number: int) -> None:
        events = self._events
        # MPI_Finalize has no communicator: it is a call of all ranks.
        is_world = communicator < 0
        members = tuple(range(events.rank_count)) if is_world else self.members[communicator]
        title = "" if is_world else events.communicators[communicator].name
        names = sorted({events.function_names[one] for one in events.function[calls]})
        missing = _without(members, entered)
        if not missing and len(names) == 1:
            return
        one = Gathering(
            number,
            _WORLD if is_world else title or f"communicator {communicator}",
            tuple(names),
            tuple(sorted(set(map(int, entered)))),
            missing,
        )
        self.all.append(one)
        self.by_event |= {int(call): one for call in calls}

    def _number_of(self, call: int, communicator: int) -> int:
        """The how manyth collective of its rank on the communicator the call is, from 1."""
        events = self._events
        before = self._collectives.event[self._collectives.event <= call]
        before = before[events.communicator[before] == communicator]
        return int((events.rank[before] == events.rank[call]).sum())


def _members_by_communicator(events: JobEvents) -> list[tuple[int, ...]]:
    """The ranks that know a communicator are its members."""
    known = {file.rank: {one.key for one in file.communicators} for file in events.files}
    return [
        tuple(range(events.rank_count))
        if one.name == _WORLD
        else tuple(rank for rank, keys in known.items() if one.key in keys)
        for one in events.communicators
    ]


def _is_called_by_all(events: JobEvents) -> np.ndarray:
    is_one = np.array([name in _CALLED_BY_ALL for name in events.function_names] or [False])
    return is_one[events.function]


def _without(members: tuple[int, ...], ranks: Iterable[int]) -> tuple[int, ...]:
    there = set(map(int, ranks))
    return tuple(rank for rank in members if rank not in there)
