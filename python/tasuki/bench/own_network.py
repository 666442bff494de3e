"""A network of this process's own: its loopback, where all connections use the same algorithm of
congestion control.

Some systems that move arrays choose an algorithm, and others take the default. If all use the same
one, measurements compare the systems and not the algorithms.
"""

import ctypes
import os
import shutil
import subprocess
from pathlib import Path

from tasuki.base.errors import CommandError, usage_error

_NEW_NETWORK = 0x40000000  # CLONE_NEWNET of sched.h.
_CHOSEN = Path("/proc/sys/net/ipv4/tcp_congestion_control")
_AVAILABLE = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")


def congestion_control() -> str:
    """Of this process's network, where connections do not choose another one."""
    return _CHOSEN.read_text().strip()


def enter_own_network(operation: str, algorithm: str) -> None:
    """This thread, and what it starts from now on, has a network that uses the algorithm.

    Raises CommandError if that is not possible here.
    """
    available = _AVAILABLE.read_text().split()
    if algorithm not in available:
        raise usage_error(
            operation,
            f"this system has no congestion control {algorithm}",
            f"choose one of {', '.join(available)}",
        )
    if shutil.which("ip") is None:
        raise CommandError(operation, "there is no program ip", "install iproute2")
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_NETWORK) != 0:
        raise CommandError(
            operation,
            f"a network of its own: {os.strerror(ctypes.get_errno())}",
            "call it as root, or leave --congestion-control out",
        )
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    _CHOSEN.write_text(algorithm)
