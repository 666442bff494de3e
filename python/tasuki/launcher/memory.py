"""Whether the ranks of a job fit into the memory of this machine."""

import math
import os

from tasuki.base.errors import usage_error

# What a rank takes at rest: by itself, and for each rank of its node (records, tables). Rings come
# on top as ranks talk. 37 MiB for 64 ranks, 81 MiB for 128 and 192 MiB for 256: proportional set
# sizes and page tables (/proc/PID/smaps_rollup and status) of `tasuki run -n 128
# test-bin/runtime_faults wait_for_signal`.
RANK_BYTES = 544 * 1024
PEER_BYTES = 1024

_OFF = ("0", "no", "off", "false")
_GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


def require_memory(rank_count: int) -> None:
    """Raises CommandError (exit code 2) if so many ranks do not fit; TASUKI_CHECK_MEMORY=0 never.

    It is the kernel that would end something to make room, and not always these ranks.
    """
    if os.environ.get("TASUKI_CHECK_MEMORY") in _OFF:
        return
    needed, available = rest_bytes(rank_count), available_bytes()
    if available is None or needed <= available:
        return
    raise usage_error(
        "run",
        f"-n {rank_count}: so many ranks take about {_mib(needed)} at rest, {_mib(available)} are"
        " available",
        f"start at most {_most_ranks(available)} ranks on this machine, free memory, or set"
        " TASUKI_CHECK_MEMORY=0 to start them all the same",
    )


def rest_bytes(rank_count: int) -> int:
    """Memory of so many ranks that have started and do nothing."""
    return rank_count * (RANK_BYTES + rank_count * PEER_BYTES)


def available_bytes() -> int | None:
    """What the kernel says can be had without swapping, in this control group too."""
    found = [_available_on_machine(), *(_left_in_group(*files) for files in _GROUPS)]
    return min((one for one in found if one is not None), default=None)


def _available_on_machine() -> int | None:
    try:
        with open("/proc/meminfo") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None


def _left_in_group(limit_file: str, usage_file: str) -> int | None:
    try:
        with open(limit_file) as limit, open(usage_file) as usage:
            return max(0, int(limit.read()) - int(usage.read()))
    except (OSError, ValueError):  # There is no such group, or it has no limit ("max").
        return None


def _most_ranks(available: int) -> int:
    """Solves rest_bytes(count) = available."""
    discriminant = RANK_BYTES**2 + 4 * PEER_BYTES * available
    return (math.isqrt(discriminant) - RANK_BYTES) // (2 * PEER_BYTES)


def _mib(size_bytes: int) -> str:
    return f"{size_bytes // 2**20} MiB"
