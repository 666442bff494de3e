"""The laboratory itself: hosts are apart where machines are, and nothing of them is left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from conftest import wait_until
from laboratory import HERE, Laboratory, Link

CONNECT = """\
import socket, sys
try:
    socket.create_connection((sys.argv[1], 9), timeout=1.0)
except TimeoutError:
    print("silence")
except OSError as failure:
    print(failure.strerror)
"""


def connect(laboratory: Laboratory, host: str, other: str) -> str:
    return laboratory.run(host, [sys.executable, "-c", CONNECT, other]).stdout.strip()


def test_a_host_has_its_own_name_memory_and_processes(laboratory):
    leave = "hostname; for folder in /dev/shm /tmp; do cd $folder; ls | grep left; touch left; done"
    for name in laboratory.names:
        shown = laboratory.run(name, ["sh", "-c", leave])
        assert (shown.stdout, shown.stderr) == (f"{name}\n", "")
        assert laboratory.process_count(name) == 0


def test_a_host_shows_the_devices_of_its_own_network(laboratory):
    shown = laboratory.run("h1", ["ls", "/sys/class/net"])
    assert shown.stdout.split() == ["cable", "lo"]


def test_hosts_find_each_other_by_name(laboratory):
    assert connect(laboratory, "h0", "h3") == "Connection refused"  # By that host.


def test_the_agent_ends_as_the_command_does(laboratory):
    def through_agent(*words: str) -> subprocess.CompletedProcess[str]:
        return laboratory.run("h0", ["sh", "-c", f"$LABORATORY_RSH {' '.join(words)}"])

    assert through_agent("h2", "hostname").stdout == "h2\n"
    assert through_agent("h2", "exit", "7").returncode == 7
    assert through_agent("-o", "BatchMode=yes", "h2", "true").returncode == 0
    missing = through_agent("h9", "true")
    assert (missing.returncode, missing.stderr) == (255, "agent: h9: there is no such host\n")


def test_the_agent_gives_no_more_than_a_login_does(laboratory):
    words = ["sh", "-c", "cd /usr; OWN=1 $LABORATORY_RSH h1 'pwd; echo $OWN'"]
    assert laboratory.run("h0", words).stdout == f"{os.path.expanduser('~')}\n\n"


def test_a_command_ends_with_its_agent(laboratory):
    agent = subprocess.Popen(laboratory.command("h1", ["sleep", "1000"]))
    wait_until(lambda: laboratory.process_count("h1") > 0)
    agent.kill()
    agent.wait()
    wait_until(lambda: laboratory.process_count("h1") == 0)


def test_a_host_stays_when_agents_end_at_any_time(laboratory):
    # Many at once, so that their commands begin, last and end while the host is busy.
    for delay_ms in range(50, 450, 50):
        agents = [subprocess.Popen(laboratory.command("h3", ["true"])) for _ in range(16)]
        time.sleep(delay_ms / 1000)
        for agent in agents:
            agent.kill()
        for agent in agents:
            agent.wait()
    assert laboratory.run("h3", ["hostname"]).stdout == "h3\n"


def test_a_signal_reaches_the_command(laboratory):
    trap = "trap 'echo caught; exit 5' USR1; echo up; while :; do sleep 0.05; done"
    process = subprocess.Popen(
        laboratory.command("h1", ["sh", "-c", trap]), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "up\n"
    process.send_signal(signal.SIGUSR1)
    assert process.communicate(timeout=30)[0] == "caught\n"
    assert process.returncode == 5


def test_a_cut_link_is_silent(laboratory):
    laboratory.cut("h3")
    assert connect(laboratory, "h0", "h3") in ("silence", "No route to host")
    laboratory.mend("h3")
    assert connect(laboratory, "h0", "h3") == "Connection refused"


def test_a_link_can_be_shaped():
    with Laboratory(1, Link("100mbit", "64k")) as laboratory:
        shown = laboratory.run("h0", ["tc", "qdisc", "show", "dev", "cable"])
    assert "tbf" in shown.stdout and "rate 100Mbit burst 64Kb" in shown.stdout


def test_a_killed_host_answers_no_more():
    with Laboratory(2) as laboratory:
        agent = subprocess.Popen(laboratory.command("h1", ["sleep", "1000"]))
        wait_until(lambda: laboratory.process_count("h1") > 0)
        laboratory.kill("h1")
        assert agent.wait(timeout=30) == 255
        assert connect(laboratory, "h0", "h1") in ("silence", "No route to host")


def test_a_paused_host_goes_on(laboratory):
    ticks = "while :; do echo tick; sleep 0.02; done"
    process = subprocess.Popen(
        laboratory.command("h2", ["sh", "-c", ticks]), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "tick\n"
    laboratory.signal_all("h2", signal.SIGSTOP)
    laboratory.signal_all("h2", signal.SIGCONT)
    assert process.stdout.readline() == "tick\n"
    process.kill()
    process.wait()


def test_nothing_is_left_when_a_laboratory_is_killed():
    mark = f"LABORATORY_MARK={os.getpid()}"
    script = [sys.executable, str(HERE / "laboratory.py"), "--", "sleep", "1000"]
    process = subprocess.Popen(
        script, env={**os.environ, "LABORATORY_MARK": str(os.getpid())}, start_new_session=True
    )
    # The laboratory, two hosts and the command on one of them.
    wait_until(lambda: len(marked(mark)) >= 8)
    process.kill()
    process.wait()
    wait_until(lambda: not marked(mark))
    assert "laboratory" not in Path("/proc/self/mounts").read_text()


def marked(mark: str) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append(folder.name)
        except OSError:
            continue
    return found
