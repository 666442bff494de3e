"""Standard input of a job over several hosts, on its way to rank 0.

The process that starts rank 0 asks the launcher for it over a connection of its own, so that input
which rank 0 does not read holds up neither orders nor signals. Each side copies in a thread.
"""

import contextlib
import errno
import os
import socket
import threading
from collections.abc import Callable, Iterator

from tasuki.launcher.descriptors import is_readable
from tasuki.launcher.supervisor import say

INPUT_FD = 0
_PIECE_BYTES = 1 << 16
_WAIT_S = 1.0  # For one that does not block its readers.


def pass_input_to(taker: socket.socket) -> None:
    """Sends all of this process's standard input, and then its end. Closes the socket.

    Of a terminal it sends nothing, because only one group of processes may read that.
    """
    taker.settimeout(None)

    def copy() -> None:
        with taker, contextlib.suppress(OSError):  # Rank 0 has ended.
            for piece in _pieces():
                taker.sendall(piece)

    _start(copy)


def _pieces() -> Iterator[bytes]:
    """What can be read. Says why, if that is not all of it."""
    while not os.isatty(INPUT_FD):
        try:
            piece = os.read(INPUT_FD, _PIECE_BYTES)
        except BlockingIOError:
            is_readable(INPUT_FD, _WAIT_S)
            continue
        except OSError as error:
            if error.errno != errno.EBADF:  # Else there is none.
                say(f"standard input cannot be read, so it ends here for rank 0: {error.strerror}")
            return
        if not piece:
            return
        yield piece


def take_input(connect: Callable[[], socket.socket], into_fd: int) -> None:
    """Writes what comes over the connection, until its end. Closes both."""

    def copy() -> None:
        try:
            with connect() as giver:
                while piece := giver.recv(_PIECE_BYTES):
                    _write_all(into_fd, piece)
        except BrokenPipeError:
            pass  # Rank 0 has ended, or has closed it.
        except OSError as error:
            say(f"standard input ends here for rank 0, as the launcher is gone: {error.strerror}")
        os.close(into_fd)

    _start(copy)


def _write_all(fd: int, piece: bytes) -> None:
    while piece:
        piece = piece[os.write(fd, piece) :]


def _start(copy: Callable[[], None]) -> None:
    # The process does not wait for it at its end.
    threading.Thread(target=copy, daemon=True).start()
