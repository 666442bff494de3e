"""How far each rank of a job is, as the ranks tell their launcher."""

from typing import Protocol

from tasuki.launcher.event_loop import EventLoop

NOT_THERE, JOINED, RUNNING, FINISHED = range(4)
STATE_NAMES = ("not there yet", "joined", "running", "finished")


class JobStates(Protocol):
    def attach(self, loop: EventLoop) -> None:
        """`loop` waits for what tells the states, if it has to be waited for."""

    def state(self, rank: int, /) -> int:
        """NOT_THERE, JOINED, RUNNING or FINISHED."""

    def catch_up(self, rank: int, /) -> None:
        """Takes in what a rank whose process has ended told before: it may be on its way here."""

    def first_failed(self) -> int | None:
        """The rank whose failure the others' ends answer to, where one of them has noted it."""

    def is_of_other_version(self) -> bool:
        """Has a rank joined that does not belong to this command's version?"""

    def close(self) -> None:
        """All ranks have ended: nobody may join any more."""
