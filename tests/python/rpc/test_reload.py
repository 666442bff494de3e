"""SIGHUP lets `tasuki serve` read again what it serves and to whom; no call is lost."""

import contextlib
import json
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import numpy as np
import pytest
import tasuki
from conftest import Command, wait_for
from demo_server import needs_server
from server_log import events_in
from tasuki.rpc.errors import (
    AccessError,
    CallError,
    InterfaceChangedError,
    LostArrayError,
    QuotaError,
)

pytestmark = needs_server
PYTHON_ROUTINE = """
Define {name}({parameters})
"made for a test" Calls "python" "{module}:{name}"({arguments});
"""
FIRST = PYTHON_ROUTINE.format(
    module="first",
    name="scaled",
    parameters="IN int64_t n, IN double x[n], OUT double y[n]",
    arguments="n, x, y",
)
IN_C = """
Define gained(IN int64_t n, IN double x[n], OUT double y[n])
{{ int64_t i; for (i = 0; i < n; ++i) y[i] = {factor} * x[i]; }}
"""


class Folder:
    """A folder of interface files, and a server of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.log = path.parent / "calls.log"
        self.users = path.parent / "users.json"
        self.command = Command()
        # Python takes compiled code for current if the source has its size, and its second.
        self.command.environment["PYTHONDONTWRITEBYTECODE"] = "1"
        path.mkdir()

    def write_first(self, code: str, interface: str = FIRST) -> None:
        """Module first, whose function has this code."""
        (self.path / "first.py").write_text(code)
        (self.path / "first.idl").write_text(interface)

    def scale_by(self, factor: int, before: str = "") -> None:
        self.write_first(f"def scaled(n, x, y):\n    {before or 'pass'}\n    y[:] = {factor} * x\n")

    def start(self, *options: object) -> None:
        self.errors = (self.path.parent / "errors").open("w+")
        self.process = self.command.start(
            "serve", self.path, "--port", 0, "--log", self.log, *options, stderr=self.errors
        )
        self.url = re.search(r"tasuki://\S+", self.process.stdout.readline())[0]

    def connect(self, **who: Any) -> Any:
        return tasuki.connect(self.url, **who)

    def reloads(self) -> list[dict[str, Any]]:
        return events_in(self.log, "reload")

    def reload(self) -> dict[str, Any]:
        """Returns, once it has been done, what the log says of it."""
        count = len(self.reloads())
        os.kill(self.process.pid, signal.SIGHUP)
        wait_for(lambda: len(self.reloads()) > count, timeout_s=120)
        return self.reloads()[-1]

    def ranks_of(self, program: str) -> list[int]:
        """Processes whose command ends with a path in the folder that begins so."""
        begin = f"{self.path}/{program}".encode()
        found = []
        for pid in self.command.processes():
            with contextlib.suppress(OSError):  # It may have ended just now.
                words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                if len(words) > 1 and words[-2].startswith(begin):
                    found.append(pid)
        return found

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=60)
        wait_for(lambda: not self.command.processes())
        self.errors.close()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    made = Folder(tmp_path / "routines")
    made.scale_by(2)
    yield made
    made.end()


def await_fault(kind: type[CallError], call: Callable[[], object]) -> CallError:
    """Calls until that fails: a client has the old ranks until they are taken from it."""
    faults: list[CallError] = []

    def fails() -> bool:
        try:
            call()
        except kind as fault:
            faults.append(fault)
        return bool(faults)

    wait_for(fails)
    return faults[0]


def test_the_next_calls_run_the_new_program(folder: Folder) -> None:
    gained = folder.path / "gained.idl"
    gained.write_text(IN_C.format(factor=2))
    folder.start()
    client = folder.connect()
    np.testing.assert_array_equal(client.first.scaled([1, 2]), [2, 4])
    np.testing.assert_array_equal(client.gained.gained([1, 2]), [2, 4])
    folder.scale_by(3)
    gained.write_text(IN_C.format(factor=5))
    assert sorted(folder.reload()["begun"]) == ["first", "gained"]
    # The interfaces are the same, so clients need not know.
    wait_for(lambda: client.first.scaled([1, 2]).tolist() == [3, 6])
    wait_for(lambda: client.gained.gained([1, 2]).tolist() == [5, 10])


@pytest.mark.parametrize("language", ["C", "python"])
def test_a_program_of_another_interface_is_not_called(folder: Folder, language: str) -> None:
    """Built again without a reload, and started again as a rank has ended."""
    name, function = {"C": ("gained", "gained"), "python": ("first", "scaled")}[language]
    file = folder.path / f"{name}.idl"
    file.write_text(IN_C.format(factor=2) if language == "C" else FIRST)
    folder.start()
    client = folder.connect()
    call = getattr(getattr(client, name), function)
    np.testing.assert_array_equal(call([1, 2]), [2, 4])
    file.write_text(file.read_text().replace("OUT double y[n]", "OUT double y[n], IN double z"))
    if language == "python":
        file.write_text(file.read_text().replace("(n, x, y)", "(n, x, y, z)"))
        (folder.path / "first.py").write_text("def scaled(n, x, y, z):\n    y[:] = 2 * x\n")
    assert folder.command("idl", "build", file).returncode == 0
    for rank in folder.ranks_of(f"{name}.routines.json" if language == "python" else name):
        os.kill(rank, signal.SIGKILL)
    wait_for(lambda: "for another interface" in str(await_fault(CallError, lambda: call([1, 2]))))
    with pytest.raises(CallError, match="for another interface than .* SIGHUP"):
        call([1, 2])
    assert folder.reload()["begun"] == [name]
    renewed = getattr(getattr(folder.connect(), name), function)
    np.testing.assert_array_equal(renewed([1, 2], 7), [2, 4])
    with pytest.raises(InterfaceChangedError):
        call([1, 2])


def test_what_has_not_changed_goes_on(folder: Folder) -> None:
    folder.start()
    client = folder.connect()
    kept = client.put(np.array([1.0, 2.0]), like=client.first.scaled.x)
    told = folder.reload()
    assert told["begun"] == told["ended"] == told["happened"] == []
    np.testing.assert_array_equal(client.first.scaled(kept), [2, 4])
    folder.scale_by(3)
    folder.reload()
    await_fault(LostArrayError, lambda: client.first.scaled(kept))


def test_modules_come_and_go(folder: Folder) -> None:
    folder.start()
    before = folder.connect()
    (folder.path / "gained.idl").write_text(IN_C.format(factor=2))
    (folder.path / "first.idl").unlink()
    (folder.path / "first.routines.json").unlink()
    told = folder.reload()
    assert (told["begun"], told["ended"]) == (["gained"], ["first"])
    after = folder.connect()
    assert set(after.modules) == {"gained"}
    np.testing.assert_array_equal(after.gained.gained([1]), [2])
    with pytest.raises(CallError, match="there is no module first"):
        before.first.scaled([1])


def test_the_page_tells_of_what_is_served_now(folder: Folder) -> None:
    folder.start()

    def told(path: str) -> Any:
        with urlopen(folder.url.replace("tasuki", "http", 1) + path, timeout=60) as answer:
            text = answer.read().decode()
        return json.loads(text)["modules"] if path.startswith("/api") else text

    def signatures() -> list[str]:
        return [one["signature"] for module in told("/api/routines") for one in module["routines"]]

    [signature] = signatures()
    assert signature.startswith("first.scaled(") and "z" not in signature
    folder.write_first("def scaled(n, z, y):\n    y[:] = z\n", FIRST.replace("x", "z"))
    (folder.path / "gained.idl").write_text(IN_C.format(factor=2))
    folder.reload()
    names = ["first", "gained"]
    assert [one["module"] for one in told("/api/ranks")] == names
    assert [one["ranks"][0]["state"] for one in told("/api/ranks")] == ["idle", "idle"]
    changed_signature, gained = signatures()
    assert "z" in changed_signature and gained.startswith("gained.gained(")
    metrics = told("/metrics")
    for one in names:
        assert f'tasuki_ranks{{module="{one}",pool="0"}} 1' in metrics


def test_what_was_left_on_old_ranks_counts_no_more(folder: Folder) -> None:
    token = Command()("token", "ann", "--users", folder.users).stdout.strip()
    users = json.loads(folder.users.read_text())
    users["ann"]["kept_memory_bytes"] = 16000
    folder.users.write_text(json.dumps(users))
    folder.start("--users", folder.users)

    def put(client: Any, count: int) -> Any:
        return client.put(np.ones(count), like=client.first.scaled.x)

    before = folder.connect(token=token)
    kept = put(before, 1500)
    np.testing.assert_array_equal(before.first.scaled(kept), 2 * np.ones(1500))
    with pytest.raises(QuotaError, match="kept_memory_bytes"):
        put(before, 501)
    folder.scale_by(3)
    folder.reload()

    def can_put() -> bool:
        try:
            put(folder.connect(token=token), 1500)
        except QuotaError:
            return False  # The old ranks have not ended yet.
        return True

    wait_for(can_put)


def test_a_call_under_way_and_those_that_wait_end_well(folder: Folder) -> None:
    """The first one has the old program; the others wait for it, and get the new one."""
    begun, may_end = folder.path.parent / "begun", folder.path.parent / "may_end"
    folder.scale_by(
        2,
        f"import pathlib, time; pathlib.Path({str(begun)!r}).touch()\n"
        f"    while not pathlib.Path({str(may_end)!r}).exists(): time.sleep(0.01)",
    )
    folder.start()
    under_way = folder.connect().first.scaled.submit([1.0])
    wait_for(begun.exists)
    waiting = [folder.connect().first.scaled.submit([1.0]) for _ in range(3)]
    folder.scale_by(3)
    assert folder.reload()["begun"] == ["first"]
    # Nobody waits for the old call to end.
    np.testing.assert_array_equal(folder.connect().first.scaled([1.0]), [3])
    for one in waiting:
        np.testing.assert_array_equal(one.result(60), [3])
    assert not under_way.done()
    may_end.touch()
    np.testing.assert_array_equal(under_way.result(60), [2])


def test_no_call_is_lost_between_programs(folder: Folder) -> None:
    folder.start()
    found: list[float] = []
    faults: list[BaseException] = []
    is_over = threading.Event()

    def call() -> None:
        client = folder.connect()
        try:
            while not is_over.is_set():
                found.append(float(client.first.scaled([1.0])[0]))
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=call) for _ in range(2)]
    for one in threads:
        one.start()
    wait_for(lambda: bool(found) or bool(faults))
    for factor in (3, 4):
        folder.scale_by(factor)
        folder.reload()
        wait_for(lambda factor=factor: factor in found[-20:] or bool(faults))
    is_over.set()
    for one in threads:
        one.join(60)
    assert not faults and set(found) == {2, 3, 4}


def changed(folder: Folder) -> None:
    """Other arguments in the same order would be taken for the old ones, if nobody looked."""
    folder.write_first(
        "def scaled(n, y, x):\n    y[:] = 3 * x\n",
        PYTHON_ROUTINE.format(
            module="first",
            name="scaled",
            parameters="IN int64_t n, OUT double y[n], IN double x[n]",
            arguments="n, y, x",
        ),
    )


@pytest.mark.parametrize("mode", ["auto", "original"])
def test_a_client_does_not_call_what_has_other_arguments(folder: Folder, mode: str) -> None:
    folder.start()
    client = folder.connect(mode=mode)
    np.testing.assert_array_equal(client.first.scaled([1, 2]), [2, 4])
    changed(folder)
    folder.reload()
    await_fault(InterfaceChangedError, lambda: client.first.scaled([1, 2]))
    for _ in range(2):
        with pytest.raises(InterfaceChangedError, match=r"other arguments.*connect again"):
            client.first.scaled([1, 2])
    # The first connection is idle, and a second one would know the new interface alone.
    with client._connections.one(), pytest.raises(InterfaceChangedError):
        client.first.scaled([1, 2])
    np.testing.assert_array_equal(folder.connect(mode=mode).first.scaled([1, 2]), [3, 6])


def test_a_client_calls_what_has_the_arguments_that_it_knows(folder: Folder) -> None:
    other = PYTHON_ROUTINE.format(
        module="first", name="other", parameters="IN int64_t n, OUT double y[n]", arguments="n, y"
    )
    code = "def scaled(n, x, y):\n    y[:] = {} * x\ndef other(n, y, *_):\n    y[:] = 7\n"
    folder.write_first(code.format(2), FIRST + other)
    folder.start()
    client = folder.connect()
    np.testing.assert_array_equal(client.first.scaled([1]), [2])
    folder.write_first(code.format(3), FIRST + other.replace("double y[n]", "double y[n + 1]"))
    folder.reload()
    wait_for(lambda: client.first.scaled([1])[0] == 3)
    with pytest.raises(InterfaceChangedError, match="first/other"):
        client.first.other(2)  # Over the lease that scaled has got.
    np.testing.assert_array_equal(client.first.scaled([1]), [3])


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder.path / "first.idl").write_text("Define ("), "first.idl:1"),
        (lambda folder: (folder.path / "first.py").write_text("import nothing_like_it"), "joined"),
    ],
    ids=["interface", "program"],
)
def test_what_is_no_good_changes_nothing(
    folder: Folder, spoil: Callable[[Folder], object], said: str
) -> None:
    folder.start()
    client = folder.connect()
    np.testing.assert_array_equal(client.first.scaled([1]), [2])
    spoil(folder)
    (folder.path / "gained.idl").write_text(IN_C.format(factor=2))
    told = folder.reload()
    assert told["begun"] == ["gained"] and told["ended"] == []
    assert said in "".join(told["happened"])
    assert said in Path(folder.errors.name).read_text()
    np.testing.assert_array_equal(client.first.scaled([1]), [2])
    np.testing.assert_array_equal(folder.connect().gained.gained([1]), [2])
    folder.scale_by(3)
    assert folder.reload()["happened"] == []
    wait_for(lambda: client.first.scaled([1])[0] == 3)


def test_a_log_that_cannot_be_opened_keeps_no_user(folder: Folder) -> None:
    token = Command()("token", "ann", "--users", folder.users).stdout.strip()
    folder.start("--users", folder.users)
    ann = folder.connect(token=token)
    np.testing.assert_array_equal(ann.first.scaled([1]), [2])
    Command()("token", "bob", "--users", folder.users)
    users = json.loads(folder.users.read_text())
    del users["ann"]
    folder.users.write_text(json.dumps(users))
    moved = folder.log.rename(folder.log.with_suffix(".1"))
    folder.log.mkdir()
    os.kill(folder.process.pid, signal.SIGHUP)
    await_fault(AccessError, lambda: ann.first.scaled([1]))
    # It goes on in the file that it has, and says why.
    (event,) = wait_for(lambda: events_in(moved, "reload"))
    assert "calls.log" in "".join(event["happened"])


def test_users_come_and_go(folder: Folder) -> None:
    def token_of(name: str) -> str:
        return Command()("token", name, "--users", folder.users).stdout.strip()

    tokens = {name: token_of(name) for name in ("ann", "bob")}
    folder.start("--users", folder.users)
    ann, bob = (folder.connect(token=token) for token in tokens.values())
    for one in (bob, ann):  # At last, ann has the ranks.
        np.testing.assert_array_equal(one.first.scaled([1]), [2])
    users = json.loads(folder.users.read_text())
    del users["ann"]
    folder.users.write_text(json.dumps(users))
    eve = token_of("eve")
    folder.reload()
    fault = await_fault(AccessError, lambda: ann.first.scaled([1]))
    assert "does not know the token any more" in str(fault)
    with pytest.raises(AccessError):
        folder.connect(token=tokens["ann"])
    for one in (bob, folder.connect(token=eve)):
        np.testing.assert_array_equal(one.first.scaled([1]), [2])
    folder.users.write_text("{")
    assert "it is not JSON" in "".join(folder.reload()["happened"])
    np.testing.assert_array_equal(bob.first.scaled([1]), [2])
    with pytest.raises(AccessError):
        folder.connect()
