"""A laboratory: several hosts on this machine, each made of namespaces, joined by a network.

A host has its own name, network address, processes, /tmp and /dev/shm; files elsewhere are those of
this machine. Hosts are called h0, h1 and so on, and find each other by these names. A bridge joins
them; each link may be shaped by the kernel's token bucket filter. All that makes a laboratory lives
in namespaces of its own, which the kernel removes when their first process has ended, however that
happens: nothing can be left behind. It takes root, and unshare, nsenter, ip and tc.

    python tests/hosts/laboratory.py --hosts 2 --rate 1gbit -- COMMAND...

runs COMMAND on h0, where LABORATORY_RSH is an agent that starts commands on other hosts, as rsh
does: `$LABORATORY_RSH h1 hostname`.

Thread-safety: a Laboratory belongs to one thread.
"""

import argparse
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from laboratory_init import NETWORK

HERE = Path(__file__).resolve().parent
TOOLS = ("unshare", "nsenter", "ip", "tc", "mount", "hostname")
READY = "ready"
START_S = 30.0


class Link(NamedTuple):
    """What a host's link carries: `rate` as tc writes it ("1gbit"), None without a limit."""

    rate: str | None = None
    burst: str = "256k"


def missing_means() -> str | None:
    """Why no laboratory can be made here, in one line; None if it can."""
    if os.geteuid() != 0:
        return "hosts are made of namespaces, which takes root"
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        return f"hosts are made with {', '.join(missing)}, which this machine lacks"
    tried = subprocess.run(
        ["unshare", "--net", "--uts", "--ipc", "--pid", "--fork", "--mount-proc", "ip", "link"],
        capture_output=True,
        text=True,
    )
    return f"this machine makes no namespaces: {tried.stderr.strip()}" if tried.returncode else None


class Laboratory(AbstractContextManager["Laboratory"]):
    """Hosts from entering the context to leaving it.

    `kept` are folders below /tmp that all hosts are to see. With `one_core_each` the processes of a
    host have one of this machine's cores, dealt in turn: ranks know then that they share it.
    """

    def __init__(
        self,
        host_count: int,
        link: Link | None = None,
        kept: Sequence[Path] = (),
        one_core_each: bool = False,
    ) -> None:
        self.names = [f"h{index}" for index in range(host_count)]
        link = link or Link()
        keep = [f"--keep={folder}" for folder in (HERE.parents[1], *kept)]
        rate = [f"--rate={link.rate}", f"--burst={link.burst}"] if link.rate else []
        self._command = [
            *("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"),
            *(sys.executable, str(HERE / "laboratory_init.py"), f"--hosts={host_count}"),
            *rate,
            *(["--one-core-each"] if one_core_each else []),
            *keep,
        ]

    def __enter__(self) -> "Laboratory":
        # Its own group: a Ctrl-C meant for the test must not take the hosts away first.
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        assert self._process.stdout is not None
        first = self._process.stdout.readline()
        if not first.startswith(READY):
            self._process.kill()
            raise RuntimeError(f"the hosts could not be made (exit code {self._process.wait()})")
        self._init_pid = self._child_pid()
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.kill()
        self._process.wait()

    def command(
        self, host: str, command: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> list[str]:
        """The command that runs `command` on `host`, in the caller's folder and environment, to
        which `environment` is added."""
        added = [f"{name}={value}" for name, value in (environment or {}).items()]
        enter = ["nsenter", f"--target={self._init_pid}", "--mount"]
        words = ["env", f"LABORATORY_RSH={HERE / 'agent.py'}", *added, *command]
        # nsenter leaves the folder.
        agent = [sys.executable, str(HERE / "agent.py"), "--here", os.getcwd(), host]
        return [*enter, *agent, *words]

    def run(
        self,
        host: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        input: str = "",
        within_s: float = 120.0,
    ) -> subprocess.CompletedProcess[str]:
        """Runs the command on the host, which reads `input`. Raises subprocess.TimeoutExpired after
        `within_s`."""
        return subprocess.run(
            self.command(host, command, environment),
            capture_output=True,
            text=True,
            input=input,
            timeout=within_s,
        )

    def cut(self, host: str) -> None:
        """Takes the host's link down at the switch: nothing reaches it, and nobody is told."""
        self._at_switch("ip", "link", "set", self._port(host), "nomaster")

    def mend(self, host: str) -> None:
        """Undoes `cut`."""
        self._at_switch("ip", "link", "set", self._port(host), "master", "switch")

    def address(self, host: str) -> str:
        return f"{NETWORK}.{self.names.index(host) + 1}"

    def drop_tcp(self, host: str, what: str) -> None:
        """Has the host drop what comes from others over TCP and is `what`, as `ip rule` writes it.
        Nobody is told, as by a firewall."""
        tcp = 6  # Its number, because a bare Debian has no list of the protocols' names.
        rules = "ip rule add pref 9 lookup local; ip rule del pref 0"  # Else that one comes first.
        self._at_host(host, f"ip rule add pref 8 iif cable ipproto {tcp} {what} blackhole; {rules}")

    def drop_nothing(self, host: str) -> None:
        """Undoes `drop_tcp`."""
        self._at_host(
            host, "ip rule add pref 0 lookup local; ip rule del pref 9; ip rule del pref 8"
        )

    def signal_all(self, host: str, number: signal.Signals) -> None:
        """Sends the signal to all processes of the host: SIGSTOP pauses it."""
        self._ask(host, signal_all=int(number))

    def kill(self, host: str) -> None:
        """Ends the host at once, with its network, as a power failure does."""
        self._ask(host, end=True)

    def process_count(self, host: str) -> int:
        """How many processes the host has, without its first."""
        shown = self.run(host, ["ps", "-e", "-o", "pid="])
        own = 2  # The first process and ps.
        return max(0, len(shown.stdout.split()) - own)

    def _at_host(self, host: str, script: str) -> None:
        ended = self.run(host, ["sh", "-ec", script])
        if ended.returncode != 0:
            raise RuntimeError(f"{script}: {ended.stderr}")

    def _ask(self, host: str, **request: int | bool) -> None:
        enter = ["nsenter", f"--target={self._init_pid}", "--mount"]
        agent = [sys.executable, str(HERE / "agent.py"), "--request", json.dumps(request), host]
        subprocess.run([*enter, *agent], check=True)

    def _port(self, host: str) -> str:
        return f"port{self.names.index(host)}"

    def _at_switch(self, *command: str) -> None:
        enter = ["nsenter", f"--target={self._init_pid}", "--net", "--mount"]
        subprocess.run([*enter, *command], check=True)

    def _child_pid(self) -> int:
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        return int(children.read_text().split()[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hosts", type=int, default=2, help="how many (default: 2)")
    parser.add_argument("--rate", help="of each link, as tc writes it: 1gbit (default: no limit)")
    parser.add_argument("--burst", default="256k", help="of each link (default: 256k)")
    parser.add_argument("--one-core-each", action="store_true", help="of this machine's in turn")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what is to run on h0")
    asked = parser.parse_args()
    command = asked.command[1:] if asked.command[:1] == ["--"] else asked.command
    missing = missing_means()
    if missing is not None:
        print(f"laboratory: {missing}", file=sys.stderr)
        return 1
    link = Link(asked.rate, asked.burst)
    with Laboratory(asked.hosts, link, [Path.cwd()], asked.one_core_each) as laboratory:
        shell = command or ["sh", "-c", f"exec {shlex.quote(os.environ.get('SHELL', 'sh'))}"]
        return subprocess.run(laboratory.command("h0", shell)).returncode


if __name__ == "__main__":
    sys.exit(main())
