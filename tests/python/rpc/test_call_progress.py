"""How far a call is, as terminals, notebooks, logs and functions of the user's show it."""

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import nbclient
import nbformat
import numpy as np
import pytest
from conftest import REPOSITORY, wait_for
from demo_server import DemoServer, needs_server
from tasuki.rpc.call_progress import CallbackDisplay, CallProgress, WatchedCall
from tasuki.rpc.errors import ArgumentError, CallError
from test_job import A, B, Stopped, leased, ranks_of

pytestmark = needs_server
# Calls that stay under way while a rank is stopped: the arrays are more than what sockets hold.
CALL = "solve(numpy.eye(900), numpy.ones(900){}).sum()"
CLIENT = """
import sys, numpy, tasuki
solve = tasuki.connect(sys.argv[1], mode="hand-off").linpack.solve
x = solve([[2, 1], [1, 3]], [5, 10], progress=False)
print("ready", flush=True)
input()
"""


@pytest.fixture(scope="module")
def serving() -> Iterator[DemoServer]:
    with DemoServer(2) as started:
        yield started


class Client:
    """A program that makes a call, with a terminal or a file for its standard error."""

    def __init__(self, serving: DemoServer, options: str, stderr: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"{CLIENT}print({CALL.format(options)})", serving.url],
            env={"PYTHONPATH": str(REPOSITORY / "python"), "TERM": "xterm", "COLUMNS": "120"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, text=True,
        )  # fmt: skip
        assert self._process.stdout.readline() == "ready\n"

    def begin(self) -> None:
        self._process.stdin.write("go on\n")
        self._process.stdin.flush()

    def interrupt(self) -> int:
        for _ in range(12):  # One that comes between two system calls is not noticed.
            self._process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self._process.wait(5)
        raise AssertionError("the program goes on")

    def result(self) -> str:
        return self._process.communicate(timeout=60)[0]


class Terminal:
    """What a program writes to a terminal that is not there."""

    def __init__(self) -> None:
        self._master, self.end = pty.openpty()
        self.text = ""

    def read(self) -> str:
        while select.select([self._master], [], [], 0)[0]:
            self.text += os.read(self._master, 4096).decode(errors="replace")
        return self.text


def plain(text: str) -> str:
    """Without the commands to the terminal."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def test_a_long_call_has_a_bar_in_a_terminal_that_goes_with_it(serving: DemoServer) -> None:
    terminal = Terminal()
    client = Client(serving, "", terminal.end)
    with Stopped(serving):
        client.begin()
        shown = r"call solve .* \d+ %, \d+\.\d of 6\.5 MB 0:00:0[1-9]"
        wait_for(lambda: re.search(shown, plain(terminal.read())), 60)
    assert client.result() == "900.0\n"
    end = terminal.read().rpartition("MB")[2]
    assert "\x1b[2K" in end  # The line has been erased,
    assert "\x1b[?25h" in end  # and the cursor is there again.


@pytest.mark.parametrize(("options", "has_bar"), [(", progress=False", False), ("", True)])
def test_ctrl_c_leaves_the_terminal_as_it_was(
    serving: DemoServer, options: str, has_bar: bool
) -> None:
    terminal = Terminal()
    client = Client(serving, options, terminal.end)
    with Stopped(serving):
        client.begin()
        if has_bar:
            wait_for(lambda: "call solve" in terminal.read(), 60)
        else:
            time.sleep(1)
        assert client.interrupt() != 0
    text = terminal.read()
    assert ("call solve " in text) == has_bar
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == has_bar


def test_a_log_gets_lines_if_it_is_asked_for(serving: DemoServer, tmp_path: Path) -> None:
    log = tmp_path / "log"
    wishes = ((", progress=True", r"call solve: 100 %, 6.5 of 6.5 MB after"), ("", ""))
    for options, expected in wishes:
        with log.open("w") as stream:
            client = Client(serving, options, stream.fileno())
        client.begin()
        assert client.result() == "900.0\n"
        assert re.search(expected, log.read_text())
    assert log.read_text() == ""


def test_a_function_is_told(serving: DemoServer) -> None:
    solve = leased(serving)
    seen: list[CallProgress] = []
    with Stopped(serving):
        stopped = ranks_of(serving)[1]

        def note(progress: CallProgress) -> None:
            seen.append(progress)
            if sum(one.moved_bytes > 0 for one in seen) > 3:
                os.kill(stopped, signal.SIGCONT)

        x = solve(np.eye(900), np.ones(900), progress=note)
    np.testing.assert_allclose(x, np.ones(900))
    total_bytes = 8 * (900 * 900 + 2 * 900 + 900)
    assert seen == sorted(seen)
    assert seen[-1] == (total_bytes, total_bytes)
    under_way = next(one for one in seen if one.moved_bytes > 0)
    assert under_way.moved_bytes < under_way.total_bytes == total_bytes
    seen.clear()
    solve(A, B, progress=note)
    assert seen[-1].moved_bytes == seen[-1].total_bytes


def test_a_call_that_is_about_to_return_does_not_begin_again() -> None:
    class Forgetting:
        known: ClassVar = [(0, 0), (5, 9), (0, 0)]

        def progress(self) -> tuple[int, int]:
            return self.known.pop(0)

    seen: list[CallProgress] = []
    call = WatchedCall(Forgetting(), CallbackDisplay(seen.append))
    for _ in range(3):
        call.show()
    call.total_bytes = 9
    call.end()
    assert seen == [(0, 0), (5, 9), (9, 9)]


def test_what_the_function_raises_ends_the_call(serving: DemoServer) -> None:
    solve = leased(serving)

    def refuse(_: CallProgress) -> None:
        raise ZeroDivisionError("enough")

    with Stopped(serving), pytest.raises(ZeroDivisionError, match="enough"):
        solve(np.eye(900), np.ones(900), progress=refuse)
    np.testing.assert_allclose(solve(A, B), [1, 3])


def test_a_call_that_fails_has_its_own_error(serving: DemoServer) -> None:
    solve = leased(serving)

    def kill(_: CallProgress) -> None:
        for rank in ranks_of(serving)[1:]:
            os.kill(rank, signal.SIGKILL)

    with Stopped(serving), pytest.raises(CallError, match="ended"):
        solve(np.eye(900), np.ones(900), progress=kill)
    np.testing.assert_allclose(solve(A, B), [1, 3])


def test_a_wish_that_is_none_is_refused(serving: DemoServer) -> None:
    with pytest.raises(ArgumentError, match="progress is 5. Remedy: give True, False or a func"):
        serving.connect().linpack.solve(A, B, progress=5)


def notebook_of(url: str, go_on: Path) -> Any:
    wait = f"import pathlib, time\nwhile not pathlib.Path({str(go_on)!r}).exists(): time.sleep(0.1)"
    setup = CLIENT.replace("input()", wait).replace("sys.argv[1]", repr(url))
    cells = [nbformat.v4.new_code_cell(one) for one in (setup, CALL.format(""))]
    return nbformat.v4.new_notebook(cells=cells)


def test_a_notebook_has_a_bar_that_changes(serving: DemoServer, tmp_path: Path) -> None:
    notebook = notebook_of(serving.url, tmp_path / "go_on")
    first_cell, cell = notebook.cells
    client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3")
    execution = threading.Thread(target=client.execute)
    execution.start()

    def shown() -> str:
        return cell.outputs[0].data["text/html"] if cell.outputs else ""

    wait_for(lambda: first_cell.outputs, 120)  # The ranks are leased.
    with Stopped(serving):
        (tmp_path / "go_on").touch()
        first = wait_for(shown, 60)
        assert re.match(r'call solve: <progress value="\d+" max="65\d+" .*of 6\.5 MB', first)
        wait_for(lambda: shown() != first, 60)
    execution.join(120)
    assert len(cell.outputs) == 2  # The bar was changed where it was.
    assert re.fullmatch(r"call solve: 6\.5 MB after \d+\.\d s", shown())
    assert cell.outputs[1].data["text/plain"].endswith("900.0)")
