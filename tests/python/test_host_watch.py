"""The watch of the launcher over the hosts of an MPI job, with hosts that are this machine."""

import os
import signal
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import wait_for
from tasuki.base.programs import find_program
from tasuki.launcher.host_watch import JOB_SETTING, PROGRAM, HostWatch, Verdict, peer_timeout_s
from tasuki.launcher.hosts import Host
from tasuki.launcher.rank_process import children_of

# Neither is the name of this machine.
HOSTS = (Host("host-one", 2), Host("host-two", 1))
PEER_TIMEOUT = 3.0
WITHIN_S = 30.0
LONGER_THAN_A_PIPE = 200_000

Watch = Callable[[Path | None], HostWatch]


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    """Starts a watch by an agent that stays here, and writes the process of each host."""
    agent = tmp_path / "agent"
    agent.write_text(f'#!/bin/sh\necho $$ > {tmp_path}/$1\nshift\nexec sh -c "exec $*"\n')
    agent.chmod(agent.stat().st_mode | stat.S_IXUSR)
    started: list[HostWatch] = []

    def start(program: Path | None) -> HostWatch:
        started.append(HostWatch("own-job", HOSTS, program, str(agent), PEER_TIMEOUT))
        return started[-1]

    yield start
    for one in started:
        one.end()


def verdict_of(watch: HostWatch, within_s: float = WITHIN_S) -> Verdict | None:
    give_up = time.monotonic() + within_s
    while time.monotonic() < give_up:
        if (found := watch.verdict()) is not None:
            return found
        time.sleep(0.05)
    return None


def watcher_of(host: str, tmp_path: Path) -> int:
    """The process that watches, a child of what the agent has started."""
    (watching,) = children_of(int((tmp_path / host).read_text()))
    return watching


def test_a_watcher_that_falls_silent_is_a_host_that_has_vanished(watch, tmp_path):
    started = watch(find_program(PROGRAM))
    assert verdict_of(started, within_s=PEER_TIMEOUT) is None
    silent = watcher_of("host-two", tmp_path)
    os.kill(silent, signal.SIGSTOP)
    found = verdict_of(started)
    os.kill(silent, signal.SIGCONT)
    assert found is not None and not found.ranks_know
    name = os.uname().nodename[:47]
    silence = "there has been no sign of life from it for 2.7 s"
    assert found.text == f"host {name} with rank 2 has vanished: {silence}"
    assert "Remedy: see whether these hosts are up" in found.report()


def test_watchers_end_with_the_launcher(watch, tmp_path):
    started = watch(find_program(PROGRAM))
    assert verdict_of(started, within_s=1.0) is None
    watching = [watcher_of(host.name, tmp_path) for host in HOSTS]
    started.end()
    wait_for(lambda: not any(Path(f"/proc/{process}").exists() for process in watching))


def test_a_host_without_the_program_is_named_and_nothing_is_watched(watch, tmp_path, capsys):
    started = watch(tmp_path / "missing")
    assert verdict_of(started, within_s=2.0) is None
    said = capsys.readouterr().err
    why = "tasuki_host_watch of this installation cannot be started there"
    waits = "If a host vanishes, the job waits for it"
    first = [f"tasuki: host {host.name} is not watched: {why}. {waits}.\n" for host in HOSTS]
    assert said in first  # That of the agent that ends first.


def heard(watch: HostWatch, capsys: pytest.CaptureFixture) -> str:
    """What is said when the watch has ended, or one of it; there is no verdict."""
    said = ""

    def has_come() -> bool:
        nonlocal said
        assert watch.verdict() is None
        said += capsys.readouterr().err
        return "the job waits for it" in said

    wait_for(has_come)
    return said


def test_a_watcher_that_is_killed_is_no_host_that_has_vanished(watch, tmp_path, capsys):
    started = watch(find_program(PROGRAM))
    assert verdict_of(started, within_s=1.0) is None
    os.kill(watcher_of("host-two", tmp_path), signal.SIGKILL)
    said = heard(started, capsys)
    assert said.startswith("tasuki: host host-two is not watched any more: tasuki_host_watch has")
    assert verdict_of(started, within_s=1.5 * PEER_TIMEOUT) is None


@pytest.fixture
def watch_by(tmp_path: Path) -> Iterator[Callable[..., HostWatch]]:
    """Starts a watch whose agent does this, in words of the shell, for the second host."""
    started: list[HostWatch] = []
    agent = tmp_path / "agent-of-two"

    def start(does: str, job: str = "own-job") -> HostWatch:
        for_second = f"if [ $1 = {HOSTS[1].name} ]; then shift; {does}; exit; fi"
        agent.write_text(f'#!/bin/sh\n{for_second}\nshift\nexec "$@"\n')
        agent.chmod(agent.stat().st_mode | stat.S_IXUSR)
        program = find_program(PROGRAM)
        started.append(HostWatch(job, HOSTS, program, str(agent), PEER_TIMEOUT))
        return started[-1]

    yield start
    for one in started:
        one.end()


def lonely_watcher(tmp_path: Path) -> tuple[str, Path]:
    """What an agent does that lets its watcher live on when it is killed, and where it writes its
    own process and that one."""
    processes = tmp_path / "processes"
    return f'exec 3<&0; "$@" <&3 & echo $$ $! > {processes}; wait', processes


def test_an_agent_that_fails_at_once_is_named_with_its_words(watch_by, capsys):
    said = heard(watch_by("echo hello >&2; echo permission denied >&2; exit 255"), capsys)
    why = "agent-of-two has ended with exit code 255 (permission denied)"
    assert said.startswith(f"tasuki: host host-two is not watched: {why}. If a host vanishes")


def test_an_agent_that_fails_later_is_named_if_nobody_misses_its_host(watch_by, tmp_path, capsys):
    does, processes = lonely_watcher(tmp_path)
    started = watch_by(does)
    assert verdict_of(started, within_s=1.0) is None
    os.kill(int(processes.read_text().split()[0]), signal.SIGKILL)
    said = heard(started, capsys)
    why = "agent-of-two has ended by SIGKILL"
    assert said.startswith(f"tasuki: host host-two is not watched any more: {why}. If a host")
    assert verdict_of(started, within_s=1.0) is None
    assert capsys.readouterr().err == ""


def test_a_host_is_missed_even_if_its_agent_has_failed_before(watch_by, tmp_path):
    does, processes = lonely_watcher(tmp_path)
    started = watch_by(does)
    assert verdict_of(started, within_s=1.0) is None
    agent, between = map(int, processes.read_text().split())
    (silent,) = children_of(between)
    os.kill(silent, signal.SIGSTOP)
    os.kill(agent, signal.SIGKILL)
    found = verdict_of(started)
    os.kill(silent, signal.SIGCONT)
    assert found is not None and "with rank 2 has vanished" in found.text


def test_a_watcher_with_another_card_is_named(watch_by, capsys):
    said = heard(watch_by("echo card 1234; cat > /dev/null"), capsys)
    assert "host host-two is not watched: its tasuki_host_watch is not that of host host-on" in said


def test_hosts_are_joined_when_each_has_taken_its_whole_order(watch_by, tmp_path):
    go, taken = tmp_path / "go", tmp_path / "taken"
    card = '"$@" < /dev/null | head -n 1'
    reads = f"while [ ! -e {go} ]; do sleep 0.1; done; read -r order; echo ${{#order}} > {taken}"
    started = watch_by(f"{card}; {reads}; cat > /dev/null", "x" * LONGER_THAN_A_PIPE)
    assert verdict_of(started, within_s=1.0) is None
    assert started.is_joining()
    go.touch()
    wait_for(lambda: started.verdict() is None and not started.is_joining())
    wait_for(lambda: taken.exists() and taken.read_text() != "")
    assert int(taken.read_text()) > LONGER_THAN_A_PIPE


def test_a_watcher_that_refuses_its_order_is_named_with_its_words(watch_by, capsys):
    card = '"$@" < /dev/null | head -n 1'
    said = heard(watch_by(f"{card}; read -r order; echo 'who?' >&2; exit 2"), capsys)
    why = "tasuki_host_watch has ended with exit code 2 (who?)"
    assert f"host host-two is not watched any more: {why}. If a host" in said


def test_a_build_without_the_program_says_so(watch, capsys):
    assert watch(None).verdict() is None
    assert "tasuki_host_watch is not part of this build. If a host" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("", 30.0), ("0", 0.0), ("2.5", 2.5), ("7s", 7.0), ("0x1e", 30.0), ("0X.8p1s", 1.0)],
)
def test_the_time_limit_is_the_setting(text, seconds):
    assert peer_timeout_s({"TASUKI_PEER_TIMEOUT": text, JOB_SETTING: "x"}) == seconds
