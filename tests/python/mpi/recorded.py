"""Programs under the built libtasuki_mpi.so, and what it has recorded of them, one line a call.

A line names what is not as it would be without: `MPI_Send sends 40 to 1 tag 7`. What a loop of
tests or probes asked in vain is left out, since how often that is depends on time.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tasuki.base.programs import find_plugin
from tasuki.profile.event_file import EventFile, event_files

TESTS = ("MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome")
ASKED_AGAIN = ("MPI_Iprobe", "MPI_Parrived")  # Until they say yes, one after the other.
# Open MPI runs programs for root, and more ranks than cores, if one asks (4 and 5). Both yield.
ASKED = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "MPIR_CVAR_POLLS_BEFORE_YIELD": "1",
}


def run(
    mpiexec: Path | str, command: Sequence[Path | str], events: Path | None = None
) -> list[str]:
    """Runs a program as two ranks and returns what they have printed, sorted.

    With a folder for `events` the library is preloaded, and writes them there.
    """
    environment = {**os.environ, **ASKED}
    launch = [mpiexec, "-n", "2"]
    if events:
        library = find_plugin("libtasuki_mpi")
        assert library, "build the target tasuki_mpi_preload"
        environment["TASUKI_PROFILE_FOLDER"] = str(events)
        launch += ["env", f"LD_PRELOAD={library}"]
    ended = subprocess.run(
        [*launch, *command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr
    assert "tasuki:" not in ended.stderr
    return sorted(ended.stdout.splitlines())


def recorded(folder: Path, program: Path) -> list[list[str]]:
    """The calls of each rank; the program itself has made all of them, and has ended well."""
    files = event_files(folder)
    for file in files:
        assert file.missing_count == 0
        assert all(file.events["leave_ticks"] >= file.events["enter_ticks"])
        sites = file.sites[file.events["site"]]
        assert {file.module_paths[site["module"]] for site in sites} == {str(program)}
    return [calls(file) for file in files]


def calls(file: EventFile) -> list[str]:
    names = [file.function_names[event["function"]] for event in file.events]
    lines = []
    for name, event, after in zip(names, file.events, [*names[1:], ""], strict=True):
        is_vain = name in TESTS and after != "completed" or name in ASKED_AGAIN and after == name
        if not is_vain:
            lines.append(line_of(name, event))
    return lines


def line_of(name: str, event: Mapping[str, int]) -> str:
    fields = (
        ("sends", "sent_bytes", 0),
        ("receives", "received_bytes", 0),
        ("to", "destination", -1),
        ("from", "source", -1),
        ("tag", "tag", 0),
        ("got", "received_tag", 0),
    )
    words = [f"{word} {event[field]}" for word, field, usual in fields if event[field] != usual]
    return " ".join([name, *words])


def expected(path: Path, rank: int, *conditions: str) -> list[str]:
    """The lines of a file of events that are of a rank; {other} stands for the other one.

    A line that begins with words and colons (`1: mpich:`) counts only for that rank, and where all
    those words are among the `conditions`.
    """
    met = {str(rank), *conditions}
    lines = []
    for line in path.read_text().format(other=1 - rank).splitlines():
        *words, call = line.split(": ")
        if met.issuperset(words):
            lines.append(call)
    return lines
