"""Joins ranks that nothing joins yet: what each gives, all get (docs/design/launch.md).

Ranks connect over TCP and show the job's key. All numbers are in the byte order of the machine, as
all hosts of a job have the same.
"""

import secrets
import select
import socket
import struct
import time

from tasuki.launcher.job_states import FINISHED, JOINED, NOT_THERE, RUNNING, Forget, Listen

_HELLO = struct.Struct("=II32s")  # The word, the rank, the key.
_HELLO_WORD = 0x5441534B
_SIZE = struct.Struct("=I")
_FINISH_WORD = 0xFFFFFFFF
_BLOCK_MOST_BYTES = 1 << 20
_SEND_WITHIN_S = 60.0
LAST_WORD_WAIT_S = 1.0  # Between hosts it may come later than the end is told.


class _Connection:
    def __init__(self, peer: socket.socket) -> None:
        self.socket = peer
        self.received = bytearray()
        self.rank: int | None = None


class WireupServer:
    """The wire-up of one job, inside the loop of its supervisor.

    Whoever does not know the key is cut off; so is a second process that claims a rank.
    """

    def __init__(self, rank_count: int, host: str = "127.0.0.1") -> None:
        """`host` is the address by which ranks reach this machine."""
        self._key = secrets.token_hex(16)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listening = socket.create_server((host, 0), family=family, backlog=rank_count)
        self._listening.setblocking(False)
        shown = f"[{host}]" if ":" in host else host
        self.place = (host, int(self._listening.getsockname()[1]))
        self.setting = f"{shown}:{self.place[1]} {self._key}"
        self._states = [NOT_THERE] * rank_count
        self._ranks: dict[int, _Connection] = {}
        self._blocks: dict[int, bytes] = {}  # Of the round that is under way.

    def attach(self, listen: Listen, forget: Forget) -> None:
        """As of JobStates."""
        self._listen, self._forget = listen, forget
        listen(self._listening.fileno(), self._accept)

    def state(self, rank: int) -> int:
        return self._states[rank]

    def catch_up(self, rank: int) -> None:
        """As of JobStates. The end of its process may be seen before its last word is read."""
        give_up = time.monotonic() + LAST_WORD_WAIT_S
        while self._states[rank] != FINISHED and rank in self._ranks:
            connection = self._ranks[rank]
            left_s = max(0.0, give_up - time.monotonic())
            if not select.select([connection.socket], [], [], left_s)[0]:
                return  # What it has started holds the connection.
            self._read(connection)

    def first_failed(self) -> int | None:
        return None

    def is_of_other_version(self) -> bool:
        return False  # It would not have been let in.

    def close(self) -> None:
        self._forget(self._listening.fileno())
        self._listening.close()
        for connection in list(self._ranks.values()):
            self._close(connection)

    def _accept(self) -> None:
        try:
            peer, _ = self._listening.accept()
        except OSError:
            return  # It has gone before it was seen.
        peer.settimeout(_SEND_WITHIN_S)
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = _Connection(peer)
        self._listen(peer.fileno(), lambda: self._read(connection))

    def _read(self, connection: _Connection) -> None:
        try:
            received = connection.socket.recv(1 << 16)
        except OSError:
            received = b""
        connection.received += received
        if not received or not self._take(connection):
            self._close(connection)

    def _take(self, connection: _Connection) -> bool:
        """Takes what has been received whole. Returns: is it what a rank sends?"""
        if connection.rank is None:
            if len(connection.received) < _HELLO.size:
                return True
            if not self._join(connection):
                return False
        while len(connection.received) >= _SIZE.size:
            (block_bytes,) = _SIZE.unpack_from(connection.received)
            if block_bytes == _FINISH_WORD:
                self._states[connection.rank] = FINISHED
                del connection.received[: _SIZE.size]
                continue
            if block_bytes > _BLOCK_MOST_BYTES:
                return False
            end = _SIZE.size + block_bytes
            if len(connection.received) < end:
                return True
            self._blocks[connection.rank] = bytes(connection.received[_SIZE.size : end])
            del connection.received[:end]
            if len(self._blocks) == len(self._states):
                self._pass_on()
        return True

    def _join(self, connection: _Connection) -> bool:
        word, rank, key = _HELLO.unpack_from(connection.received)
        del connection.received[: _HELLO.size]
        knows_key = secrets.compare_digest(key, self._key.encode())
        if word != _HELLO_WORD or not knows_key or rank >= len(self._states):
            return False
        if rank in self._ranks:
            return False
        connection.rank = rank
        self._ranks[rank] = connection
        self._states[rank] = JOINED
        return True

    def _pass_on(self) -> None:
        """All ranks have given their blocks of this round."""
        blocks = [self._blocks[rank] for rank in range(len(self._states))]
        self._blocks.clear()
        sizes = struct.pack(f"={len(blocks)}I", *map(len, blocks))
        whole = sizes + b"".join(blocks)
        for rank, connection in list(self._ranks.items()):
            if self._states[rank] == JOINED:
                self._states[rank] = RUNNING
            try:
                connection.socket.sendall(whole)
            except OSError:
                self._close(connection)  # Its process has ended, which its watcher tells.

    def _close(self, connection: _Connection) -> None:
        self._forget(connection.socket.fileno())
        connection.socket.close()
        if connection.rank is not None:
            self._ranks.pop(connection.rank, None)
