"""Hosts that vanish in the middle of a job, and what looks like it and is none."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import REPOSITORY, WAYS, CommandOnHosts, run_words, wait_until
from laboratory import Laboratory
from tasuki.base.programs import BUILD_TREE
from tasuki.launcher.host_watch import PEER_TIMEOUT_S

PROGRAM = BUILD_TREE / "test-bin" / "runtime_watched_ranks"
PEER_TIMEOUT = 2.0
# What it takes until all ranks of a job are seen to have ended, on a machine that does other things
# beside.
ENDING_S = 20.0
HOST_VANISHED = 73
VERDICT_LATE_S = 2.0  # As host_watch.hpp allows.
WAITS = "main waits for the result of watched::work(double, bool) on rank 2"
HAS_VANISHED = "host h1 with ranks 1-2 has vanished: there has been no sign of life from it for 1.8"


class Job:
    """A job whose ranks have all begun; by default one rank on h0, and two on h1 that it waits
    for."""

    def __init__(self, command: list[str], folder: Path, size: int = 3) -> None:
        self._size = size
        # Files, because whoever is paused holds a pipe open.
        self._out, self._err = folder / "stdout", folder / "stderr"
        with self._out.open("w") as out, self._err.open("w") as err:
            self._process = subprocess.Popen(command, stdout=out, stderr=err)
        self.processes: dict[int, int] = {}  # By rank; numbers of its host.
        try:
            wait_until(self._have_all_begun)
        except BaseException:
            self._process.terminate()
            raise

    def _have_all_begun(self) -> bool:
        assert self._process.poll() is None, self._err.read_text()
        begun = re.findall(r"rank (\d) is process (\d+)\n", self._out.read_text())
        self.processes = {int(rank): int(process) for rank, process in begun}
        return len(self.processes) == self._size

    def end(self) -> tuple[int, str, str]:
        """Its exit code and what it has printed."""
        try:
            self._process.wait(timeout=ENDING_S)
        except subprocess.TimeoutExpired:
            self._process.terminate()
            raise
        return self._process.returncode, self._out.read_text(), self._err.read_text()


@pytest.fixture
def start(tasuki, tmp_path):
    def start(way: str, *arguments: str, timeout: float = PEER_TIMEOUT) -> Job:
        options = ["--peer-timeout", f"{timeout:g}"]
        words = run_words("h0,h1:2", way, PROGRAM, *arguments, options=options)
        return Job(tasuki.command(*words), tmp_path)

    return start


def require_report(code: int, stderr: str) -> None:
    assert code == HOST_VANISHED, stderr
    assert f"rank 0: {HAS_VANISHED}" in stderr
    assert f"  {WAITS}\n" in stderr


def require_success(job: Job) -> None:
    code, stdout, stderr = job.end()
    assert code == 0, stderr
    assert stdout.endswith("done\n")
    assert "tasuki" not in stderr


@pytest.mark.parametrize("way", WAYS)
def test_a_link_that_is_cut_ends_the_ranks_on_both_sides(laboratory, start, way):
    job = start(way, "serves", "100")
    laboratory.cut("h1")
    try:
        code, _, stderr = job.end()
        require_report(code, stderr)
        # The launcher's own watch leaves the word to the ranks.
        assert way == "ucx" or stderr.count("has vanished") == 1
        # By their own verdict, or by the launcher's word: agents have ways of their own here.
        wait_until(lambda: not running(laboratory, "h1"))
    finally:
        laboratory.mend("h1")
    wait_until(lambda: laboratory.process_count("h1") == 0)


def running(laboratory, host: str) -> list[str]:
    """The ranks and watchers on the host."""
    names = laboratory.run(host, ["ps", "-e", "-o", "comm="]).stdout.split()
    return [name for name in names if name in (PROGRAM.name[:15], "tasuki-watcher")]


@pytest.mark.parametrize("way", WAYS)
def test_a_host_that_is_paused_ends_the_others(laboratory, start, way):
    job = start(way, "serves", "100")
    laboratory.signal_all("h1", signal.SIGSTOP)
    try:
        require_report(*job.end()[::2])
    finally:
        laboratory.signal_all("h1", signal.SIGCONT)
    wait_until(lambda: laboratory.process_count("h1") == 0)


@pytest.mark.parametrize("way", ["ompi", "mpich"])
def test_the_machine_of_the_command_need_have_no_ranks(laboratory, tasuki, tmp_path, way):
    """There mpiexec waits for the host, and the command cannot see that the ranks have ended."""
    options = ["--peer-timeout", f"{PEER_TIMEOUT:g}"]
    words = run_words("h1,h2:2", way, PROGRAM, "serves", "100", options=options)
    job = Job(tasuki.command(*words), tmp_path)
    time.sleep(PEER_TIMEOUT / 2)  # The watchers of the command have heard each other.
    laboratory.cut("h2")
    try:
        code, _, stderr = job.end()
        wait_until(lambda: not running(laboratory, "h2"))
    finally:
        laboratory.mend("h2")
    assert code == HOST_VANISHED, stderr
    assert f"rank 0: {HAS_VANISHED.replace('h1', 'h2')}" in stderr
    assert f"  {WAITS}\n" in stderr
    wait_until(lambda: not any(map(laboratory.process_count, ("h1", "h2"))))


def test_a_rank_that_asks_the_launcher_meanwhile_names_the_vanished_host(
    laboratory, tasuki, tmp_path
):
    """Rank 3 asks for the address of rank 1, and its launcher's host is the one that is gone."""
    go = tmp_path / "go"
    options = ["--peer-timeout", f"{PEER_TIMEOUT:g}"]
    words = run_words("h0:2,h1:2", "ucx", PROGRAM, "calls", go, options=options)
    job = Job(tasuki.command(*words), tmp_path, size=4)
    laboratory.cut("h0")
    go.touch()
    try:
        code, _, stderr = job.end()
    finally:
        laboratory.mend("h0")
    assert code == HOST_VANISHED, stderr
    assert "rank 3: host h0 with ranks 0-1 has vanished" in stderr
    assert "main waits for the result of watched::work(double, bool) on rank 1\n" in stderr


@pytest.mark.parametrize("way", ["ompi", "ucx"])
def test_ranks_that_compute_or_are_stopped_are_no_host_that_vanishes(laboratory, start, way):
    job = start(way, "computes", f"{2.5 * PEER_TIMEOUT:g}")
    stopped = str(job.processes[1])
    laboratory.run("h1", ["kill", "-STOP", stopped])
    time.sleep(2.5 * PEER_TIMEOUT)
    laboratory.run("h1", ["kill", "-CONT", stopped])
    require_success(job)


def test_a_rank_that_is_stopped_while_others_connect_is_behind_no_firewall(
    laboratory, tasuki, tmp_path
):
    """Rank 3 calls rank 1, with which it has not been connected, and which takes no part in it for
    longer than hosts may be silent."""
    go = tmp_path / "go"
    options = ["--peer-timeout", f"{PEER_TIMEOUT:g}"]
    words = run_words("h0:2,h1:2", "ucx", PROGRAM, "calls", go, options=options)
    job = Job(tasuki.command(*words), tmp_path, size=4)
    stopped = str(job.processes[1])
    laboratory.run("h0", ["kill", "-STOP", stopped])
    go.touch()
    time.sleep(2 * (PEER_TIMEOUT + VERDICT_LATE_S))
    laboratory.run("h0", ["kill", "-CONT", stopped])
    require_success(job)


def test_a_rank_that_computes_is_ended_with_the_job(laboratory, start):
    job = start("mpich", "computes", "100")
    laboratory.cut("h0")
    try:
        assert job.end()[0] == HOST_VANISHED
        wait_until(lambda: not running(laboratory, "h1"))
    finally:
        laboratory.mend("h0")


def test_hosts_are_not_watched_without_a_time_limit(laboratory, start):
    job = start("ucx", "serves", "1", timeout=0)
    assert "tasuki-watcher" not in running(laboratory, "h1")
    assert job.end()[0] == 0


@pytest.mark.parametrize("way", ["mpich", "ucx"])
def test_watchers_end_with_killed_ranks(laboratory, start, way):
    job = start(way, "serves", "100")
    assert running(laboratory, "h1").count("tasuki-watcher") == 1
    laboratory.run("h1", ["kill", "-KILL", str(job.processes[2])])
    code, _, stderr = job.end()
    assert code not in (0, HOST_VANISHED) and "vanished" not in stderr
    for host in ("h0", "h1"):
        wait_until(lambda host=host: not running(laboratory, host))


@pytest.mark.parametrize("way", WAYS)
def test_a_host_that_is_killed_is_named_with_its_ranks(tmp_path, way):
    with Laboratory(2, kept=[Path(sys.prefix), tmp_path]) as laboratory:
        tasuki = CommandOnHosts(laboratory)
        options = ["--peer-timeout", f"{PEER_TIMEOUT:g}"]
        words = run_words("h0,h1:2", way, PROGRAM, "serves", "100", options=options)
        job = Job(tasuki.command(*words), tmp_path)
        if way != "ucx":
            wait_until(lambda: has_recorded(laboratory, WAITS))
        laboratory.kill("h1")
        code, _, stderr = job.end()
    assert code == HOST_VANISHED, stderr
    if way == "ucx":
        require_report(code, stderr)
        assert "tasuki: host h1 with ranks 1-2 (pid " in stderr
    else:  # mpiexec has lost a connection, and has ended all ranks before they knew.
        assert "tasuki: host h1 with ranks 1-2 cannot be reached any more:\n" in stderr
        assert f"  rank 0: {WAITS}.\n" in stderr


def has_recorded(laboratory: Laboratory, waits: str) -> bool:
    """Is this in the launcher's record of what ranks wait for?"""
    record = ["find", "/proc", "-path", "/proc/*/fd/*", "-lname", "*tasuki-waiting-record*"]
    holds = ["-exec", "grep", "-q", waits, "{}", ";", "-print", "-quit"]
    return bool(laboratory.run("h0", [*record, *holds]).stdout)


def test_the_launcher_knows_the_default():
    header = REPOSITORY / "include/tasuki/detail/base/watch_settings.hpp"
    declared = re.search(r'SettingType::seconds,\s*"(\d+)"', header.read_text())
    assert float(declared[1]) == PEER_TIMEOUT_S
