"""A job on this machine, from the options of `tasuki run` to its exit code.

Its ranks share a memory file, or are joined by the wire-up of the launcher.
"""

import os

from tasuki.base.errors import usage_error
from tasuki.launcher.front import divide
from tasuki.launcher.job_file import JobFile
from tasuki.launcher.job_states import JobStates
from tasuki.launcher.memory import require_memory
from tasuki.launcher.options import RunOptions
from tasuki.launcher.started_command import commands_of_ranks
from tasuki.launcher.started_ranks import RanksHere, start_ranks
from tasuki.launcher.supervisor import Supervisor


def run_here(options: RunOptions) -> int:
    """Starts the ranks over shared memory, watches them and returns the job's exit code.

    Raises CommandError if they cannot be started.
    """
    require_memory(options.rank_count)
    _require_process_numbers(options.rank_count)
    commands = commands_of_ranks(options)
    divide(shares_terminal=False)
    states, joining, kept_fds = _joining(options)
    supervisor = Supervisor(states, under_debugger=options.debugger is not None)
    states.attach(supervisor.loop)
    ranks = RanksHere(
        commands=commands,
        first_rank=0,
        size=options.rank_count,
        environment={
            **os.environ,
            **options.settings,
            **joining,
            "TASUKI_TRANSPORT": options.transport,
        },
        binding=options.binding,
        tag_output=options.tag_output,
        stdin=0,
        kept_fds=kept_fds,
    )
    try:
        start_ranks(ranks, supervisor)
    except BaseException:
        supervisor.clean_up()
        raise
    return supervisor.watch()


def _joining(options: RunOptions) -> tuple[JobStates, dict[str, str], tuple[int, ...]]:
    """What tells the states of the ranks, the settings by which they find each other, and the
    descriptors that they inherit for it."""
    if options.transport == "ucx":
        from tasuki.launcher.wireup_server import WireupServer  # Which takes long to import.

        server = WireupServer(options.rank_count)
        return server, {"TASUKI_WIREUP": server.setting}, ()
    file = JobFile(os.environ.get("TASUKI_SHM_BACKING") or "auto")
    settings = {
        "TASUKI_JOB_FD": str(file.fd),
        "TASUKI_JOB_FILE": file.identity,
        "TASUKI_LAUNCHER_PID": str(os.getpid()),
    }
    return file, settings, (file.fd,)


def _require_process_numbers(rank_count: int) -> None:
    with open("/proc/sys/kernel/pid_max") as limit:
        most = int(limit.read())
    if rank_count >= most:
        raise usage_error(
            "run",
            f"-n {rank_count}: this machine can have at most {most} processes",
            "start fewer ranks",
        )
