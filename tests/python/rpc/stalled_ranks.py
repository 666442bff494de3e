"""Ranks in the middle of a transfer, as the system tells it of their connections."""

import os
from pathlib import Path

_STATE_LISTEN = "0A"
_STATE_ESTABLISHED = "01"
STALLED_BYTES = 64 << 10  # More than messages have.


def _rows() -> list[list[str]]:
    """Of /proc/net/tcp: local address at 1, state at 3, bytes of both queues at 4, inode at 9."""
    return [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]


def _listening_ports(pid: int) -> set[str]:
    folder = Path(f"/proc/{pid}/fd")
    links = {os.readlink(folder / name) for name in os.listdir(folder)}
    return {
        row[1].partition(":")[2]
        for row in _rows()
        if row[3] == _STATE_LISTEN and f"socket:[{row[9]}]" in links
    }


def _queued_bytes(pid: int, queue: int) -> int:
    """The most of its connections that clients have opened: 0 to be sent, 1 to be read."""
    ports = _listening_ports(pid)
    return max(
        (
            int(row[4].split(":")[queue], 16)
            for row in _rows()
            if row[3] == _STATE_ESTABLISHED and row[1].partition(":")[2] in ports
        ),
        default=0,
    )


def is_sent_to(pid: int) -> bool:
    """Has a part of an array come that the rank, which is stopped, has not read?"""
    return _queued_bytes(pid, 1) > STALLED_BYTES


def sends(pid: int) -> bool:
    """Waits a part of the rank's results for a reader, who is stopped?"""
    return _queued_bytes(pid, 0) > STALLED_BYTES
