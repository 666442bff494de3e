"""The ranks of a job that run on this machine: all of them, or those of one of its hosts."""

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tasuki.launcher.binding import bind_ranks
from tasuki.launcher.rank_process import RankPlan, RankProcess
from tasuki.launcher.supervisor import Supervisor
from tasuki.launcher.tagged_output import TaggedStream


class RanksHere(NamedTuple):
    """`commands` are of consecutive ranks; `environment` lacks what differs between ranks."""

    commands: Sequence[list[str]]
    first_rank: int
    size: int  # Ranks of the job.
    environment: Mapping[str, str]
    binding: str
    tag_output: bool
    stdin: int  # Of rank 0.
    host: str = ""  # As the user has called it; empty if the job has no hosts.
    kept_fds: tuple[int, ...] = ()


def start_ranks(ranks: RanksHere, supervisor: Supervisor) -> None:
    """Raises CommandError or OSError if one cannot be started; those before it then run."""
    bindings = bind_ranks(len(ranks.commands), ranks.binding)
    dev_null = os.open(os.devnull, os.O_RDONLY)
    for index, command in enumerate(ranks.commands):
        rank = ranks.first_rank + index
        streams = [TaggedStream(rank, fd) for fd in (1, 2)] if ranks.tag_output else []
        stdout, stderr = [stream.writer_fd for stream in streams] or (1, 2)
        own = {"TASUKI_RANK": str(rank), "TASUKI_SIZE": str(ranks.size)}
        plan = RankPlan(
            rank=rank,
            command=command,
            environment={**ranks.environment, **own},
            cpus=bindings[index],
            stdin=ranks.stdin if rank == 0 else dev_null,
            stdout=stdout,
            stderr=stderr,
            title=f"rank {rank} on host {ranks.host}" if ranks.host else f"rank {rank}",
            kept_fds=ranks.kept_fds,
        )
        supervisor.add(RankProcess(plan), streams)
