"""`tasuki run`: start a program as the ranks of a job, watch them, end them together."""

import argparse
import os
import re
from collections.abc import Callable
from typing import NoReturn

from tasuki.base.errors import usage_error
from tasuki.launcher.binding import cores_allowed
from tasuki.launcher.hosts import Host, parse_hosts, place_ranks, read_host_file
from tasuki.launcher.options import Part, RunOptions

TRANSPORTS = ("shm", "mpi", "ucx")
BINDINGS = ("core", "none")
DEBUGGERS = ("gdb",)
MPIS = ("auto", "ompi", "mpich")
POLICIES = ("auto", "default")  # Of --tuned, beside files.
_NOT_WITH_TUNED = (
    *("n", "hosts", "hostfile", "rsh", "transport", "no_node_shm", "tag_output", "debug"),
    *("hang_after", "mpi", "peer_timeout"),
)
PREDICTIONS = ("guarded", "off", "always", "fixed")

EPILOG = """\
Ranks of several programs, which are one job if they call each other's functions by name:
  tasuki run -n 2 ./simulation : -n 1 python analysis.py
Standard input goes to rank 0. The exit code is that of the first rank that failed (128 + the
number of the signal that killed it). When a rank fails, and on Ctrl-C, all ranks end: SIGTERM
first, SIGKILL two seconds later or on the second Ctrl-C; with transport mpi by its mpiexec, which
has ten seconds for that. SIGUSR1 to this command makes every rank of a Tasuki program print what
its fibers wait for.
"""


def main(arguments: list[str]) -> int:
    """Runs the job and returns its exit code.

    Raises CommandError for a wrong command line or a job that cannot be started.
    """
    options = parse(arguments)
    if options.tuned is not None:
        from tasuki.tuned.command import run_tuned

        return run_tuned(options, options.tuned)
    check_settings()
    if options.transport == "mpi":
        from tasuki.launcher.mpiexec import run_with_mpi

        return run_with_mpi(options)
    if options.hosts:
        from tasuki.launcher.host_job import run_on_hosts

        return run_on_hosts(options)
    from tasuki.launcher.job import run_here

    return run_here(options)


def make_parser() -> argparse.ArgumentParser:
    """The declaration of the options."""
    parser = _Parser(
        prog="tasuki run",
        description=__doc__.partition(": ")[2].capitalize(),
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _declare(parser)
    return parser


def parse(arguments: list[str]) -> RunOptions:
    """The options of the command line. Raises CommandError (exit code 2) if they are wrong."""
    parsed = make_parser().parse_args(arguments)
    command = parsed.command[1:] if parsed.command[:1] == ["--"] else parsed.command
    if not command:
        raise usage_error("run", "no program given", "as in: tasuki run -n 2 ./program arguments")
    _check_tuned(parsed)
    hosts = _hosts(parsed)
    transport = _transport(parsed.transport) if not hosts else _transport_of_hosts(parsed.transport)
    if hosts:
        parsed.n = parsed.n or sum(host.rank_count or 1 for host in hosts)
    settings = {}
    if parsed.mpi is not None and transport != "mpi":
        raise usage_error(
            "run",
            f"--mpi {parsed.mpi}, and transport {transport} uses no MPI",
            "add --transport mpi, or leave --mpi out",
        )
    if parsed.no_node_shm:
        if transport == "shm":
            raise usage_error(
                "run",
                "--no-node-shm leaves transport shm with nothing",
                "add --transport mpi, or drop --no-node-shm",
            )
        settings["TASUKI_NODE_SHM"] = "0"
    if parsed.hang_after is not None:
        settings["TASUKI_HANG_AFTER"] = f"{parsed.hang_after:g}"
    if parsed.peer_timeout is not None:
        settings["TASUKI_PEER_TIMEOUT"] = f"{parsed.peer_timeout:g}"
    return RunOptions(
        parts=_parts(parsed.n, command),
        transport=transport,
        binding=parsed.bind,
        tag_output=parsed.tag_output,
        debugger=parsed.debug,
        mpi=parsed.mpi or os.environ.get("TASUKI_MPI") or "auto",
        settings=settings,
        hosts=hosts,
        rsh=parsed.rsh or os.environ.get("TASUKI_RSH"),
        tuned=_policy(parsed),
        predict=parsed.predict or "guarded",
        predict_earlier=_earlier(parsed),
        predict_bounce=_bounce(parsed),
    )


def _hosts(parsed: argparse.Namespace) -> tuple[Host, ...]:
    """Those of --hosts or --hostfile, with their numbers of ranks. Raises CommandError if they are
    none, or both are given."""
    if parsed.hosts and parsed.hostfile:
        raise usage_error("run", "--hosts and --hostfile", "leave one of them out")
    if parsed.hosts:
        return tuple(place_ranks(parse_hosts(parsed.hosts), parsed.n))
    if parsed.hostfile:
        return tuple(place_ranks(read_host_file(parsed.hostfile), parsed.n))
    if parsed.rsh:
        what = f"--rsh {parsed.rsh}, and no hosts"
        raise usage_error("run", what, "name them, as in: --hosts a:2,b:2")
    return ()


def _transport_of_hosts(option: str | None) -> str:
    """What carries messages between hosts. Raises CommandError for what cannot."""
    name = option or os.environ.get("TASUKI_TRANSPORT") or "auto"
    transport = "mpi" if name == "auto" else _transport(name)
    if transport == "shm":
        what = "transport shm cannot reach other hosts"
        raise usage_error("run", what, "leave --transport out, or name mpi or ucx")
    return transport


def _parts(rank_count: int | None, command: list[str]) -> list[Part]:
    """The programs of the job, which `: -n COUNT` separates if the first has a count, too: else it
    belongs to an mpiexec in `command`. Raises CommandError if one lacks."""
    if rank_count is None:
        return [Part(len(cores_allowed()), command)]
    starts = [
        place
        for place, word in enumerate(command)
        if word == ":" and command[place + 1 : place + 2] == ["-n"]
    ]
    parts = [Part(rank_count, command[: starts[0] if starts else len(command)])]
    ends = [*starts, len(command)][1:]
    for start, end in zip(starts, ends, strict=True):
        count = _rank_count(command[start + 2] if start + 2 < end else "")
        parts.append(Part(count, command[start + 3 : end]))
    if all(part.command for part in parts):
        return parts
    what = "a part of the job has no program"
    raise usage_error("run", what, "as in: tasuki run -n 1 ./one : -n 1 ./other")


def _policy(parsed: argparse.Namespace) -> str | None:
    """The policy of --tuned, None without it. Raises CommandError if there is no such file."""
    if not parsed.tuned:
        return None
    if parsed.policy in (None, *POLICIES):
        return parsed.policy or POLICIES[0]
    path = os.path.abspath(parsed.policy)  # pathlib takes long to import.
    if not os.path.isfile(path):
        raise usage_error("run", f"--policy {path}: there is no such file", "leave it out, or tune")
    return path


def _earlier(parsed: argparse.Namespace) -> str | None:
    """The folder of --predict-earlier. Raises CommandError if there is none."""
    if parsed.predict_earlier is None:
        return None
    path = os.path.abspath(parsed.predict_earlier)
    if not os.path.isdir(path):
        raise usage_error(
            "run",
            f"--predict-earlier {path}: there is no such folder",
            "record a run: TASUKI_PROFILE_FOLDER=FOLDER tasuki run --tuned -- mpirun ...",
        )
    return path


def _bounce(parsed: argparse.Namespace) -> str | None:
    """The size of --predict-bounce. Raises CommandError if it is none, or nothing is predicted."""
    size: str | None = parsed.predict_bounce
    if size is None:
        return None
    if not re.fullmatch(r"[1-9]\d*[KMG]?", size):
        what = f"--predict-bounce {size}: not a size in bytes"
        raise usage_error("run", what, "as in: --predict-bounce 64K")
    if parsed.predict in ("off", "fixed"):
        what = f"--predict-bounce and --predict {parsed.predict}, which does nothing ahead"
        raise usage_error("run", what, "leave one of them out")
    return size


def _check_tuned(parsed: argparse.Namespace) -> None:
    """Raises CommandError where an option has no meaning with --tuned, or without."""
    if not parsed.tuned:
        for name in ("policy", "predict", "predict_earlier", "predict_bounce"):
            if getattr(parsed, name) is not None:
                option = f"--{name.replace('_', '-')}"
                raise usage_error("run", f"{option} and no --tuned", "give --tuned too")
        return
    given = [
        f"--{name.replace('_', '-')}" if len(name) > 1 else f"-{name}"
        for name in _NOT_WITH_TUNED
        if getattr(parsed, name) not in (None, False)
    ]
    if given:
        raise usage_error(
            "run",
            f"--tuned and {', '.join(given)}",
            "leave them out: with --tuned the command starts its ranks itself, as in:"
            " tasuki run --tuned -- mpirun -n 4 ./program",
        )


def check_settings() -> None:
    """Lets the program that knows all settings check the TASUKI_* variables, if there are any:
    so one process says what is wrong, not every rank. Raises CommandError (exit code 2)."""
    if not any(name.startswith("TASUKI_") for name in os.environ):
        return
    from tasuki.base.errors import ProgramError
    from tasuki.base.programs import find_program

    program = find_program("tasuki_info")
    if program is None:
        return  # A package without compiled programs: each rank checks for itself.
    import subprocess

    checked = subprocess.run([program, "--check"], stderr=subprocess.PIPE, text=True)
    if checked.returncode != 0:
        raise ProgramError(checked.stderr, exit_code=2)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise usage_error("run", message, "see: tasuki run --help")


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-n",
        metavar="N",
        type=_rank_count,
        help="number of ranks (default: one per core this command may use)",
    )
    parser.add_argument(
        "--transport",
        metavar="|".join(TRANSPORTS),
        help="what carries the messages: shared memory of this machine, an MPI, or UCX without any"
        " MPI (default: $TASUKI_TRANSPORT, else shm)",
    )
    parser.add_argument(
        "--no-node-shm",
        action="store_true",
        help="with transport mpi or ucx: no shared memory between ranks of one node",
    )
    parser.add_argument(
        "--bind",
        choices=BINDINGS,
        default="core",
        help="bind each rank to a core, if that shares them evenly (default), or not at all",
    )
    parser.add_argument("--tag-output", action="store_true", help="put the rank before each line")
    parser.add_argument(
        "--debug",
        choices=DEBUGGERS,
        help="run each rank under gdb; a crash prints the backtraces of all threads and fibers",
    )
    parser.add_argument(
        "--hang-after",
        metavar="SECONDS",
        type=_seconds_of("--hang-after"),
        help="print the hang report after this long without progress",
    )
    parser.add_argument(
        "--mpi",
        choices=MPIS,
        help="the MPI to use with transport mpi (default: $TASUKI_MPI, else that of mpiexec)",
    )
    _declare_hosts(parser)
    _declare_tuned(parser)
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, metavar="PROGRAM ...", help="program and arguments"
    )


def _declare_hosts(parser: argparse.ArgumentParser) -> None:
    """The options of jobs on several hosts."""
    parser.add_argument(
        "--hosts",
        metavar="HOST[:RANKS],...",
        help="hosts that run the ranks, the first ranks on the first; without numbers they share"
        " the ranks of -n evenly, without -n each has one",
    )
    parser.add_argument(
        "--hostfile",
        metavar="FILE",
        help="the same from a file with a host on each line: a:2, or a slots=2",
    )
    parser.add_argument(
        "--rsh",
        metavar="AGENT",
        help="the command that starts others on a host (default: TASUKI_RSH, or ssh), as in:"
        " AGENT HOST COMMAND",
    )
    parser.add_argument(
        "--peer-timeout",
        metavar="SECONDS",
        type=_seconds_of("--peer-timeout"),
        help="end the job within this time when a host gives no sign of life; 0: do not watch them"
        " (default: $TASUKI_PEER_TIMEOUT, else 30)",
    )


def _declare_tuned(parser: argparse.ArgumentParser) -> None:
    """The options of MPI programs as they are."""
    parser.add_argument(
        "--tuned",
        action="store_true",
        help="the command starts an MPI program, which nobody recompiled (mpirun -n 4 ./program);"
        " its collectives are carried out by the best algorithm known",
    )
    parser.add_argument(
        "--policy",
        metavar="auto|default|FILE",
        help="with --tuned: auto (the file that tasuki tune --library --emit tasuki has written"
        " here, else the built-in policy; this is used if the option is left out), default (the"
        " built-in policy), or a policy file",
    )
    parser.add_argument(
        "--predict",
        choices=PREDICTIONS,
        help="with --tuned: what a rank does while it waits: what has a measured gain (guarded,"
        " default), nothing (off), everything in every idle time (always), or spin, yield and sleep"
        " by fixed times (fixed)",
    )
    parser.add_argument(
        "--predict-earlier",
        metavar="FOLDER",
        help="with --tuned: expect the waits and messages of an earlier run, recorded there",
    )
    parser.add_argument(
        "--predict-bounce",
        metavar="BYTES",
        help="with --tuned: while a rank waits in MPI_Recv, receive the message of the next one, if"
        " it has so many bytes; give the size above which the MPI library sends none before the"
        " receive (its eager limit, 64K over TCP in Open MPI)",
    )


def _rank_count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise usage_error("run", f"-n {text}: not a number of ranks", "give 1 or more, as in: -n 2")
    return int(text)


def _seconds_of(option: str) -> Callable[[str], float]:
    """What reads the time that the option is given."""

    def read(text: str) -> float:
        try:
            seconds = float(text)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds < float("inf"):
            what = f"{option} {text}: not a time"
            raise usage_error("run", what, f"give seconds, as in: {option} 10")
        return seconds

    return read


def _transport(option: str | None) -> str:
    name = option or os.environ.get("TASUKI_TRANSPORT") or "auto"
    if name == "auto":
        return "shm"
    if name not in TRANSPORTS:
        where = "--transport" if option else "TASUKI_TRANSPORT:"
        if name == "loopback":
            raise usage_error(
                "run",
                f"{where} loopback runs all ranks in one process, without this command",
                "start the program by itself, with TASUKI_TRANSPORT=loopback and"
                " TASUKI_LOOPBACK_RANKS",
            )
        raise usage_error(
            "run",
            f"{where} {name}: tasuki run knows no such transport",
            f"choose one of: {', '.join(TRANSPORTS)}",
        )
    return name
