"""Arguments that are no numbers - texts, files and callbacks - by every way to the ranks."""

import os
import re
import shutil
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tasuki
from conftest import Command, wait_for
from demo_server import needs_server
from tasuki.rpc.errors import ArgumentError, CallError

pytestmark = needs_server
WAYS = ("auto", "hand-off", "sequential", "call-back", "relay", "buffering", "original")
WAYS_AND_WIRES = [(way, wire) for way in WAYS for wire in ("native", "xdr")]
LONG = "long line\n" * 100_000  # More than any buffer on the way.


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[tuple[str, Command]]:
    """Serves routines/named*.idl, those in Python on three ranks."""
    command = Command()
    source = Path(__file__).with_name("routines")
    folder = shutil.copytree(source, tmp_path_factory.mktemp("served") / "routines")
    files = (folder / "named.idl", folder / "named_in_python.idl")
    process = command.start("serve", *files, "-n", 3, "--port", 0)
    yield re.search(r"tasuki://\S+", process.stdout.readline())[0], command
    process.terminate()
    process.communicate(timeout=60)
    wait_for(lambda: not command.processes())


@pytest.fixture(scope="module")
def url(served: tuple[str, Command]) -> str:
    return served[0]


@pytest.mark.parametrize(("mode", "wire"), WAYS_AND_WIRES)
def test_texts_pass_by_any_way(url: str, mode: str, wire: str) -> None:
    server = tasuki.connect(url, mode=mode, wire=wire)
    greeting, words, total = server.named.greet("Grüße", ["a", "bc"], ["one", ""], 2)
    assert (greeting, words, list(total)) == ("hello Grüße", ["eno", ""], [2 * (7 + 3)])
    assert server.named.greet("", [], [], 1)[:2] == ("hello ", [])
    result = server.named_in_python.greet("all", ["of", "you"], ["äb", "c"])
    assert result == ("hello all of you", ["bä", "c"])


def test_wrong_texts_are_refused_before_anything_is_sent(url: str) -> None:
    greet = tasuki.connect(url).named.greet
    wrong = [
        (("a\0b", [], [], 1), "name holds the character NUL"),
        ((3, [], [], 1), "name must be a text, not int"),
        (("x", ["a"], ["b", "c"], 1), "words is not 1 texts"),
        (("x", ["a"], [1], 1), "words must be a text, not int"),
        (
            ("x" * (9 << 20), [], [], 1),
            "name is too long: the texts of a call have at most 8388608",
        ),
        (("\ud800", [], [], 1), "name is no text that UTF-8 can hold"),
    ]
    for arguments, expected in wrong:
        with pytest.raises(CallError, match=expected):
            greet(*arguments)
    assert greet("x", [], [], 1)[0] == "hello x"


def test_a_text_that_comes_back_may_be_long_but_not_too_long(url: str) -> None:
    repeat = tasuki.connect(url).named.repeat
    assert repeat("0123456789", 100_000) == "0123456789" * 100_000
    with pytest.raises(CallError, match="result is too long"):
        repeat("0123456789", 1_000_000)
    assert repeat("a", 2) == "aa"


@pytest.mark.parametrize(("mode", "wire"), WAYS_AND_WIRES)
def test_files_pass_by_any_way(url: str, tmp_path: Path, mode: str, wire: str) -> None:
    server = tasuki.connect(url, mode=mode, wire=wire)
    source, result, log = (tmp_path / name for name in ("source", "result", "log"))
    log.write_text("before\n")
    for text in (LONG, "", "short"):
        source.write_text(text)
        assert list(server.named.shout(source, str(result), log, 0)) == [len(text)]
        assert result.read_text() == text.upper()
        assert source.read_text() == text
    assert log.read_text() == f"before\n{len(LONG)}\n0\n5\n"
    sizes = server.named_in_python.shout(source, result, 3)
    assert list(sizes) == [5, 5, 5]
    assert result.read_text() == "SHORT"
    assert sorted(os.listdir(tmp_path)) == ["log", "result", "source"]


def test_files_that_cannot_be_used_are_named_before_anything_is_sent(
    url: str, tmp_path: Path
) -> None:
    shout = tasuki.connect(url).named.shout
    source, log = tmp_path / "source", tmp_path / "log"
    source.write_text("text")
    log.write_text("")
    os.mkfifo(tmp_path / "pipe")
    good = tmp_path / "result"
    for arguments, expected in (
        ((tmp_path / "none", good, log), "input: the file '.*none': No such file"),
        ((tmp_path, good, log), "input: the file '.*': it is no regular file"),
        ((tmp_path / "pipe", good, log), "input: the file '.*pipe': it is no regular file"),
        ((source, tmp_path / "no" / "such", log), "output: the file '.*such': No such file"),
        ((source, good, tmp_path / "none"), "log: the file '.*none': No such file"),
        ((3, good, log), "input must be the name of a file, not int"),
        (("a\0b", good, log), "input: the file .*: the name holds NUL"),
    ):
        with pytest.raises(CallError, match=expected):
            shout(*arguments, 0)
        assert not good.exists()
    shout(source, good, log, 0)
    assert good.read_text() == "TEXT"


@pytest.mark.parametrize(("kind", "expected"), [(1, "it shall fail"), (2, "has ended during")])
def test_nothing_is_left_of_files_of_calls_that_fail(
    served: tuple[str, Command], tmp_path: Path, kind: int, expected: str
) -> None:
    url, command = served
    source, result, log = (tmp_path / name for name in ("source", "result", "log"))
    source.write_text("text")
    log.write_text("as before")
    with pytest.raises(CallError, match=expected):
        tasuki.connect(url).named.shout(source, result, log, kind)
    assert not result.exists()
    assert log.read_text() == "as before"
    result.write_text("as before")
    with pytest.raises(CallError, match=expected):
        tasuki.connect(url).named.shout(source, result, log, kind)
    assert result.read_text() == "as before"
    wait_for(lambda: not _temporary_files(command))


def _temporary_files(command: Command) -> list[str]:
    """Files without a name that a process of the routines has open, besides what it prints to."""
    found = []
    for process in command.processes():
        try:
            if not os.readlink(f"/proc/{process}/exe").endswith("named_routines"):
                continue
            files = {one.name: os.readlink(one) for one in Path(f"/proc/{process}/fd").iterdir()}
        except OSError:
            continue
        found += [name for number, name in files.items() if int(number) > 2 and "deleted" in name]
    return found


def test_copies_of_files_are_for_their_owner_alone(url: str, tmp_path: Path) -> None:
    source, result = tmp_path / "source", tmp_path / "result"
    source.write_text("text")
    tasuki.connect(url).named_in_python.shout(source, result, 3)
    assert stat.S_ISREG(result.stat().st_mode)
    assert result.read_text() == "TEXT"


@pytest.mark.parametrize(("mode", "wire"), WAYS_AND_WIRES)
def test_callbacks_run_in_the_client(url: str, mode: str, wire: str) -> None:
    server = tasuki.connect(url, mode=mode, wire=wire)
    seen: list[tuple[int, int]] = []

    def f(point: np.ndarray, order: np.ndarray, value: np.ndarray, sums: np.ndarray) -> None:
        assert not point.flags.writeable
        seen.append((int(order[0]), threading.get_ident()))
        value[0] = (point**2).sum()
        sums += (1, -1)

    for n, times in ((3, 4), (0, 2), (20_000, 3), (1, 0)):
        seen.clear()
        start = np.arange(float(n))
        values, total = server.named.sample(times, f, start)
        np.testing.assert_allclose(values, [((start + k) ** 2).sum() for k in range(times)])
        np.testing.assert_array_equal(total, [times, 100 - times])
        assert seen == [(k, threading.get_ident()) for k in range(times)]

    def half(point: np.ndarray, value: np.ndarray) -> None:
        value[0] = point[0] / 2

    np.testing.assert_allclose(
        server.named_in_python.sample(half, np.array([3.0]), 3, 0), [1.5, 2, 2.5]
    )


@pytest.mark.parametrize("mode", ["auto", "relay", "buffering", "original"])
def test_an_exception_in_a_callback_fails_the_call_with_its_text(url: str, mode: str) -> None:
    sample = tasuki.connect(url, mode=mode).named.sample
    calls: list[int] = []

    def fails(*arrays: np.ndarray) -> None:
        calls.append(len(arrays))
        raise ValueError("no such point")

    with pytest.raises(CallError, match="callback f: ValueError: no such point") as raised:
        sample(1000, fails, np.zeros(2))
    assert isinstance(raised.value.__cause__, ValueError)
    assert calls == [4]
    values, _ = sample(2, lambda *arrays: arrays[2].fill(7), np.zeros(2))
    np.testing.assert_allclose(values, [7, 7])


def test_a_callback_that_returns_its_value_is_told_where_to_write_it(url: str) -> None:
    expected = r"callback f: TypeError: it returned a value; .*, as in value\[0\] = \.\.\."
    with pytest.raises(CallError, match=expected):
        tasuki.connect(url).named.sample(1000, lambda *arrays: arrays[0].sum(), np.zeros(2))


def test_a_callback_calls_other_modules_and_is_refused_its_own(url: str) -> None:
    server, other = tasuki.connect(url), tasuki.connect(url.replace("localhost", "127.0.0.1"))

    def calls(point: np.ndarray, *others: np.ndarray) -> None:
        half = server.named_in_python.sample(lambda *arrays: arrays[1].fill(7), point, 3, 0)
        others[1][0] = half[0]
        for one in (server, other):
            with pytest.raises(CallError, match="holds the ranks of module named; the call"):
                one.named.repeat("a", 2)

    values, _ = server.named.sample(2, calls, np.zeros(1))
    np.testing.assert_allclose(values, [7, 7])
    assert server.named.repeat("a", 2) == "aa"


def test_an_interrupt_in_a_callback_ends_the_call(url: str) -> None:
    def interrupted(*_: np.ndarray) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tasuki.connect(url).named.sample(5, interrupted, np.zeros(1))


def test_a_callback_on_another_rank_fails_clearly(url: str) -> None:
    sample = tasuki.connect(url).named_in_python.sample
    with pytest.raises(CallError, match="rank 1 has called f, and only rank 0 may call"):
        sample(lambda *_: None, np.zeros(1), 3, 1)


def test_what_is_no_function_is_refused(url: str) -> None:
    sample = tasuki.connect(url).named.sample
    with pytest.raises(ArgumentError, match="f must be a function, not int"):
        sample(1, 3, np.zeros(1))
    with pytest.raises(ArgumentError, match="start is missing"):
        sample(1, lambda *_: None)


def test_a_call_is_cancelled_while_its_callback_runs(url: str) -> None:
    server = tasuki.connect(url)
    began, ends = threading.Event(), threading.Event()

    def waits(*_: np.ndarray) -> None:
        began.set()
        assert ends.wait(60)

    job = server.named.sample.submit(3, waits, np.zeros(1))
    assert began.wait(60)
    assert job.cancel()
    ends.set()
    assert job.cancelled()
    assert len(server.named.sample(2, lambda *_: None, np.zeros(1))[0]) == 2


def test_texts_and_files_from_a_shell(url: str, tmp_path: Path) -> None:
    command = Command()
    result = command("call", url, "named.repeat", "text=ab", "times=3")
    assert "ababab" in result.stdout, result.stderr
    source = tmp_path / "12"
    source.write_text("text")
    (tmp_path / "log").write_text("")
    shout = ("call", url, "named.shout", source, tmp_path / "out", tmp_path / "log", 0)
    assert command(*shout).returncode == 0
    assert (tmp_path / "out").read_text() == "TEXT"
    result = command("call", url, "named.greet", "me", '["a"]', '["bc"]', "1", "n=1", "--json")
    assert '"cb"' in result.stdout, result.stderr
    result = command("call", url, "named.sample", "1", "f", "[1, 2]")
    assert result.returncode == 2
    assert "f is a function of the client, which a shell has not" in result.stderr
