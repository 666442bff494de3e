"""What the user asked `tasuki run` for."""

from typing import NamedTuple

from tasuki.launcher.hosts import Host


class Part(NamedTuple):
    """Ranks, one after the other, that run the same program."""

    rank_count: int
    command: list[str]  # Program and arguments.


class RunOptions(NamedTuple):
    """The checked command line of `tasuki run`."""

    parts: list[Part]
    transport: str  # shm or mpi.
    binding: str  # core or none.
    tag_output: bool
    debugger: str | None  # gdb or None.
    mpi: str  # auto, ompi or mpich.
    settings: dict[str, str]  # TASUKI_* variables that options stand for.
    hosts: tuple[Host, ...] = ()  # Each with its number of ranks; none: this machine.
    rsh: str | None = None  # The agent that starts commands on other hosts; None: ssh.
    tuned: str | None = None  # The policy of the collectives of an MPI program as it is.
    predict: str = "off"  # What that program does while it waits.
    predict_earlier: str | None = None  # The folder of an earlier run that it goes by.
    predict_bounce: str | None = None  # From which size messages are received ahead.

    @property
    def rank_count(self) -> int:
        return sum(part.rank_count for part in self.parts)

    @property
    def command(self) -> list[str]:
        """That of the only part, or of the first."""
        return self.parts[0].command
