"""How much more memory processes have had at once than when the question was put."""

import re
from collections.abc import Iterable
from pathlib import Path

from tasuki.launcher.rank_process import children_of

_RESET_PEAK = "5"  # proc(5), clear_refs.


class PeakMemory:
    """Of each of the processes, from its construction on."""

    def __init__(self, pids: Iterable[int]) -> None:
        self._before: dict[int, int] = {}
        for pid in pids:
            Path(f"/proc/{pid}/clear_refs").write_text(_RESET_PEAK)
            self._before[pid] = _bytes_of(pid, "VmRSS")

    def extra_bytes(self) -> list[int]:
        """By process, in the order given: the peak so far less what it had before."""
        return [_bytes_of(pid, "VmHWM") - before for pid, before in self._before.items()]


def processes_of(pid: int, program: str) -> list[int]:
    """Those that run a program of this name, among all that the process has started."""
    found = []
    for child in children_of(pid):
        if Path(f"/proc/{child}/exe").resolve().name == program:
            found.append(child)
        found += processes_of(child, program)
    return found


def _bytes_of(pid: int, field: str) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(rf"^{field}:\s+(\d+) kB", status, re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024
