"""Standard input of a job over several hosts, on its way to rank 0.

The process that starts rank 0 asks the launcher for it over a connection of its own, so that input
which rank 0 does not read holds up neither orders nor signals. Each side copies in a thread.
"""

import contextlib
import os
import socket
import threading
from collections.abc import Callable

INPUT_FD = 0
_PIECE_BYTES = 1 << 16


def pass_input_to(taker: socket.socket) -> None:
    """Sends all of this process's standard input, and then its end. Closes the socket.

    Of a terminal it sends nothing, because only one group of processes may read that.
    """
    taker.settimeout(None)

    def copy() -> None:
        with taker, contextlib.suppress(OSError):
            while not os.isatty(INPUT_FD) and (piece := os.read(INPUT_FD, _PIECE_BYTES)):
                taker.sendall(piece)

    _start(copy)


def take_input(connect: Callable[[], socket.socket], into_fd: int) -> None:
    """Writes what comes over the connection, until its end. Closes both."""

    def copy() -> None:
        with contextlib.suppress(OSError), connect() as giver:
            while piece := giver.recv(_PIECE_BYTES):
                _write_all(into_fd, piece)
        os.close(into_fd)

    _start(copy)


def _write_all(fd: int, piece: bytes) -> None:
    while piece:
        piece = piece[os.write(fd, piece) :]


def _start(copy: Callable[[], None]) -> None:
    # The process does not wait for it at its end.
    threading.Thread(target=copy, daemon=True).start()
