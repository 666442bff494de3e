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
    assert said == (
        "tasuki: host host-one is not watched: tasuki_host_watch of this installation cannot be"
        " started there. If a host vanishes, the job waits for it.\n"
    )


def test_a_build_without_the_program_says_so(watch, capsys):
    assert watch(None).verdict() is None
    assert "tasuki_host_watch is not part of this build. If a host" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "seconds"), [("", 30.0), ("0", 0.0), ("2.5", 2.5), ("7s", 7.0)])
def test_the_time_limit_is_the_setting(text, seconds):
    assert peer_timeout_s({"TASUKI_PEER_TIMEOUT": text, JOB_SETTING: "x"}) == seconds
