"""Which words of a command are options of Open MPI's `mpirun`, and which are the program's."""

import shutil
from collections.abc import Sequence
from pathlib import Path

_LAUNCHERS = ("mpirun", "mpiexec", "orterun", "prterun")
# Of Open MPI 4 and 5, with one dash or two.
_WITH_A_VALUE = {
    "H", "N", "am", "app", "bind-to", "c", "cartofile", "cf", "cpu-list", "cpu-set",
    "cpus-per-proc", "cpus-per-rank", "debugger", "default-hostfile", "display", "dvm-uri",
    "forward-signals", "gpu-support", "hnp", "host", "hostfile", "keepalive", "launch-agent",
    "launcher-hostfile", "machinefile", "map-by", "max-vm-size", "memory-alloc-kinds", "n",
    "namespace", "np", "npernode", "npersocket", "num-connect-retries", "ompi-server", "output",
    "output-directory", "output-filename", "path", "personality", "pid", "ppr", "prefix",
    "preload-files", "rank-by", "rankfile", "report-events", "report-pid", "report-uri", "rf",
    "runtime-options", "rtos", "spawn-timeout", "stdin", "stream-buffering", "timeout", "tune",
    "wait-to-connect", "wd", "wdir", "with-ft", "x", "xml-file", "xterm",
}  # fmt: skip
_WITH_TWO_VALUES = {"gmca", "gomca", "gpmixmca", "gprtemca", "mca", "omca", "pmixmca", "prtemca"}


def words_of_launcher(command: Sequence[str]) -> list[int]:
    """The indices of its options and their values, also of those after a `:`, which begins the next
    part of a job. A program and its words are none."""
    found = []
    is_launchers = True
    values_left = 0
    was_option = False  # Perhaps one with a value that is not known here.
    for index in range(_place_of_launcher(command) + 1, len(command)):
        word = command[index]
        if is_launchers and values_left > 0:
            values_left -= 1
            was_option = False
        elif word == ":":
            is_launchers = True
            was_option = False
            continue
        elif is_launchers and word.startswith("-"):
            values_left = _values_of(word)
            was_option = True
        elif is_launchers:
            is_launchers = was_option and "/" not in word and shutil.which(word) is None
            was_option = False
        if is_launchers:
            found.append(index)
    return found


def _place_of_launcher(command: Sequence[str]) -> int:
    """`env` or `nice` may stand before it; the first word where no launcher is known."""
    names = [Path(word).name.partition(".")[0] for word in command]
    return next((index for index, name in enumerate(names) if name in _LAUNCHERS), 0)


def _values_of(option: str) -> int:
    """How many words after it are its values."""
    name = option.lstrip("-")
    return 1 if name in _WITH_A_VALUE else 2 if name in _WITH_TWO_VALUES else 0
