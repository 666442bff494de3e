"""What the ranks of an MPI job record of their ends, because mpiexec's exit code may be wrong.

Hydra (MPICH 4.2.1) sometimes exits with 0 though a rank has called MPI_Abort. The layout of the
file is that of src/base/exit_record.hpp.
"""

import os
import struct

_ENTRY = struct.Struct("=ii")  # Rank, exit code.
_NOT_ENDED = -1


def setting_of(fd: int) -> str:
    """How ranks on this machine find a file without a name."""
    status = os.fstat(fd)
    return f"/proc/{os.getpid()}/fd/{fd} {status.st_dev}:{status.st_ino}"


class ExitRecord:
    """A file without a name that ranks on this machine find below /proc."""

    def __init__(self) -> None:
        self._fd = os.memfd_create("tasuki-exit-record")

    @property
    def setting(self) -> str:
        """The value of TASUKI_EXIT_RECORD for the ranks."""
        return setting_of(self._fd)

    def first_failure(self) -> int | None:
        """The exit code of the rank that was the first to end with another code than 0."""
        return next((code for _, code in self._entries() if code > 0), None)

    def without_end(self) -> list[int]:
        """The ranks that were there and have not recorded an end: a signal has killed them."""
        last = dict(self._entries())
        return sorted(rank for rank, code in last.items() if code == _NOT_ENDED)

    def _entries(self) -> list[tuple[int, int]]:
        content = os.pread(self._fd, os.fstat(self._fd).st_size, 0)
        whole_bytes = len(content) // _ENTRY.size * _ENTRY.size
        return list(_ENTRY.iter_unpack(content[:whole_bytes]))
