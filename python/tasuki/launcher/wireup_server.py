"""Joins ranks that nothing joins yet: what each gives, all get; what few need, they ask for
(docs/design/launch.md).

Ranks connect over TCP and show the job's key. All numbers are in the byte order of the machine, as
all hosts of a job have the same.
"""

import contextlib
import errno
import itertools
import secrets
import socket
import struct
import time
from collections.abc import Sequence

from tasuki.launcher.descriptors import allow_for_ranks, is_readable
from tasuki.launcher.event_loop import EventLoop
from tasuki.launcher.job_states import FINISHED, JOINED, NOT_THERE, RUNNING
from tasuki.launcher.passed_input import pass_input_to
from tasuki.launcher.supervisor import say
from tasuki.launcher.wireup_connection import WireupConnection

_HELLO = struct.Struct("=II32s")  # The word, the rank, the key.
_HELLO_WORD = 0x5441534D
_HEAD = struct.Struct("=II")  # What is wanted, and its argument: the bytes that follow, or a rank.
_ADDRESS = struct.Struct("=III")  # The word, the rank, the bytes that follow.
_ALLGATHER, _SUM, _PUBLISH, _ASK, _FINISH, _UNREACHABLE = range(1, 7)
_SUMS = struct.Struct("=QQ")
_INPUT_TAKER = 0xFFFFFFFF  # In place of a rank: who takes standard input for rank 0.
_BLOCK_MOST_BYTES = 1 << 20
HELLO_WITHIN_S = 30.0  # A process says it as soon as it has connected.
OTHER_VERSION = (
    "a rank's program was built with another version of Tasuki than this command, or for another "
    "order of bytes. Remedy: build the program again, or run it with the command of its version"
)
NO_DESCRIPTOR = (
    "the launcher has no file descriptor left for a rank that connects. Remedy: raise the limit of "
    "open files (ulimit -Hn), to four for each rank"
)
LIMIT_WAIT_S = 0.1  # Until it is seen whether there is a descriptor again.
LAST_WORD_WAIT_S = 1.0  # Between hosts it may come later than the end is told.


class WireupServer:
    """The wire-up of one job, inside the loop of its supervisor.

    Whoever does not know the key is cut off; so is a second process that claims a rank.
    """

    def __init__(self, rank_count: int, host: str = "127.0.0.1", names: Sequence[str] = ()) -> None:
        """`host` is the address by which ranks reach this machine, `names` are those of the ranks'
        hosts, if they have several."""
        allow_for_ranks(rank_count)
        self._key = secrets.token_hex(16)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listening = socket.create_server((host, 0), family=family, backlog=rank_count)
        self._listening.setblocking(False)
        shown = f"[{host}]" if ":" in host else host
        self.place = (host, int(self._listening.getsockname()[1]))
        self.setting = f"{shown}:{self.place[1]} {self._key}"
        self._states = [NOT_THERE] * rank_count
        self._ranks: dict[int, WireupConnection] = {}
        self._strangers: set[WireupConnection] = set()  # Who has not said yet who it is.
        self._blocks: dict[int, tuple[int, bytes]] = {}  # Of the round that is under way.
        self._published: dict[int, bytes] = {}  # As it is answered.
        self._has_told_of_other_version = False
        self._has_told_of_limit = False
        self._is_listening = False
        self._names = names
        self._has_told_of_unreachable = False
        self._askers: dict[int, list[WireupConnection]] = {}  # For what is not published yet.
        self._is_input_taken = False
        self._answered: set[WireupConnection] = set()  # Answers have been put, and not yet sent.

    def attach(self, loop: EventLoop) -> None:
        """As of JobStates."""
        self._loop = loop
        self._listen()

    def state(self, rank: int) -> int:
        return self._states[rank]

    def catch_up(self, rank: int) -> None:
        """As of JobStates. The end of its process may be seen before its last word is read."""
        give_up = time.monotonic() + LAST_WORD_WAIT_S
        while self._states[rank] != FINISHED and rank in self._ranks:
            connection = self._ranks[rank]
            left_s = max(0.0, give_up - time.monotonic())
            if not is_readable(connection.socket.fileno(), left_s):
                return  # What it has started holds the connection.
            self._read(connection)

    def first_failed(self) -> int | None:
        return None

    def is_of_other_version(self) -> bool:
        return False  # It would not have been let in.

    def close(self) -> None:
        """As of JobStates. Who connects later is refused."""
        if self._is_listening:
            self._loop.forget(self._listening.fileno())
            self._is_listening = False
        self._listening.close()
        for connection in [*self._strangers, *self._ranks.values()]:
            self._close(connection)

    def _accept(self) -> None:
        try:
            peer, _ = self._listening.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._wait_at_limit()
            return  # Else it has gone before it was seen.
        connection = WireupConnection(peer, self._loop)
        self._strangers.add(connection)
        self._loop.listen(peer.fileno(), lambda: self._read(connection))
        self._loop.call_after(HELLO_WITHIN_S, lambda: self._end_stranger(connection))

    def _listen(self) -> None:
        if self._listening.fileno() >= 0:  # Else it has been closed meanwhile.
            self._loop.listen(self._listening.fileno(), self._accept)
            self._is_listening = True

    def _wait_at_limit(self) -> None:
        """Who is not let in keeps the socket readable, so the loop would ask without end."""
        if not self._has_told_of_limit:
            self._has_told_of_limit = True
            say(NO_DESCRIPTOR)
        self._loop.forget(self._listening.fileno())
        self._is_listening = False
        self._loop.call_after(LIMIT_WAIT_S, self._listen)

    def _end_stranger(self, connection: WireupConnection) -> None:
        """Who connects and says nothing would hold a descriptor for ever."""
        if connection.rank is None:
            self._close(connection)

    def _read(self, connection: WireupConnection) -> None:
        if not connection.receive() or not self._take(connection):
            self._close(connection)
        # Many answers to one rank leave together.
        while self._answered:
            self._flush(self._answered.pop())

    def _take(self, connection: WireupConnection) -> bool:
        """Takes what has been received whole. Returns: is it what a rank sends?"""
        if connection.rank is None:
            if len(connection.received) < _HELLO.size:
                return True
            if not self._join(connection):
                return False
        while len(connection.received) >= _HEAD.size:
            word, argument = _HEAD.unpack_from(connection.received)
            block_bytes = argument if word in (_ALLGATHER, _SUM, _PUBLISH) else 0
            if block_bytes > _BLOCK_MOST_BYTES:
                return False
            end = _HEAD.size + block_bytes
            if len(connection.received) < end:
                return True
            block = bytes(connection.received[_HEAD.size : end])
            del connection.received[:end]
            if not self._do(connection, word, argument, block):
                return False
        return True

    def _do(self, connection: WireupConnection, word: int, argument: int, block: bytes) -> bool:
        """Does what the rank wants. Returns: is that anything?"""
        assert connection.rank is not None
        if word in (_ALLGATHER, _SUM):
            self._blocks[connection.rank] = (word, block)
            if len(self._blocks) == len(self._states):
                self._end_round()
        elif word == _PUBLISH:
            answer = _ADDRESS.pack(_ASK, connection.rank, len(block)) + block
            self._published[connection.rank] = answer
            for asker in self._askers.pop(connection.rank, []):
                self._answer(asker, answer)
        elif word == _ASK and argument < len(self._states):
            if argument in self._published:
                self._answer(connection, self._published[argument])
            else:
                self._askers.setdefault(argument, []).append(connection)
        elif word == _UNREACHABLE and argument < len(self._states):
            self._let_report(connection, argument)
        elif word == _FINISH:
            self._states[connection.rank] = FINISHED
        else:
            return False
        return True

    def _let_report(self, connection: WireupConnection, rank: int) -> None:
        """Who cannot reach the rank is to say so and end, if it is the first: what it says, others
        may find too, and end with it."""
        if self._has_told_of_unreachable:
            return
        self._has_told_of_unreachable = True
        name = self._names[rank].encode() if self._names else b""
        self._answer(connection, _ADDRESS.pack(_UNREACHABLE, rank, len(name)) + name)

    def _join(self, connection: WireupConnection) -> bool:
        word, rank, key = _HELLO.unpack_from(connection.received)
        del connection.received[: _HELLO.size]
        knows_key = secrets.compare_digest(key, self._key.encode())
        if not knows_key:
            return False
        if word != _HELLO_WORD:
            if not self._has_told_of_other_version:
                self._has_told_of_other_version = True
                say(OTHER_VERSION)
            return False
        if rank == _INPUT_TAKER and not self._is_input_taken:
            self._is_input_taken = True
            pass_input_to(connection.socket.dup())
        if rank >= len(self._states):
            return False
        if rank in self._ranks:
            return False
        connection.rank = rank
        self._strangers.discard(connection)
        self._ranks[rank] = connection
        self._states[rank] = JOINED
        return True

    def _end_round(self) -> None:
        """All ranks have given their blocks of this round: all get what comes of them."""
        words = {word for word, _ in self._blocks.values()}
        blocks = [self._blocks[rank][1] for rank in range(len(self._states))]
        self._blocks.clear()
        alike = len(words) == 1 and len(set(map(len, blocks))) == 1
        if not alike or (words == {_SUM} and len(blocks[0]) != _SUMS.size):
            for connection in list(self._ranks.values()):
                self._close(connection)  # Ranks of one build do the same.
            return
        whole = _sums_of(blocks) if words == {_SUM} else _runs_of(blocks)
        for rank, connection in list(self._ranks.items()):
            if self._states[rank] == JOINED:
                self._states[rank] = RUNNING
            self._answer(connection, whole)

    def _answer(self, connection: WireupConnection, answer: bytes) -> None:
        connection.put(answer)
        self._answered.add(connection)

    def _flush(self, connection: WireupConnection) -> None:
        if connection.is_open and not connection.flush(lambda: self._flush(connection)):
            self._close(connection)  # Its process has ended, which its watcher tells.

    def _close(self, connection: WireupConnection) -> None:
        if not connection.is_open:
            return
        for askers in self._askers.values():
            with contextlib.suppress(ValueError):
                askers.remove(connection)
        connection.close()
        self._strangers.discard(connection)
        if connection.rank is not None:
            self._ranks.pop(connection.rank, None)


def _runs_of(blocks: list[bytes]) -> bytes:
    """The answer to an allgather. Neighbours that have given the same are one run: their number,
    and the block once."""
    runs = [(len(list(run)), block) for block, run in itertools.groupby(blocks)]
    counts = [count for count, _ in runs]
    head = struct.pack(f"={2 + len(runs)}I", _ALLGATHER, len(runs), *counts)
    return head + b"".join(block for _, block in runs)


def _sums_of(blocks: list[bytes]) -> bytes:
    """The answer to a sum."""
    both = [_SUMS.unpack(block) for block in blocks]
    sums = _SUMS.pack(sum(one for one, _ in both), sum(other for _, other in both))
    return struct.pack("=I", _SUM) + sums


def connect_for_input(setting: str) -> socket.socket:
    """Over which the launcher sends its standard input; `setting` is the server's."""
    place, key = setting.split()
    host, _, port = place.rpartition(":")
    taker = socket.create_connection((host.strip("[]"), int(port)))
    taker.sendall(_HELLO.pack(_HELLO_WORD, _INPUT_TAKER, key.encode()))
    return taker
