"""Hosts that vanish in the middle of a plain MPI program, which knows nothing of Tasuki."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import CommandOnHosts, run_words, wait_until
from laboratory import Laboratory
from tasuki.base.programs import BUILD_TREE
from tasuki.launcher.host_watch import PROGRAM as WATCHER

MPIS = ("ompi", "mpich")
PEER_TIMEOUT = 2.0
ENDING_S = 20.0  # On a machine that does other things beside.
HOST_VANISHED = 73
NEIGHBOURS_MOST_COUNT = 2  # Of a watcher.
LONG = "600"
HAS_VANISHED = (
    "tasuki: host h1 with ranks 1-2 has vanished: there has been no sign of life from it for 1.8 s."
    " Remedy: see whether these hosts are up and the network between them works"
    " (TASUKI_PEER_TIMEOUT is the time they may be silent); the job ends here.\n"
)
TUNED = ("run", "--tuned", "--", sys.executable, "-m", "tasuki")
PROFILED = ("profile", "--", sys.executable, "-m", "tasuki")


def hosts_of(command: list[str]) -> list[str]:
    words = command[command.index("--hosts") + 1].split(",")
    return [word.partition(":")[0] for word in words]


def datagrams(laboratory: Laboratory, host: str) -> int:
    """How many programs of the host have read by UDP, which only watchers use."""
    shown = laboratory.run(host, ["cat", "/proc/net/snmp", "/proc/net/snmp6"]).stdout
    return sum(map(int, re.findall(r"^(?:Udp:|Udp6InDatagrams) +(\d+)", shown, re.MULTILINE)))


class Job:
    """A job whose ranks have all begun, and whose hosts are watched."""

    def __init__(
        self, laboratory: Laboratory, command: list[str], folder: Path, size: int = 3
    ) -> None:
        self._out, self._err = folder / "stdout", folder / "stderr"
        heard_before = {host: datagrams(laboratory, host) for host in hosts_of(command)}
        with self._out.open("w") as out, self._err.open("w") as err:
            self._process = subprocess.Popen(command, stdout=out, stderr=err)
        self._laboratory, self._size = laboratory, size
        try:
            wait_until(self._have_all_begun)
            if command[command.index("--peer-timeout") + 1] != "0":
                wait_until(lambda: all(map(self._has_heard_others, heard_before.items())))
        except BaseException:
            self.stop()
            raise

    def processes(self) -> dict[int, int]:
        """By rank; numbers of its host."""
        begun = re.findall(r"rank (\d) is process (\d+)\n", self._out.read_text())
        return {int(rank): int(process) for rank, process in begun}

    def _have_all_begun(self) -> bool:
        assert self._process.poll() is None, self.errors()
        return len(self.processes()) == self._size

    def _has_heard_others(self, before: tuple[str, int]) -> bool:
        """Has the host's watcher heard its neighbours? Each says something again and again."""
        host, count = before
        return datagrams(self._laboratory, host) >= count + 2 * NEIGHBOURS_MOST_COUNT

    def is_done(self) -> bool:
        return self._out.read_text().endswith("done\n")

    def errors(self) -> str:
        return self._err.read_text()

    def end(self) -> tuple[int, str]:
        """Its exit code and what it has printed as an error."""
        try:
            self._process.wait(timeout=ENDING_S)
        finally:
            self.stop()
        return self._process.returncode, self.errors()

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=ENDING_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


def program(mpi: str) -> Path:
    return BUILD_TREE / "test-bin" / f"mpi_watched_ranks_{mpi}"


def words(mpi: str, *arguments: str, hosts: str = "h0,h1:2", timeout: float = PEER_TIMEOUT) -> list:
    options = ["--peer-timeout", f"{timeout:g}"]
    return run_words(hosts, mpi, program(mpi), *arguments, options=options)


@pytest.fixture
def start(laboratory: Laboratory, tasuki: CommandOnHosts, tmp_path: Path):
    def start(*words: str | Path, size: int = 3) -> Job:
        tasuki.settings |= {"TMPDIR": str(tmp_path)}
        return Job(laboratory, tasuki.command(*words), tmp_path, size)

    return start


def names(laboratory: Laboratory, host: str) -> list[str]:
    """The ranks and watchers on the host."""
    found = laboratory.run(host, ["ps", "-e", "-o", "comm="]).stdout.split()
    return [name for name in found if name.startswith(("mpi_watched_ra", WATCHER[:15]))]


@pytest.fixture
def emptied(laboratory: Laboratory) -> Iterator[None]:
    """Nothing of a test is left on any host."""
    yield
    wait_until(lambda: not any(map(laboratory.process_count, laboratory.names)))


@pytest.mark.usefixtures("emptied")
@pytest.mark.parametrize("before", [(), TUNED, PROFILED], ids=["as it is", "tuned", "profiled"])
@pytest.mark.parametrize("mpi", MPIS)
def test_a_link_that_is_cut_ends_the_job_on_both_sides(laboratory, start, mpi, before):
    job = start(*before, *words(mpi, "waits", LONG))
    laboratory.cut("h1")
    try:
        code, stderr = job.end()
        # There the launcher's word ends them: in the laboratory agents have ways of their own.
        wait_until(lambda: not names(laboratory, "h1"))
    finally:
        laboratory.mend("h1")
    assert code == HOST_VANISHED, stderr
    assert HAS_VANISHED in stderr
    assert stderr.count("has vanished") == 1


@pytest.mark.usefixtures("emptied")
@pytest.mark.parametrize("mpi", MPIS)
def test_a_host_that_is_paused_ends_the_job(laboratory, start, mpi):
    job = start(*words(mpi, "waits", LONG))
    laboratory.signal_all("h1", signal.SIGSTOP)
    try:
        code, stderr = job.end()
    finally:
        laboratory.signal_all("h1", signal.SIGCONT)
    assert code == HOST_VANISHED, stderr
    assert HAS_VANISHED in stderr


@pytest.mark.usefixtures("emptied")
@pytest.mark.parametrize("mpi", MPIS)
def test_ranks_end_when_the_host_of_the_command_is_paused(laboratory, start, mpi):
    """No word of the launcher comes: their watcher ends them by its own verdict."""
    job = start(*words(mpi, "waits", LONG))
    laboratory.signal_all("h0", signal.SIGSTOP)
    try:
        wait_until(lambda: not names(laboratory, "h1"))
    finally:
        laboratory.signal_all("h0", signal.SIGCONT)
    assert job.end()[0] != 0


@pytest.mark.usefixtures("emptied")
@pytest.mark.parametrize("mpi", MPIS)
def test_ranks_that_compute_or_are_stopped_are_no_host_that_vanishes(laboratory, start, mpi):
    job = start(*words(mpi, "computes", f"{2.5 * PEER_TIMEOUT:g}", hosts="h0:1,h1:1"), size=2)
    stopped = str(job.processes()[1])
    laboratory.run("h1", ["kill", "-STOP", stopped])
    time.sleep(2.5 * PEER_TIMEOUT)
    laboratory.run("h1", ["kill", "-CONT", stopped])
    wait_until(job.is_done)
    if mpi == "mpich":  # It may not return from MPI_Finalize (docs/guide/clusters.md).
        job.stop()
        assert "vanished" not in job.errors()
    else:
        assert job.end() == (0, "")


@pytest.mark.parametrize("mpi", MPIS)
def test_a_host_that_is_killed_is_named(tmp_path, mpi):
    kept = [Path(sys.prefix), Path(os.__file__).parent, tmp_path]
    with Laboratory(2, kept=kept) as laboratory:
        tasuki = CommandOnHosts(laboratory)
        job = Job(laboratory, tasuki.command(*words(mpi, "waits", LONG)), tmp_path)
        laboratory.kill("h1")
        code, stderr = job.end()
        assert code == HOST_VANISHED, stderr
        assert "tasuki: host h1 with ranks 1-2 " in stderr
        wait_until(lambda: laboratory.process_count("h0") == 0)


@pytest.mark.usefixtures("emptied")
def test_the_machine_of_the_command_need_have_no_ranks(laboratory, start):
    job = start(*words("ompi", "waits", LONG, hosts="h1,h2,h3"))
    laboratory.cut("h3")
    try:
        code, stderr = job.end()
        wait_until(lambda: not names(laboratory, "h3"))
    finally:
        laboratory.mend("h3")
    assert code == HOST_VANISHED, stderr
    assert stderr.count("vanished") == 1
    assert "tasuki: host h3 with rank 2 has vanished" in stderr


@pytest.mark.usefixtures("emptied")
def test_hosts_are_not_watched_without_a_time_limit(laboratory, start):
    job = start(*words("ompi", "waits", "1", timeout=0))
    assert all(not name.startswith(WATCHER[:15]) for name in names(laboratory, "h1"))
    assert job.end()[0] == 0


@pytest.mark.usefixtures("emptied")
@pytest.mark.parametrize("mpi", MPIS)
def test_ctrl_c_ends_the_ranks_of_a_host_that_is_paused(laboratory, start, mpi):
    job = start(*words(mpi, "waits", LONG, timeout=60))
    laboratory.signal_all("h1", signal.SIGSTOP)
    try:
        laboratory.run("h0", ["pkill", "-INT", "-o", "-f", "tasuki run"])
        code, stderr = job.end()
    finally:
        laboratory.signal_all("h1", signal.SIGCONT)
    assert code == 128 + signal.SIGINT, stderr
    wait_until(lambda: not names(laboratory, "h1"))


@pytest.mark.usefixtures("emptied")
def test_watchers_end_when_the_command_is_killed(laboratory, start):
    start(*words("ompi", "waits", LONG))
    assert WATCHER[:15] in names(laboratory, "h1")
    laboratory.run("h0", ["pkill", "-KILL", "-o", "-f", "tasuki run"])
    for host in ("h0", "h1"):
        wait_until(lambda host=host: not names(laboratory, host))
