"""Signals that cut a measurement off: what it has found is shown, also where nobody reads."""

import os
import signal
import subprocess
import sys

import pytest
from tasuki.base.interrupts import until_interrupted

# Measures until a signal comes; shows on a terminal which step goes on.
MEASURE = """
import sys, time
from tasuki.base.interrupts import until_interrupted
from tasuki.output.progress import stepping

with until_interrupted() as interruption, stepping(2, "one", "two") as begin_step:
    begin_step("first")
    print("measuring", flush=True)
    time.sleep(60)
print("found")
sys.exit(interruption.exit_code())
"""


def test_what_was_found_is_shown_when_the_terminal_is_gone(tasuki):
    ours, its = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", MEASURE],
        env=tasuki.environment | {"TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=its,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "measuring\n"
    os.close(its)
    os.close(ours)
    process.send_signal(signal.SIGHUP)
    assert process.communicate(timeout=60)[0] == "found\n"
    assert process.returncode == 128 + signal.SIGHUP


def test_a_signal_that_is_ignored_stays_so():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with until_interrupted() as interruption:
            os.kill(os.getpid(), signal.SIGHUP)
        assert not interruption.has_come
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.fixture
def kept_handlers():
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    yield before
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("kept_handlers")
def test_the_first_signal_ends_the_block_and_the_others_do_nothing():
    done = []
    with until_interrupted() as interruption:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            done.append("after the signal")
        finally:
            os.kill(os.getpid(), signal.SIGINT)
            done.append("on the way out")
    os.kill(os.getpid(), signal.SIGHUP)
    assert done == ["on the way out"]
    assert interruption.signal_number == signal.SIGTERM


@pytest.mark.usefixtures("kept_handlers")
def test_what_is_held_back_is_done_whole():
    done = []
    with until_interrupted() as interruption:
        with interruption.held_back():
            os.kill(os.getpid(), signal.SIGTERM)
            done.append("written")
        done.append("next")
    assert done == ["written"]
    assert interruption.has_come


def test_handlers_come_back_and_failures_go_on(kept_handlers):
    with pytest.raises(OSError, match="full"), until_interrupted():
        raise OSError("full")
    assert {number: signal.getsignal(number) for number in kept_handlers} == kept_handlers
