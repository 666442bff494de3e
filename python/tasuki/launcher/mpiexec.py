"""A job under an MPI: which mpiexec starts it, and with which options."""

import functools
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, MutableMapping
from typing import TYPE_CHECKING, NamedTuple

from tasuki.base.errors import usage_error
from tasuki.launcher.binding import cores_allowed, shares_evenly
from tasuki.launcher.front import divide
from tasuki.launcher.hosts import is_this_host, title_of, with_ranks
from tasuki.launcher.mpi_library import library_path
from tasuki.launcher.mpiexec_process import (
    HOST_VANISHED,
    MpiexecProcess,
    is_in_foreground,
)
from tasuki.launcher.options import RunOptions
from tasuki.launcher.program import find_program, require_program
from tasuki.launcher.started_command import started_command
from tasuki.launcher.supervisor import say

if TYPE_CHECKING:
    from tasuki.launcher.host_watch import HostWatch


class Mpi(NamedTuple):
    """One kind of MPI, and how its mpiexec can be told."""

    title: str
    other_name: str  # Of its mpiexec, where a system has several MPIs.
    file_names: tuple[str, ...]  # In the name of the real file; else `--version` tells.
    version_words: tuple[str, ...]


MPIS = {
    "ompi": Mpi(
        "Open MPI", "mpiexec.openmpi", ("openmpi", "orterun", "prterun"), ("Open MPI", "OpenRTE")
    ),
    "mpich": Mpi("MPICH", "mpiexec.mpich", ("mpich", "hydra"), ("HYDRA",)),
}

_ROOT_ALLOWED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
_ENV_LIST = "OMPI_MCA_mca_base_env_list"  # Open MPI's list of what ranks get.
_LAUNCHER_SETTINGS = (
    "TASUKI_RANK",
    "TASUKI_SIZE",
    "TASUKI_JOB_FD",
    "TASUKI_JOB_FILE",
    "TASUKI_LAUNCHER_PID",
    "TASUKI_EXIT_RECORD",
    "TASUKI_WATCHED_JOB",
)


def run_with_mpi(options: RunOptions) -> int:
    """Runs mpiexec and returns the job's exit code.

    Raises CommandError if the MPI or program is missing.
    """
    kind, mpiexec = find_mpiexec(options.mpi)
    parts = [(part.rank_count, started_command(part, options)) for part in options.parts]
    settings = {**options.settings, "TASUKI_TRANSPORT": "mpi", "TASUKI_MPI": kind}
    start_watch = _watch_of_hosts(options, settings) if len(options.hosts) > 1 else None
    environment = {
        name: value for name, value in os.environ.items() if name not in _LAUNCHER_SETTINGS
    } | settings
    libraries = library_path(kind, mpiexec, environment)
    if libraries is not None:
        environment["LD_LIBRARY_PATH"] = libraries
    flags = _open_mpi_flags(options, environment) if kind == "ompi" else _mpich_flags(options)
    if options.hosts:
        _reach_hosts(options, kind, environment, flags)
    command = parts[0][1] if len(parts) == 1 else _command_by_rank(parts)
    whole = [mpiexec, *flags, "-n", str(options.rank_count), *command]
    divide(shares_terminal=is_in_foreground())
    watch = start_watch() if start_watch is not None else None
    process = MpiexecProcess(whole, environment, bool(options.hosts), watch)
    exit_code = process.watch()
    if exit_code != 0 and process.ended_untold() and _name_lost_hosts(options, process):
        return HOST_VANISHED
    return exit_code


def _watch_of_hosts(
    options: RunOptions, settings: dict[str, str]
) -> "Callable[[], HostWatch] | None":
    """What starts the watch over the hosts, whose ranks get `settings`; None without one."""
    from tasuki.base.programs import find_program as find_compiled_program
    from tasuki.launcher import host_watch

    time_s = host_watch.peer_timeout_s(os.environ | settings)
    if time_s == 0:
        return None
    job = settings[host_watch.JOB_SETTING] = host_watch.new_job()
    program = find_compiled_program(host_watch.PROGRAM)
    return lambda: host_watch.HostWatch(job, options.hosts, program, options.rsh, time_s)


def _name_lost_hosts(options: RunOptions, process: MpiexecProcess) -> bool:
    """An mpiexec that loses the connection to a host ends all ranks; not each names the host, and
    none what waited for it. Returns: is there a host that cannot be reached any more?"""
    from tasuki.launcher.host_check import lost_hosts

    others = [host.name for host in options.hosts if not is_this_host(host.name)]
    lost = lost_hosts(others, options.rsh) if others else []
    for host, ranks in with_ranks(options.hosts):
        if host.name in lost:
            waits = "".join(f"\n  {line}" for line in process.waits_for(ranks))
            gone = f"{title_of(host, ranks)} cannot be reached any more"
            say(f"{gone}:{waits}" if waits else gone)
    return bool(lost)


def _command_by_rank(parts: list[tuple[int, list[str]]]) -> list[str]:
    """One command that becomes that of the rank's part. Each mpiexec can be given several programs,
    but that of Open MPI 5.0.7 ends by SIGSEGV then."""
    cases = []
    first = 0
    for count, command in parts:
        ranks = "|".join(map(str, range(first, first + count)))
        cases.append(f"{ranks}) exec {shlex.join(command)} ;;")
        first += count
    return ["sh", "-c", f"case ${{OMPI_COMM_WORLD_RANK-$PMI_RANK}} in {' '.join(cases)} esac"]


def _reach_hosts(
    options: RunOptions, kind: str, environment: dict[str, str], flags: list[str]
) -> None:
    """Adds to `environment` and `flags` where mpiexec is to start ranks, and by which agent.

    Raises CommandError if a host cannot run them.
    """
    from tasuki.launcher.host_check import require_hosts

    programs = dict.fromkeys(require_program(part.command[0]) for part in options.parts)
    others = [host.name for host in options.hosts if not is_this_host(host.name)]
    require_hosts(others, list(programs), options.rsh)
    hosts = ",".join(f"{host.name}:{host.rank_count}" for host in options.hosts)
    if kind == "mpich":
        flags += ["-hosts", hosts]
        flags += ["-launcher", "rsh", "-launcher-exec", options.rsh] if options.rsh else []
        return
    flags += ["--host", hosts, "--map-by", "slot"]
    if options.rsh:
        # As Open MPI 4 and 5 call it. Within a job of Slurm they would not use it by themselves.
        environment |= {"OMPI_MCA_plm": "rsh", "OMPI_MCA_plm_rsh_agent": options.rsh}
        environment |= {"PRTE_MCA_plm": "ssh", "PRTE_MCA_plm_ssh_agent": options.rsh}


def find_mpiexec(wanted: str) -> tuple[str, str]:
    """The kind of MPI (ompi or mpich) and the path of its mpiexec.

    `wanted` is ompi, mpich or auto: the kind of plain `mpiexec`, else the first one there is.
    Raises CommandError if there is none.
    """
    plain = find_program("mpiexec")
    kinds = list(MPIS) if wanted == "auto" else [wanted]
    if wanted == "auto" and plain is not None:
        kinds.sort(key=lambda kind: not _is_of(plain, MPIS[kind]))
    for kind in kinds:
        path = mpiexec_of(kind)
        if path is not None:
            return kind, path
    missing = " or ".join(MPIS[kind].title for kind in kinds)
    raise usage_error(
        "run",
        f"--transport mpi: no mpiexec of {missing} is in the PATH",
        "install one, as with: apt install openmpi-bin, or use --transport shm on one machine",
    )


def mpiexec_of(kind: str) -> str | None:
    """The path of the mpiexec of that MPI (ompi or mpich), or None.

    Plain `mpiexec` comes first: it is that of an active environment.
    """
    for name in ("mpiexec", MPIS[kind].other_name):
        path = find_program(name)
        if path is not None and _is_of(path, MPIS[kind]):
            return path
    return None


def kind_of(mpiexec: str) -> str | None:
    """ompi, mpich or, if it belongs to neither, None."""
    return next((kind for kind, mpi in MPIS.items() if _is_of(mpiexec, mpi)), None)


def _is_of(mpiexec: str, mpi: Mpi) -> bool:
    names = (os.path.basename(mpiexec), os.path.basename(os.path.realpath(mpiexec)))
    for known in MPIS.values():
        if any(file_name in name for name in names for file_name in known.file_names):
            return known is mpi
    return any(word in _version_text(mpiexec) for word in mpi.version_words)


@functools.cache
def _version_text(mpiexec: str) -> str:
    try:
        shown = subprocess.run(
            [mpiexec, "--version"], capture_output=True, text=True, errors="replace", timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return shown.stdout


def _is_bound(options: RunOptions) -> bool:
    """Is mpiexec to bind? It takes any cores, also those that taskset has forbidden."""
    has_all_cores = len(cores_allowed()) == os.cpu_count()
    counts = _counts_on_hosts(options)
    return options.binding == "core" and has_all_cores and all(map(shares_evenly, counts))


def _counts_on_hosts(options: RunOptions) -> list[int]:
    """How many ranks each host gets; other hosts are taken to have as many cores as this one."""
    return [host.rank_count or 1 for host in options.hosts] or [options.rank_count]


def _open_mpi_flags(options: RunOptions, environment: dict[str, str]) -> list[str]:
    """Changes `environment` where Open MPI wants to be asked that way."""
    flags = ["--bind-to", "core:overload-allowed" if _is_bound(options) else "none"]
    if max(_counts_on_hosts(options)) > len(cores_allowed()):
        flags.append("--oversubscribe")
    if options.tag_output:
        flags.append("--tag-output")
    # What ranks of other nodes get besides their own environment. Without the path they would load
    # another library than those of this node; tools such as `tasuki profile` preload one.
    passed_on = [
        name
        for name in environment
        if name.startswith("TASUKI_") or name in ("LD_LIBRARY_PATH", "LD_PRELOAD")
    ]
    if _ENV_LIST in environment:  # As by `tasuki run --tuned`; Open MPI 4 refuses -x beside it.
        items = environment[_ENV_LIST].split(";")
        there = {item.partition("=")[0] for item in items}
        items += [name for name in passed_on if name not in there]
        environment[_ENV_LIST] = ";".join(items)
    else:
        flags += [word for name in passed_on for word in ("-x", name)]
    allow_root(environment)
    return flags


def allow_root(environment: MutableMapping[str, str]) -> None:
    """Lets root start jobs of Open MPI in `environment`, and says so unless it is told already."""
    if os.geteuid() == 0 and not environment.keys() >= _ROOT_ALLOWED.keys():
        sys.stderr.write("tasuki: run: running as root, so Open MPI is told to allow that.\n")
        environment.update(_ROOT_ALLOWED)


def _mpich_flags(options: RunOptions) -> list[str]:
    flags = []
    if _is_bound(options):
        flags += ["-bind-to", "core"]
    if options.tag_output:
        flags.append("-prepend-rank")
    return flags
