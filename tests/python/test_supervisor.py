"""The supervisor of ranks, without any: how it ends."""

import os
import signal
import socket
import time

import pytest
from tasuki.launcher import supervisor as module
from tasuki.launcher.supervisor import ENDING, FORWARDED, STOPPING, Supervisor
from tasuki.launcher.tagged_output import TaggedStream
from tasuki.launcher.wireup_server import WireupServer

NOT_ENDING_S = 20.0


@pytest.fixture
def states():
    states = WireupServer(1)
    yield states
    states.close()


@pytest.fixture
def supervisor(monkeypatch, states):
    """One that waits little; signals are handled as before when the test has ended."""
    monkeypatch.setattr(module, "ORPHAN_WAIT_S", 0.2)
    numbers = ENDING + FORWARDED + STOPPING
    handlers = {number: signal.getsignal(number) for number in numbers}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    wakeup_fd = signal.set_wakeup_fd(-1)
    supervisor = Supervisor(states, under_debugger=False)
    states.attach(supervisor.loop)
    yield supervisor
    signal.set_wakeup_fd(wakeup_fd)
    for number, handler in handlers.items():
        signal.signal(number, handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


class EndedRank:
    def __init__(self) -> None:
        self.pidfd, self._writer = os.pipe()

    def signal_group(self, number: int) -> None:
        pass

    def reap(self) -> None:
        os.close(self._writer)


@pytest.fixture
def stream(supervisor):
    """Of a rank that has ended; a process that has left the job holds it open."""
    shown, shown_writer = os.pipe()
    os.set_blocking(shown, False)
    stream = TaggedStream(0, shown_writer)
    held = os.dup(stream.writer_fd)
    supervisor.add(EndedRank(), [stream])
    yield held, shown
    for fd in (held, shown, shown_writer):
        os.close(fd)


@pytest.mark.usefixtures("stream")
def test_events_without_output_do_not_put_off_the_end(supervisor):
    ready, writer = os.pipe()
    os.write(writer, b"x")
    began = time.monotonic()

    def take() -> None:
        if time.monotonic() - began > NOT_ENDING_S:
            supervisor.loop.forget(ready)

    supervisor.loop.listen(ready, take)
    supervisor.clean_up()
    assert time.monotonic() - began < NOT_ENDING_S
    os.close(ready)
    os.close(writer)


def test_the_last_output_is_passed_on(supervisor, stream):
    held, shown = stream
    os.write(held, b"last words\n")
    supervisor.clean_up()
    assert os.read(shown, 100) == b"[0] last words\n"


@pytest.mark.usefixtures("stream")
def test_who_connects_when_all_ranks_have_ended_is_refused(supervisor, states):
    early = socket.create_connection(states.place, timeout=30)
    refused = []

    def connect() -> None:
        try:
            socket.create_connection(states.place, timeout=30).close()
        except ConnectionRefusedError as error:
            refused.append(error)

    supervisor.loop.call_after(0, connect)  # While the last output is waited for.
    supervisor.clean_up()
    assert refused
    with pytest.raises(ConnectionResetError):
        early.recv(1)
    early.close()


def test_what_is_left_of_a_line_is_passed_on(supervisor, stream):
    held, shown = stream
    os.write(held, b"half")
    supervisor.clean_up()
    assert os.read(shown, 100) == b"[0] half\n"


def test_a_signal_ends_the_wait_for_who_goes_on_writing(supervisor, stream, capfd):
    held, shown = stream
    began = time.monotonic()

    def print_on() -> None:
        if time.monotonic() - began < NOT_ENDING_S:
            os.write(held, b"half")
            supervisor.loop.call_after(0.02, print_on)

    print_on()
    supervisor.loop.call_after(0.5, lambda: os.kill(os.getpid(), signal.SIGTERM))
    supervisor.clean_up()
    assert time.monotonic() - began < NOT_ENDING_S
    assert os.read(shown, 1000).endswith(b"half\n")
    assert "SIGTERM: ending all ranks" in capfd.readouterr().err
