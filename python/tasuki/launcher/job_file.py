"""The job's memory file: created empty by the launcher, filled by the ranks.

Its layout is promised in docs/design/launch.md; the launcher reads one word per rank and two of
the header.
"""

import fcntl
import os
import struct

from tasuki.base.errors import CommandError
from tasuki.launcher.event_loop import EventLoop

HEADER_BYTES = 4096
FIRST_FAILED_OFFSET = 40
RANK_BYTES = 384
LAYOUT = struct.pack("=H", RANK_BYTES) + b"TASUKI"


class JobFile:
    """An unnamed file of shared memory that the ranks inherit as descriptor `fd`."""

    def __init__(self, backing: str = "auto") -> None:
        """`backing` is the value of TASUKI_SHM_BACKING: auto, memfd or devshm.

        Raises CommandError if the kernel gives no such file.
        """
        if backing not in ("auto", "memfd", "devshm"):
            raise CommandError(
                "run",
                f"TASUKI_SHM_BACKING={backing} is not a kind of shared memory",
                "set it to auto, memfd or devshm, or leave it unset",
                exit_code=2,
            )
        self.fd = _devshm_file() if backing == "devshm" else _memory_file()
        status = os.fstat(self.fd)
        self.identity = f"{status.st_dev}:{status.st_ino}"
        self._lock_fd = _locked(self.fd)

    def attach(self, _loop: EventLoop) -> None:
        """As of JobStates: what ranks write here is looked up."""

    def state(self, rank: int) -> int:
        """As of JobStates; NOT_THERE, 0, while the file is too small to hold the rank's word."""
        return self._word(HEADER_BYTES + RANK_BYTES * rank)

    def is_of_other_version(self) -> bool:
        """Have the ranks laid the file out otherwise than this command reads it?"""
        layout = os.pread(self.fd, len(LAYOUT), 0)
        return any(layout) and layout != LAYOUT

    def catch_up(self, _rank: int) -> None:
        """As of JobStates: what a rank has written is here at once."""

    def close(self) -> None:
        """As of JobStates: nobody else has been given the file."""

    def first_failed(self) -> int | None:
        """As of JobStates."""
        return self._word(FIRST_FAILED_OFFSET) - 1 if self._word(FIRST_FAILED_OFFSET) else None

    def _word(self, offset: int) -> int:
        word = os.pread(self.fd, 4, offset)
        return struct.unpack("=I", word)[0] if len(word) == 4 else 0


def _locked(fd: int) -> int:
    """Locks the first byte of the file through a description that no rank inherits: the kernel
    unlocks it when this process ends, which ranks of any name space can see."""
    own_fd = os.open(f"/proc/self/fd/{fd}", os.O_RDWR)
    whole_lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
    fcntl.fcntl(own_fd, fcntl.F_OFD_SETLK, whole_lock)
    return own_fd


def _memory_file() -> int:
    try:
        return os.memfd_create("tasuki-job")
    except OSError as failure:
        raise CommandError(
            "run",
            f"the kernel gives no memory file ({failure.strerror})",
            "set TASUKI_SHM_BACKING=devshm to use /dev/shm instead",
        ) from failure


def _devshm_file() -> int:
    try:
        return os.open("/dev/shm", os.O_TMPFILE | os.O_RDWR, 0o600)
    except OSError as failure:
        raise CommandError(
            "run",
            f"no file can be made in /dev/shm ({failure.strerror})",
            "mount a tmpfs on /dev/shm, or leave TASUKI_SHM_BACKING unset",
        ) from failure
