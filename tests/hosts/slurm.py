"""A Slurm in a laboratory: its daemons are Debian's, its hosts are those of the laboratory.

The controller and a munged run on h0, a slurmd on each of the others. All that they leave lies in
one folder of the laboratory, so it is gone with it.
"""

import os
import shlex
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from shutil import which

from laboratory import Laboratory

FOLDER = "/run/tasuki-laboratory/slurm"
CONFIGURATION = f"{FOLDER}/slurm.conf"
TOOLS = ("slurmctld", "slurmd", "srun", "sbatch", "munged", "taskset")
START_S = 30.0

# By `config_overrides` Slurm believes the numbers here, whatever cores this machine has. It finds
# processes by their parents, which takes no control groups.
_CONFIGURATION = """\
ClusterName=laboratory
SlurmctldHost=h0
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/{binding}
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
KillWait=2
NodeName={nodes} CPUs={cores}
PartitionName=all Nodes=ALL Default=YES State=UP
"""

_PREPARE = """\
set -e
mkdir -p {folder}/munge {folder}/state
for node in {nodes}; do mkdir -p {folder}/spool.$node; done
dd if=/dev/urandom of={folder}/munge/key bs=1024 count=1 status=none
chmod 600 {folder}/munge/key
cat >{folder}/slurm.conf
case $(slurmd -V) in
  "slurm-wlm 22."* | "slurm 22."*) echo CgroupPlugin=cgroup/v1 ;;
  *) echo CgroupPlugin=disabled ;;
esac >{folder}/cgroup.conf
"""


def missing_tools() -> list[str]:
    return [tool for tool in TOOLS if which(tool) is None]


class Slurm(AbstractContextManager["Slurm"]):
    """Slurm from entering the context to leaving it; `cores` are those of each node."""

    def __init__(self, laboratory: Laboratory, cores: int = 2) -> None:
        self._laboratory = laboratory
        self._cores = cores
        self._daemons: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> "Slurm":
        nodes = self._laboratory.names[1:]
        values = {"folder": FOLDER, "nodes": " ".join(nodes)}
        text = _CONFIGURATION.format(
            folder=FOLDER,
            nodes=",".join(nodes),
            cores=self._cores,
            binding="affinity" if (os.cpu_count() or 1) >= self._cores else "none",
        )
        prepare = _PREPARE.format(**values)
        subprocess.run(
            self._laboratory.command("h0", ["sh", "-c", prepare]),
            input=text,
            text=True,
            check=True,
        )
        try:
            self._start("h0", _munged())
            self._await(["test", "-S", f"{FOLDER}/munge/socket"])
            self._start("h0", ["slurmctld", "-D", "-i"])
            for node in nodes:
                self._start(node, ["slurmd", "-D", "-N", node])
            all_idle = f'test "$(sinfo -h -o %D -t idle)" = {len(nodes)}'
            self._await(["sh", "-c", all_idle])
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        for daemon in reversed(self._daemons):
            daemon.kill()  # Its host then kills what the agent has started.
            daemon.wait()

    def command(self, *words: str, environment: Mapping[str, str] | None = None) -> list[str]:
        """The command that runs `words` on h0, where users of this Slurm log in."""
        added = {"SLURM_CONF": CONFIGURATION, **(environment or {})}
        return self._laboratory.command("h0", words, added)

    def run(
        self, *words: str, environment: Mapping[str, str] | None = None, within_s: float = 60.0
    ) -> subprocess.CompletedProcess[str]:
        """Runs `words` there to the end. Raises subprocess.TimeoutExpired after `within_s`."""
        return subprocess.run(
            self.command(*words, environment=environment),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=within_s,
        )

    def logs(self) -> str:
        """The last lines of all daemons."""
        return self.run("sh", "-c", f"tail -n 20 {FOLDER}/*.log").stdout

    def _start(self, host: str, words: Sequence[str]) -> None:
        command = self._laboratory.command(host, words, {"SLURM_CONF": CONFIGURATION})
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        self._daemons.append(subprocess.Popen(command, stderr=subprocess.DEVNULL, **quiet))

    def _await(self, words: Sequence[str]) -> None:
        give_up = time.monotonic() + START_S
        while self.run(*words).returncode != 0:
            if time.monotonic() > give_up:
                raise RuntimeError(f"Slurm has not started: {shlex.join(words)}\n{self.logs()}")
            time.sleep(0.1)


def _munged() -> list[str]:
    files = {"socket": "socket", "key-file": "key", "pid-file": "pid", "log-file": "log.munged"}
    options = [f"--{option}={FOLDER}/munge/{name}" for option, name in files.items()]
    # Root may own its files here, which munged warns of.
    return ["munged", "--foreground", "--force", f"--seed-file={FOLDER}/munge/seed", *options]
