"""How far each rank of a job is, as the ranks tell their launcher."""

from typing import Protocol

NOT_THERE, JOINED, RUNNING, FINISHED = range(4)
STATE_NAMES = ("not there yet", "joined", "running", "finished")


class JobStates(Protocol):
    def state(self, rank: int, /) -> int:
        """NOT_THERE, JOINED, RUNNING or FINISHED."""

    def first_failed(self) -> int | None:
        """The rank whose failure the others' ends answer to, where one of them has noted it."""

    def is_of_other_version(self) -> bool:
        """Has a rank joined that does not belong to this command's version?"""
