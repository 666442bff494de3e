"""C programs on each MPI, with and without the built libtasuki_mpi.so."""

import os
import subprocess
from pathlib import Path

import pytest
from tasuki.base.programs import find_plugin
from tasuki.profile.event_file import EventFile, event_files

PROGRAMS = Path(__file__).parent / "programs"
MPIS = ("openmpi", "mpich")
FOLDER = "TASUKI_PROFILE_FOLDER"
# Open MPI runs programs for root, and more ranks than cores, if one asks (4 and 5).
ALLOWED = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


TO_FILE = 'exec "$@" >"$0.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"'


def library() -> Path:
    found = find_plugin("libtasuki_mpi")
    assert found, "build the target tasuki_mpi_preload"
    return found


class Programs:
    """The programs of one MPI, compiled when they are first asked for."""

    def __init__(self, mpi: str, folder: Path) -> None:
        self.mpi = mpi
        self.folder = folder
        self._run_count = 0

    def compiled(self, name: str, *options: str) -> Path:
        program = self.folder / name
        if not program.exists():
            source = PROGRAMS / f"{name}.c"
            command = [f"mpicc.{self.mpi}", "-O1", "-w", source, "-o", program]
            subprocess.run([*command, *options], check=True)
        return program

    def run(
        self,
        command: list[str | Path],
        rank_count: int = 1,
        events: Path | None = None,
        preload: str | None = None,
        **settings: str,
    ) -> subprocess.CompletedProcess[str]:
        """With a folder for `events` the library is preloaded, or what `preload` says.

        Each rank prints into a file of its own, as MPICH's launcher mixes what ranks print.
        """
        self._run_count += 1
        printed = self.folder / f"printed-{self._run_count}"
        environment = {**os.environ, **ALLOWED, **settings}
        start = [f"mpiexec.{self.mpi}", "-n", str(rank_count), "sh", "-c", TO_FILE, printed]
        if events:
            environment.setdefault(FOLDER, str(events))
            start += ["env", f"LD_PRELOAD={preload or library()}"]
        ended = subprocess.run(
            [*start, *command], env=environment, capture_output=True, text=True, timeout=300
        )
        for rank in range(rank_count):
            ended.stdout += Path(f"{printed}.{rank}").read_text()
        return ended

    def compared(
        self, command: list[str | Path], events: Path, rank_count: int = 1
    ) -> tuple[list[str], list[EventFile]]:
        """What a program prints, which is the same with the library, and what that records."""
        alone = self.run(command, rank_count)
        events.mkdir()
        under = self.run(command, rank_count, events)
        assert "tasuki:" not in under.stderr
        said = [sorted(one.stdout.splitlines()) for one in (alone, under)]
        assert (under.returncode, said[1]) == (alone.returncode, said[0]), under.stderr
        return under.stdout.splitlines(), event_files(events)


def shared_library(path: Path, text: str, *options: str) -> Path:
    command = ["cc", "-shared", "-fPIC", "-xc", "-", "-o", path, *options]
    subprocess.run(command, input=text, text=True, check=True)
    return path


@pytest.fixture(name="programs", scope="module", params=MPIS)
def compiled_programs(request, tmp_path_factory) -> Programs:
    return Programs(request.param, tmp_path_factory.mktemp(request.param))
