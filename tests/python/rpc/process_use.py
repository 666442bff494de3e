"""What a server's processes have of what must not grow: descriptors, threads and memory."""

import contextlib
import gc
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from conftest import name_of, wait_for
from serving import ServeCommand

GROWTH_KIB = 4096
_PATIENCE_S = 60


@dataclass(frozen=True)
class ProcessUse:
    descriptors_count: int
    threads_count: int
    memory_kib: int

    def is_within(self, most: "ProcessUse") -> bool:
        return (
            self.descriptors_count <= most.descriptors_count
            and self.threads_count <= most.threads_count
            and self.memory_kib <= most.memory_kib + GROWTH_KIB
        )


def use_of(pid: int) -> ProcessUse:
    folder = Path(f"/proc/{pid}")
    memory_kib = int(re.search(r"VmRSS:\s+(\d+)", (folder / "status").read_text())[1])
    return ProcessUse(len(os.listdir(folder / "fd")), len(os.listdir(folder / "task")), memory_kib)


def most_of(uses: list[ProcessUse]) -> ProcessUse:
    return ProcessUse(
        *(max(getattr(one, name) for one in uses) for name in ProcessUse.__dataclass_fields__)
    )


def _names_of(serving: ServeCommand) -> dict[int, str]:
    return {pid: name_of(pid) for pid in serving.command.processes()}


@contextlib.contextmanager
def nothing_grows(serving: ServeCommand) -> Iterator[None]:
    """When what happens meanwhile is over, there are as many processes of each name as before, and
    none has more than those of its name had, but for a little memory.

    Ranks may be others, as some calls let them start anew. Requires: they have joined.
    """
    before = _names_of(serving)
    most = {
        name: most_of([use_of(pid) for pid, other in before.items() if other == name])
        for name in before.values()
    }
    yield
    gc.collect()  # Clients of this process have gone.
    now: dict[int, str] = {}
    uses: dict[int, ProcessUse] = {}

    def is_as_before() -> bool:
        nonlocal now, uses
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # One that ends.
            now = _names_of(serving)
            uses = {pid: use_of(pid) for pid in now}
            return Counter(now.values()) == Counter(before.values()) and all(
                use.is_within(most[now[pid]]) for pid, use in uses.items()
            )
        return False

    try:
        wait_for(is_as_before, _PATIENCE_S)
    except AssertionError:
        found = {f"{name} {pid}": uses.get(pid) for pid, name in now.items()}
        raise AssertionError(f"{found} is more than {most}") from None
