"""What the ranks of an MPI job on several hosts wait for, in case that mpiexec ends them all.

The layout of the file is that of src/runtime/world/waiting_record.cpp.
"""

import os
from collections.abc import Container

from tasuki.launcher.exit_record import setting_of

_SLOT_BYTES = 4096
_NOBODY_KNOWN = -1
# Ranks write several times in a second until mpiexec ends them. It may itself end much later: Open
# MPI leaves them 5 s, and waits for those of other nodes.
_RECENT_S = 30.0


class WaitingRecord:
    """A file without a name that ranks on this machine find below /proc."""

    def __init__(self) -> None:
        self._fd = os.memfd_create("tasuki-waiting-record")

    @property
    def setting(self) -> str:
        """The value of TASUKI_WAITING_RECORD for the ranks."""
        return setting_of(self._fd)

    def lines(self, awaited: Container[int], until_s: float) -> list[str]:
        """What waited for these ranks, or for nobody that is known, shortly before `until_s` (of
        the monotonic clock): as in "rank 0: main waits for the result of f(int) on rank 2"."""
        found = []
        for rank in range(os.fstat(self._fd).st_size // _SLOT_BYTES):
            slot = os.pread(self._fd, _SLOT_BYTES, rank * _SLOT_BYTES)
            written, *waits = slot.rstrip(b"\0").decode(errors="replace").splitlines() or ["0"]
            if until_s - int(written) * 1e-9 > _RECENT_S:
                continue
            for wait in waits:
                awaited_rank, _, what = wait.partition(" ")
                if int(awaited_rank) == _NOBODY_KNOWN or int(awaited_rank) in awaited:
                    found.append(f"rank {rank}: {what}")
        return found
