"""The wire-up of a job: who may join it, what all get of what each gives, and what one asks for."""

import errno
import os
import socket
import struct
import threading
import time

import pytest
from tasuki.launcher import passed_input, wireup_server
from tasuki.launcher.event_loop import EventLoop
from tasuki.launcher.job_states import FINISHED, JOINED, NOT_THERE, RUNNING
from tasuki.launcher.wireup_server import WireupServer

HELLO_WORD = 0x5441534D
ALLGATHER, SUM, PUBLISH, ASK, FINISH, UNREACHABLE = range(1, 7)
INPUT_TAKER = 0xFFFFFFFF


class Loop:
    """The supervisor's loop for a server, in a thread of its own."""

    def __init__(self, server: WireupServer) -> None:
        self._loop = EventLoop()
        self._end_reader, self._end_writer = os.pipe()
        self._has_ended = False
        self._loop.listen(self._end_reader, self._end)
        server.attach(self._loop)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._has_ended:
            self._loop.run_once(None)

    def _end(self) -> None:
        self._has_ended = True

    def end(self) -> None:
        os.close(self._end_writer)
        self._thread.join()
        os.close(self._end_reader)


class Steps(EventLoop):
    """A loop of which a test makes each call itself: those of the listening socket, then those of
    connections in the order in which they have come."""

    def __init__(self, server: WireupServer) -> None:
        super().__init__()
        self.calls = {}
        server.attach(self)

    def listen(self, fd, on_readable) -> None:
        super().listen(fd, on_readable)
        self.calls[fd] = on_readable

    def forget(self, fd) -> None:
        super().forget(fd)
        del self.calls[fd]


@pytest.fixture
def server():
    server = WireupServer(2)
    loop = Loop(server)
    yield server
    loop.end()
    server.close()


class Rank:
    def __init__(self, server: WireupServer, rank: int, key: str = "", word: int = HELLO_WORD):
        place, own_key = server.setting.split()
        host, _, port = place.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=30)
        self.socket.sendall(struct.pack("=II32s", word, rank, (key or own_key).encode()))

    def say(self, word: int, argument: int, block: bytes = b"") -> None:
        self.socket.sendall(struct.pack("=II", word, argument) + block)

    def give(self, block: bytes) -> None:
        self.block_bytes = len(block)
        self.say(ALLGATHER, len(block), block)

    def take(self) -> list[bytes]:
        word, runs = struct.unpack("=II", self.take_bytes(8))
        assert word == ALLGATHER
        counts = struct.unpack(f"={runs}I", self.take_bytes(4 * runs))
        return [block for count in counts for block in [self.take_bytes(self.block_bytes)] * count]

    def ask(self, rank: int) -> bytes:
        self.say(ASK, rank)
        return self.take_address(rank)

    def take_address(self, of: int) -> bytes:
        word, rank, block_bytes = struct.unpack("=III", self.take_bytes(12))
        assert (word, rank) == (ASK, of)
        return self.take_bytes(block_bytes)

    def add(self, *own: int) -> None:
        self.say(SUM, 16, struct.pack("=QQ", *own))

    def sums(self) -> tuple[int, ...]:
        word, *sums = struct.unpack("=IQQ", self.take_bytes(20))
        assert word == SUM
        return tuple(sums)

    def is_cut_off(self) -> bool:
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def take_bytes(self, count: int) -> bytes:
        received = b""
        while len(received) < count:
            more = self.socket.recv(count - len(received))
            assert more, "the server has closed the connection"
            received += more
        return received


def test_all_get_what_each_gives(server):
    ranks = [Rank(server, rank) for rank in range(2)]
    for blocks in ([b"", b""], [b"x" * 100_000, b"y" * 100_000], [b"again", b"again"]):
        for rank, block in zip(ranks, blocks, strict=True):
            rank.give(block)
        assert [rank.take() for rank in ranks] == [blocks, blocks]


def test_one_rank_alone_reports_that_another_cannot_be_reached():
    server = WireupServer(3, names=["a", "b", "b"])
    loop = Loop(server)
    try:
        first, second = Rank(server, 0), Rank(server, 2)
        first.say(UNREACHABLE, 1)
        assert first.take_bytes(13) == struct.pack("=III", UNREACHABLE, 1, 1) + b"b"
        second.say(UNREACHABLE, 0)
        second.say(PUBLISH, 4, b"here")
        assert second.ask(2) == b"here"  # Of what it has said before there is no answer.
    finally:
        loop.end()
        server.close()


def test_on_one_host_there_is_no_name_of_an_unreachable_one(server):
    rank = Rank(server, 0)
    rank.say(UNREACHABLE, 1)
    assert rank.take_bytes(12) == struct.pack("=III", UNREACHABLE, 1, 0)


class FullAtFirst:
    """A listening socket of a process that has no descriptor for the first who comes."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self._has_refused = False

    def __getattr__(self, name: str):
        return getattr(self._listening, name)

    def accept(self):
        if not self._has_refused:
            self._has_refused = True
            raise OSError(errno.EMFILE, "no descriptor")
        return self._listening.accept()


def test_without_a_descriptor_the_server_waits_before_it_tries_again():
    server = WireupServer(1)
    server._listening = FullAtFirst(server._listening)
    loop = EventLoop()
    server.attach(loop)
    rank = Rank(server, 0)
    assert loop.run_once(30)
    assert not loop.run_once(wireup_server.LIMIT_WAIT_S / 2)
    while server.state(0) != JOINED:
        loop.run_once(30)
    server.close()
    rank.socket.close()


def test_a_round_ends_when_the_last_has_given(server):
    first = Rank(server, 0)
    first.give(b"early")
    first.socket.settimeout(0.2)
    with pytest.raises(TimeoutError):
        first.socket.recv(1)
    first.socket.settimeout(30)
    second = Rank(server, 1)
    second.give(b"later")
    assert first.take() == second.take() == [b"early", b"later"]


def test_what_all_ranks_say_alike_is_sent_once():
    server = WireupServer(64)
    loop = Loop(server)
    ranks = [Rank(server, rank) for rank in range(64)]
    block = b"x" * 1000
    for rank in ranks:
        rank.give(block)
    assert ranks[0].take_bytes(1012) == struct.pack("=III", ALLGATHER, 1, 64) + block
    loop.end()
    server.close()


def test_sums_are_over_all_ranks(server):
    ranks = [Rank(server, rank) for rank in range(2)]
    ranks[0].add(1, 1 << 40)
    ranks[1].add(2, 3)
    assert [rank.sums() for rank in ranks] == [(3, (1 << 40) + 3)] * 2


def test_who_asks_gets_what_one_rank_has_published_as_soon_as_it_has(server):
    first, second = (Rank(server, rank) for rank in range(2))
    second.say(PUBLISH, 7, b"second!")
    assert first.ask(1) == b"second!"
    second.say(ASK, 0)
    second.socket.settimeout(0.2)
    with pytest.raises(TimeoutError):
        second.socket.recv(1)
    second.socket.settimeout(30)
    first.say(PUBLISH, 5, b"first")
    assert second.take_address(0) == b"first"


def test_one_rank_may_ask_for_several_at_once(server):
    first, second = (Rank(server, rank) for rank in range(2))
    first.say(PUBLISH, 5, b"first")
    first.ask(0)
    second.say(ASK, 1)
    second.say(ASK, 0)
    second.add(1, 2)
    assert second.take_address(0) == b"first", "it need not wait for one that is not there yet"
    second.say(PUBLISH, 7, b"second!")
    assert second.take_address(1) == b"second!"
    first.add(3, 4)
    assert second.sums() == (4, 6)


def test_a_rank_that_does_not_read_makes_no_other_wait(server):
    """What is on its way to it is more than the kernel keeps."""
    idle, reader = (Rank(server, rank) for rank in range(2))
    reader.say(PUBLISH, 1 << 20, bytes(1 << 20))
    asks_count = 64
    for _ in range(asks_count):
        idle.say(ASK, 1)
    began = time.monotonic()
    assert len(reader.ask(1)) == 1 << 20
    assert time.monotonic() - began < 10
    for _ in range(asks_count):
        assert len(idle.take_address(1)) == 1 << 20


def test_who_connects_and_says_nothing_is_cut_off(monkeypatch):
    monkeypatch.setattr(wireup_server, "HELLO_WITHIN_S", 0.2)
    server = WireupServer(1)
    loop = Loop(server)
    silent = socket.create_connection(server.place, timeout=30)
    rank = Rank(server, 0)
    rank.give(b"")
    assert rank.take() == [b""]
    assert silent.recv(1) == b""
    time.sleep(0.3)  # A rank stays.
    rank.give(b"")
    assert rank.take() == [b""]
    loop.end()
    server.close()


def test_a_server_that_closes_cuts_off_who_has_not_said_who_it_is():
    server = WireupServer(1)
    loop = Steps(server)
    stranger = socket.create_connection(server.place, timeout=30)
    next(iter(loop.calls.values()))()  # Accepts it.
    assert len(loop.calls) == 2
    server.close()
    assert not loop.calls
    assert stranger.recv(1) == b""


def test_a_rank_that_has_ended_gets_no_answer():
    server = WireupServer(2)
    calls = Steps(server).calls
    ranks = [Rank(server, rank) for rank in range(2)]
    for _ in ranks:
        next(iter(calls.values()))()  # Accepts a connection.
    ranks[0].say(ASK, 1)
    ranks[0].socket.close()
    of_first, of_second = list(calls.values())[1:]
    of_first()
    of_first()  # The end of it.
    ranks[1].say(PUBLISH, 1, b"x")
    of_second()
    assert server.state(1) == JOINED
    server.close()


def test_ranks_that_do_not_do_the_same_are_cut_off(server):
    first, second = (Rank(server, rank) for rank in range(2))
    first.give(b"longer")
    second.give(b"short")
    assert first.is_cut_off() and second.is_cut_off()


def test_an_unknown_wish_is_refused(server):
    for word, argument in ((0, 0), (7, 0), (ASK, 2), (UNREACHABLE, 2)):
        rank = Rank(server, 0)
        rank.say(word, argument)
        assert rank.is_cut_off()


def test_the_last_word_of_a_rank_that_has_ended_is_read_before_its_state_counts(monkeypatch):
    monkeypatch.setattr(wireup_server, "LAST_WORD_WAIT_S", 0.1)
    server = WireupServer(2)
    calls = Steps(server).calls
    ranks = [Rank(server, rank) for rank in range(2)]
    for _ in ranks:
        next(iter(calls.values()))()  # Accepts a connection,
    for call in list(calls.values())[1:]:
        call()  # and lets its rank join.
    ranks[0].say(FINISH, 0)
    ranks[0].socket.close()
    assert server.state(0) == JOINED  # As it was when the loop last looked.
    server.catch_up(0)
    server.catch_up(1)  # It says nothing, and what it has started may never end.
    assert [server.state(rank) for rank in range(2)] == [FINISHED, JOINED]
    server.close()


def test_states_follow_the_ranks(server):
    assert [server.state(rank) for rank in range(2)] == [NOT_THERE, NOT_THERE]
    ranks = [Rank(server, rank) for rank in range(2)]
    ranks[0].give(b"")
    ranks[1].give(b"")
    assert ranks[0].take() == ranks[1].take() == [b"", b""]
    assert [server.state(rank) for rank in range(2)] == [RUNNING, RUNNING]
    ranks[1].say(FINISH, 0)
    ranks[1].give(b"")
    ranks[0].give(b"")
    ranks[0].take()
    assert [server.state(rank) for rank in range(2)] == [RUNNING, FINISHED]


@pytest.mark.parametrize(
    ("rank", "options"),
    [
        (0, {"key": "0" * 32}),
        (0, {"word": 0x4B534154}),  # The other order of bytes.
        (2, {}),
    ],
)
def test_who_does_not_belong_to_the_job_is_cut_off(server, rank, options):
    assert Rank(server, rank, **options).is_cut_off()
    assert server.state(0) == NOT_THERE


def test_a_program_of_another_version_is_named_once(server, capfd):
    for rank in range(2):
        assert Rank(server, rank, word=HELLO_WORD - 1).is_cut_off()
    assert Rank(server, 0, key="0" * 32, word=1).is_cut_off()  # A stranger.
    said = capfd.readouterr().err
    assert said.count("was built with another version of Tasuki than this command") == 1


def test_a_second_process_cannot_be_the_same_rank(server):
    first = Rank(server, 0)
    first.give(b"")
    assert Rank(server, 0).is_cut_off()
    assert server.state(0) == JOINED


def test_a_block_that_is_too_long_is_refused(server):
    rank = Rank(server, 0)
    rank.say(ALLGATHER, (1 << 20) + 1)
    assert rank.is_cut_off()


def test_one_process_that_knows_the_key_takes_the_input(server, monkeypatch):
    reader, writer = os.pipe()
    monkeypatch.setattr(passed_input, "INPUT_FD", reader)
    assert Rank(server, INPUT_TAKER, key="0" * 32).is_cut_off()
    taker = wireup_server.connect_for_input(server.setting)
    os.write(writer, b"some")
    assert taker.recv(4) == b"some"
    assert Rank(server, INPUT_TAKER).is_cut_off(), "it is taken"
    os.close(writer)
    assert taker.recv(1) == b"", "its end is passed on"
    assert server.state(0) == NOT_THERE


def test_input_that_does_not_block_is_waited_for(server, monkeypatch):
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    monkeypatch.setattr(passed_input, "INPUT_FD", reader)
    taker = wireup_server.connect_for_input(server.setting)
    taker.settimeout(0.2)
    with pytest.raises(TimeoutError):
        taker.recv(1)
    taker.settimeout(30)
    os.write(writer, b"late")
    assert taker.recv(4) == b"late"
    os.close(writer)
    assert taker.recv(1) == b""


def test_input_that_cannot_be_read_is_told(server, monkeypatch, tmp_path, capfd):
    folder = os.open(tmp_path, os.O_RDONLY)
    monkeypatch.setattr(passed_input, "INPUT_FD", folder)
    taker = wireup_server.connect_for_input(server.setting)
    assert taker.recv(1) == b""
    os.close(folder)
    said = "standard input cannot be read, so it ends here for rank 0: Is a directory"
    assert said in capfd.readouterr().err
