"""A job on several hosts without any MPI: a process on each starts that host's ranks, and this
command joins them (docs/design/launch.md)."""

import json
import os
import shlex
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import tasuki
from tasuki.base.errors import CommandError
from tasuki.launcher.front import divide
from tasuki.launcher.host_check import DEFAULT_AGENT, require_hosts, require_way_back
from tasuki.launcher.host_ranks import LAUNCHER_IS_GONE, HostOrder
from tasuki.launcher.host_watch import peer_timeout_s
from tasuki.launcher.hosts import Host, is_this_host, title_of, with_ranks
from tasuki.launcher.job_states import RUNNING
from tasuki.launcher.options import RunOptions
from tasuki.launcher.program import require_program
from tasuki.launcher.rank_process import RankPlan, RankProcess
from tasuki.launcher.started_command import commands_of_ranks
from tasuki.launcher.supervisor import Supervisor
from tasuki.launcher.wireup_server import WireupServer

# What ranks elsewhere get of the environment, besides that of a login.
_PASSED_ON = ("LD_LIBRARY_PATH", "PATH", "PYTHONPATH")
_PASSED_ON_PREFIXES = ("TASUKI_", "UCX_", "OMP_")
_ENDING_S = 5.0  # Of ranks that have told what they know.


class HostProcess(RankProcess):
    """The process through which a host's ranks are started and signalled."""

    def __init__(
        self, plan: RankPlan, ranks: Sequence[int], orders_fd: int, peer_timeout_s: float
    ) -> None:
        super().__init__(plan)
        self.ranks = ranks
        self._peer_timeout_s = peer_timeout_s
        self._orders_fd = orders_fd

    def signal_group(self, number: int) -> None:
        if number == signal.SIGKILL or not self.passes_on(number):
            super().signal_group(number)

    def patience_s(self, states: Sequence[int]) -> float:
        """When the way to a host is gone, so may be the host: its peers watch it, and say what they
        have waited for."""
        is_lost = self.exit_code == LAUNCHER_IS_GONE and all(s == RUNNING for s in states)
        is_watched = self._peer_timeout_s > 0
        return self._peer_timeout_s + _ENDING_S if is_lost and is_watched else 0.0

    def passes_on(self, number: int) -> bool:
        return self.order({"signal": int(number)})

    def order(self, what: dict[str, object]) -> bool:
        """Returns: could it be told?"""
        try:
            os.write(self._orders_fd, json.dumps(what).encode() + b"\n")
        except OSError:
            return False
        return True


def run_on_hosts(options: RunOptions) -> int:
    """Starts the ranks on their hosts, watches them and returns the job's exit code.

    Raises CommandError if a host cannot run them.
    """
    commands = commands_of_ranks(options)
    others = [host.name for host in options.hosts if not is_this_host(host.name)]
    programs = dict.fromkeys([sys.executable, *(command[0] for command in commands)])
    require_hosts(others, list(programs), options.rsh)
    names = [host.name for host, ranks in with_ranks(options.hosts) for _ in ranks]
    server = WireupServer(options.rank_count, _own_address(others), names)
    require_way_back(others, server.place, options.rsh)
    divide(shares_terminal=False)
    supervisor = Supervisor(server, under_debugger=False)
    server.attach(supervisor.loop)
    try:
        for host, ranks in with_ranks(options.hosts):
            own = commands[ranks.start : ranks.stop]
            order = _order(options, host, ranks.start, own, server.setting)
            supervisor.add(_start(host, order, options.rsh), [])
    except BaseException:
        supervisor.clean_up()
        raise
    return supervisor.watch()


def _order(
    options: RunOptions, host: Host, first_rank: int, commands: list[list[str]], wireup: str
) -> HostOrder:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name in _PASSED_ON or name.startswith(_PASSED_ON_PREFIXES)
    }
    environment |= options.settings
    environment |= {"TASUKI_TRANSPORT": options.transport, "TASUKI_WIREUP": wireup}
    return HostOrder(
        host=host.name,
        first_rank=first_rank,
        size=options.rank_count,
        commands=commands,
        folder=os.getcwd(),
        environment=environment,
        binding=options.binding,
        tag_output=options.tag_output,
        under_debugger=options.debugger is not None,
    )


def _start(host: Host, order: HostOrder, rsh: str | None) -> HostProcess:
    package = str(Path(tasuki.__file__).resolve().parent.parent)
    there = ["env", f"PYTHONPATH={package}", sys.executable, "-m", "tasuki.launcher.host_ranks"]
    agent = [] if is_this_host(host.name) else [*shlex.split(rsh or DEFAULT_AGENT), host.name]
    command = [*agent, shlex.join(there)] if agent else there
    command[0] = require_program(command[0])
    reader, writer = os.pipe()
    ranks = range(order.first_rank, order.first_rank + len(order.commands))
    plan = RankPlan(
        rank=order.first_rank,
        command=command,
        environment=dict(os.environ),
        cpus=None,
        stdin=reader,
        stdout=1,
        stderr=2,
        title=title_of(host, ranks),
    )
    process = HostProcess(plan, ranks, writer, peer_timeout_s(order.environment))
    os.close(reader)
    process.order(order._asdict())
    return process


def _own_address(others: Sequence[str]) -> str:
    """The address of this machine that the other hosts reach. Raises CommandError if the network
    knows no way to one of them."""
    if not others:
        return "127.0.0.1"
    name = others[0].strip("[]")
    try:
        family, kind, _, _, place = socket.getaddrinfo(name, 9, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind) as probe:
            probe.connect(place)  # Sends nothing: it only finds the way.
            return str(probe.getsockname()[0])
    except OSError as failure:
        raise CommandError(
            "run",
            f"this machine knows no network address of host {name}: {failure}",
            "name hosts as the network does, not as the agent alone knows them",
        ) from failure
