"""`tasuki profile` of programs whose ranks are on several hosts."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import AGENT, REPOSITORY, CommandOnHosts, run_words, wait_until
from laboratory import Laboratory
from tasuki.base.programs import BUILD_TREE

PROGRAMS = BUILD_TREE / "bin"
HOST_VANISHED = 73
ENDING_S = 20.0  # On a machine that does other things beside.
# MPICH 4.0 between nodes may not return from MPI_Finalize (docs/guide/clusters.md): one host, but
# not that of the command.
RUNS = {
    "ompi": ("h0:2,h1:2", "mpi", "npb_is_mpi_ompi"),
    "mpich": ("h1:4", "mpi", "npb_is_mpi_mpich"),
    "ucx": ("h0:2,h1:2", "ucx", "npb_is_tasuki"),
}
WITHOUT_FOLDER = (
    r"recording calls: /tmp/\S+/h1-\d+\.events: No such file or directory\. Remedy: give TMPDIR"
)


@pytest.fixture
def profiled(tasuki: CommandOnHosts):
    """Runs IS in that way by the guide's command; its records are in `tmpdir`."""

    def profiled(way: str, report: Path, tmpdir: Path):
        guide = (REPOSITORY / "docs/guide/profile.md").read_text()
        (shown,) = re.findall(r"\ntasuki (profile -- tasuki run --hosts .*)\n", guide)
        hosts, transport, program = RUNS[way]
        options = ["--transport", transport, *(["--mpi", way] if transport == "mpi" else [])]
        words: list[str] = []
        for word in shown.split():
            if word == "a:2,b:2":
                words += [hosts, *options, "--rsh", AGENT]
            elif word == "./program":
                words += [str(PROGRAMS / program), "--class", "S"]
            else:
                words.append(word)
        words[1:1] = ["-o", str(report)]
        # All hosts have the same cores, which none of them knows.
        tasuki.settings |= {"TMPDIR": str(tmpdir), "TASUKI_SPIN_US": "0"}
        return tasuki(*words)

    return profiled


@pytest.mark.parametrize("way", RUNS)
def test_all_ranks_record_in_a_folder_that_hosts_share(profiled, tmp_path: Path, way: str) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    result = profiled(way, tmp_path / "report.json", shared)
    assert result.returncode == 0, result.stderr[-4000:]
    assert "VERIFIED" in result.stdout
    assert "recorded nothing" not in result.stderr
    assert hosts_of(json.loads((tmp_path / "report.json").read_text())) == hosts_named(RUNS[way][0])
    assert not list(shared.glob("tasuki-*"))


def hosts_named(hosts: str) -> list[str]:
    """By rank."""
    return [name for name, count in re.findall(r"(h\d):(\d)", hosts) for _ in range(int(count))]


def hosts_of(report: dict) -> list[str]:
    """By rank."""
    found = {row["rank"]: row["host"] for row in report["results"] if "host" in row}
    return [found[rank] for rank in sorted(found)]


@pytest.mark.parametrize("way", ["ompi", "ucx"])
def test_ranks_without_the_folder_say_so_and_run_on(profiled, tmp_path: Path, way: str) -> None:
    result = profiled(way, tmp_path / "report.json", Path("/tmp"))
    assert result.returncode == 0, result.stderr[-4000:]
    assert "VERIFIED" in result.stdout
    assert len(re.findall(WITHOUT_FOLDER, result.stderr)) == 2, result.stderr
    assert "2 of 4 ranks have recorded nothing; with ranks on several hosts set TMPDIR" in (
        " ".join(result.stderr.split())
    )


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=ENDING_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.mark.parametrize("way", ["ompi", "ucx"])
def test_what_was_recorded_before_a_host_vanished_is_reported(
    laboratory: Laboratory, tasuki: CommandOnHosts, tmp_path: Path, way: str
) -> None:
    program, report = BUILD_TREE / "test-bin" / "runtime_watched_ranks", tmp_path / "report.json"
    tasuki.settings |= {"TMPDIR": str(tmp_path), "TASUKI_SPIN_US": "0"}
    options = ["--peer-timeout", "2"]
    words = run_words("h0,h1:2", way, program, "serves", "100", options=options)
    profile = ("profile", "-o", report, "--", sys.executable, "-m", "tasuki", *words)
    printed, errors = tmp_path / "stdout", tmp_path / "stderr"
    with printed.open("w") as out, errors.open("w") as err:
        process = subprocess.Popen(tasuki.command(*profile), stdout=out, stderr=err)
    try:
        wait_until(lambda: printed.read_text().count("is process") == 3)
        laboratory.cut("h1")
        code = process.wait(timeout=ENDING_S)
    finally:
        end(process)
        laboratory.mend("h1")
    assert code == HOST_VANISHED
    assert "host h1 with ranks 1-2 has vanished" in errors.read_text()
    found = json.loads(report.read_text())
    assert hosts_of(found) == ["h0", "h1", "h1"]
    assert {row["state"] for row in found["results"] if "host" in row} == {"running"}
    assert not list(tmp_path.glob("tasuki-*"))
    wait_until(lambda: not any(map(laboratory.process_count, laboratory.names)))
