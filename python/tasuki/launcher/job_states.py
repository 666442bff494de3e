"""How far each rank of a job is, as the ranks tell their launcher."""

from collections.abc import Callable
from typing import Protocol

NOT_THERE, JOINED, RUNNING, FINISHED = range(4)
STATE_NAMES = ("not there yet", "joined", "running", "finished")


Listen = Callable[[int, Callable[[], None]], None]
Forget = Callable[[int], None]


class JobStates(Protocol):
    def attach(self, listen: Listen, forget: Forget) -> None:
        """`listen(fd, call)` has `call` called when there is something to read, until `forget`."""

    def state(self, rank: int, /) -> int:
        """NOT_THERE, JOINED, RUNNING or FINISHED."""

    def catch_up(self, rank: int, /) -> None:
        """Takes in what a rank whose process has ended told before: it may be on its way here."""

    def first_failed(self) -> int | None:
        """The rank whose failure the others' ends answer to, where one of them has noted it."""

    def is_of_other_version(self) -> bool:
        """Has a rank joined that does not belong to this command's version?"""
