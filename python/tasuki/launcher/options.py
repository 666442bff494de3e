"""What the user asked `tasuki run` for."""

from typing import NamedTuple


class RunOptions(NamedTuple):
    """The checked command line of `tasuki run`."""

    command: list[str]  # Program and arguments.
    rank_count: int
    transport: str  # shm or mpi.
    binding: str  # core or none.
    tag_output: bool
    debugger: str | None  # gdb or None.
    mpi: str  # auto, ompi or mpich.
    settings: dict[str, str]  # TASUKI_* variables that options stand for.
    tuned: str | None = None  # The policy of the collectives of an MPI program as it is.
    predict: str = "off"  # What that program does while it waits.
    predict_earlier: str | None = None  # The folder of an earlier run that it goes by.
    predict_bounce: str | None = None  # From which size messages are received ahead.
