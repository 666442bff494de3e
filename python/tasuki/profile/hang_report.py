"""Who waits for whom in a job that runs or has been ended: a table of all ranks, and findings."""

import sys
from typing import TextIO

from tasuki.output.report import Row, print_table, result
from tasuki.profile.analysis import NS_PER_S, Analysis
from tasuki.profile.gatherings import Gathering
from tasuki.profile.messages import UNKNOWN
from tasuki.profile.progress_state import ProgressState, ThreadState, ranks_text
from tasuki.profile.wait_graph import cycles, ranks_that_can_go_on, roots

NOT_IN_MPI = "(not in MPI)"


class HangReport:
    """Make it of events that have just been read. With `asks_system` it also says which processes
    have ended or are stopped."""

    def __init__(self, analysis: Analysis, asks_system: bool) -> None:
        self._analysis = analysis
        self._state = ProgressState(analysis, asks_system)
        self._waits = self._state.waits()
        self._threads = {one.rank: one for one in reversed(self._state.threads)}

    def print(self, file: TextIO | None = None) -> None:
        """`file` is standard error if it is None."""
        file = file or sys.stderr
        after_s = self._analysis.events.end_ns / NS_PER_S
        columns = ("rank", "in", "since, s", "waits for", "where")
        print_table(f"Ranks {after_s:.1f} s after the start", columns, self.lines(), file=file)
        for finding in self.findings():
            file.write(f"tasuki: {finding}.\n")
        file.flush()

    def rows(self) -> list[Row]:
        """For the JSON output: a row for each thread and one for each finding."""
        threads = [
            result(
                "state",
                one.since_s,
                "s",
                rank=one.rank,
                thread=one.thread,
                function=self._function(one) if one.is_in_mpi else None,
                site=self._site(one),
                waits_for=one.waits_for,
                peers=list(one.wait.ranks),
            )
            for one in self._state.threads
        ]
        return [*threads, *(result("finding", text, "") for text in self.findings())]

    def findings(self) -> list[str]:
        """What stands in the way, the surest first."""
        found = [self._gone(rank) for rank in self._state.gone]
        found += [f"rank {rank} is stopped by a signal" for rank in self._state.stopped]
        stuck = set(self._waits) - ranks_that_can_go_on(self._waits)
        found += [self._cycle(cycle) for cycle in cycles(self._waits, stuck)]
        found += [text for one in self._state.gatherings for text in self._gathering(one)]
        found += self._waited_for()
        return found

    def lines(self) -> list[tuple]:
        """One for all threads that do the same at the same place, with the longest time."""
        lines: dict[tuple, list[ThreadState]] = {}
        for one in self._state.threads:
            name = self._function(one) if one.is_in_mpi else NOT_IN_MPI
            where = self._site(one)
            if not one.is_in_mpi and one.event != UNKNOWN:
                where = " in ".join(filter(None, [f"after {self._function(one)}", where]))
            lines.setdefault((name, one.waits_for, where), []).append(one)
        return [
            (
                ranks_text([one.rank for one in states]).partition(" ")[2],
                name,
                max(one.since_s for one in states),
                waits_for,
                where,
            )
            for (name, waits_for, where), states in lines.items()
        ]

    def _function(self, one: ThreadState) -> str:
        events = self._analysis.events
        return "" if one.event == UNKNOWN else events.function_names[events.function[one.event]]

    def _site(self, one: ThreadState) -> str:
        if one.event == UNKNOWN:
            return ""
        return self._analysis.site_names[self._analysis.events.site[one.event]].text

    def _gone(self, rank: int) -> str:
        file = next(one for one in self._analysis.events.files if one.rank == rank)
        return (
            f"the process of rank {rank} (pid {int(file.header['process_id'])}) has ended without"
            f" MPI_Finalize; {self._last(rank)}"
        )

    def _last(self, rank: int) -> str:
        state = self._threads.get(rank)
        if state is None:
            return "it has finished"
        if state.event == UNKNOWN:
            return "it has called nothing so far"
        call = " in ".join(filter(None, [self._function(state), self._site(state)]))
        if state.is_in_mpi:
            return f"it is in {call} since {state.since_s:.1f} s"
        return f"its last call, {state.since_s:.1f} s ago, was {call}"

    def _cycle(self, cycle: tuple[int, ...]) -> str:
        if len(cycle) == 1:
            return f"deadlock: rank {cycle[0]} waits for itself, in {self._in(cycle[0])}"
        steps = [
            f"rank {rank} waits in {self._in(rank)} for rank {following}"
            for rank, following in zip(cycle, (*cycle[1:], cycle[0]), strict=True)
        ]
        return f"deadlock: {', '.join(steps)}"

    def _in(self, rank: int) -> str:
        return self._function(self._threads[rank])

    def _gathering(self, one: Gathering) -> list[str]:
        names = " or ".join(one.functions)
        which = f"collective {one.number} on {one.communicator}"
        found = []
        if len(one.functions) > 1:
            found.append(
                f"{ranks_text(one.entered)} call {names} as {which}: all ranks must call the same"
            )
        for rank in one.missing:
            verb = "are" if len(one.entered) > 1 else "is"
            found.append(
                f"rank {rank} has not come to {names} ({which}), in which"
                f" {ranks_text(one.entered)} {verb}; {self._last(rank)}"
            )
        return found

    def _waited_for(self) -> list[str]:
        """The ranks that wait for nobody, and for which others wait, directly or not."""
        missing = {rank for one in self._state.gatherings for rank in one.missing}
        waiting: dict[int, list[int]] = {}
        for rank, threads in self._waits.items():
            if any(one.ranks for one in threads):
                for root in roots(rank, self._waits):
                    waiting.setdefault(root, []).append(rank)
        return [
            f"{ranks_text(ranks)} wait{'' if len(ranks) > 1 else 's'} for rank {root}:"
            f" {self._last(root)}"
            for root, ranks in sorted(waiting.items())
            if root not in missing and root not in self._state.gone
        ]
