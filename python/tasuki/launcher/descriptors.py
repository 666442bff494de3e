"""File descriptors of a launcher, which has some of each rank."""

import resource
import select

_OF_A_RANK = 4  # Its connection, its process, and its two streams.
_OF_THE_LAUNCHER = 64


def allow_for_ranks(rank_count: int) -> None:
    """Raises this process's limit of open files, and that of the ranks it starts, if these are too
    many for it; to as many as the system allows."""
    needed = _OF_THE_LAUNCHER + _OF_A_RANK * rank_count
    limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY or needed <= limit:
        return
    raised = needed if most == resource.RLIM_INFINITY else min(needed, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (raised, most))


def is_readable(descriptor: int, timeout_s: float) -> bool:
    """Is there something to read, or an end, within the time? Any number of descriptor will do,
    where select(2) takes only those below 1024."""
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    return bool(poller.poll(timeout_s * 1000))
