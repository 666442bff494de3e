"""Whether the hosts of a job can run its program, before anything is started there.

Each host is asked at the same time, by one command through the agent (ssh or what --rsh names) that
the launcher uses too. What is wrong is said with the host's name, where an MPI would report it in
its own words, or hang.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from tasuki.base.errors import CommandError

DEFAULT_AGENT = "ssh"
ANSWER_WITHIN_S = 30.0
CONNECTED_WITHIN_S = 10.0  # Of these: who drops packets never answers.
_ASKED_AT_ONCE = 64
_MARK = "tasuki-host"

# What a host tells: its architecture, the checksum of the program, and libraries that lack.
_SCRIPT = """\
echo {mark}
uname -m
cd {folder} 2>/dev/null || {{ echo no-folder; exit 0; }}
test -x {program} || {{ echo no-program; exit 0; }}
cksum <{program}
ldd {program} 2>/dev/null | sed -n 's/^[[:space:]]*\\([^ ]*\\) => not found$/\\1/p'
"""

# Whether the ranks of a host will reach the launcher: one line, empty if so.
_REACH_SCRIPT = """\
{python} -c '
import socket, sys
try:
    socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout={within_s}).close()
    print()
except OSError as failure:
    print(failure.strerror or failure)
' {address} {port}
"""


class Answer(NamedTuple):
    """Of one host: `failure` says why there is none, else it is empty."""

    lines: tuple[str, ...]
    failure: str


def require_hosts(names: Sequence[str], programs: Sequence[str], agent: str | None) -> None:
    """Raises CommandError, which names the first host that cannot run one of the programs."""
    for program in programs:
        script = _SCRIPT.format(
            mark=_MARK, folder=shlex.quote(os.getcwd()), program=shlex.quote(program)
        )
        here = _run(["sh", "-c", script])
        for name, answer in zip(names, _ask_all(names, script, agent), strict=True):
            _require_alike(name, program, here, answer, agent or DEFAULT_AGENT)


def lost_hosts(names: Sequence[str], agent: str | None) -> list[str]:
    """Those of the hosts that cannot be reached by now."""
    answers = _ask_all(names, f"echo {_MARK}", agent)
    return [name for name, answer in zip(names, answers, strict=True) if answer.failure]


def require_way_back(names: Sequence[str], place: tuple[str, int], agent: str | None) -> None:
    """Raises CommandError, which names the first host that cannot connect with `place`, an address
    and port of this machine."""
    address, port = place
    script = f"echo {_MARK}\n" + _REACH_SCRIPT.format(
        python=shlex.quote(sys.executable),
        within_s=CONNECTED_WITHIN_S,
        address=shlex.quote(address),
        port=port,
    )
    answers = _ask_all(names, script, agent)
    for name, answer in zip(names, answers, strict=True):
        why = answer.failure or "".join(answer.lines)
        if why:
            raise _error(
                f"host {name} cannot connect with this machine at {address} port {port}: {why}",
                "see that no firewall keeps the hosts apart, and name hosts by addresses of the "
                "network that they share",
            )


def _ask_all(names: Sequence[str], script: str, agent: str | None) -> list[Answer]:
    commands = [[*shlex.split(agent or DEFAULT_AGENT), name, script] for name in names]
    with ThreadPoolExecutor(_ASKED_AT_ONCE) as pool:
        return list(pool.map(_run, commands))


def _run(command: list[str]) -> Answer:
    try:
        ended = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ANSWER_WITHIN_S,
        )
    except subprocess.TimeoutExpired:
        return Answer((), f"no answer within {ANSWER_WITHIN_S:.0f} s")
    except OSError as failure:
        return Answer((), f"{command[0]}: {failure.strerror}")
    # What a login prints comes first.
    _, mark, told = ended.stdout.partition(f"{_MARK}\n")
    if not mark:
        lines = ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"]
        return Answer((), lines[-1])
    return Answer(tuple(told.splitlines()), "")


def _require_alike(name: str, program: str, here: Answer, there: Answer, agent: str) -> None:
    if there.failure:
        raise _error(
            f"host {name} cannot be reached with {agent}: {there.failure}",
            f"see that this works and asks nothing: {agent} {name} true",
        )
    architecture, found, *lacking = there.lines
    if architecture != here.lines[0]:
        raise _error(
            f"host {name} is of another architecture ({architecture}, here {here.lines[0]})",
            "use hosts of one architecture",
        )
    if found == "no-folder":
        raise _error(
            f"host {name} has no folder {os.getcwd()}", "start the job in a folder that all share"
        )
    if found == "no-program":
        raise _error(
            f"host {name} has no program {program}", "put it at the same path on each host"
        )
    if found != here.lines[1]:
        raise _error(
            f"{program} on host {name} is another build", "copy the one from here to each host"
        )
    if lacking:
        raise _error(
            f"host {name} lacks {', '.join(lacking)}, which {program} needs",
            "install it there, or name its folder in LD_LIBRARY_PATH",
        )


def _error(happened: str, remedy: str) -> CommandError:
    return CommandError("run", happened, remedy)
