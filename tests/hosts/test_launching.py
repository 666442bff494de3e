"""`tasuki run --hosts`: where ranks run, how they end, and what is said of hosts that cannot."""

import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import AGENT, REPOSITORY, WAYS, run_words, wait_until

RANK = 'echo "$(hostname) ${TASUKI_RANK-${OMPI_COMM_WORLD_RANK-$PMI_RANK}}"'


def ranks_by_host(stdout: str) -> dict[str, list[int]]:
    placed: dict[str, list[int]] = {}
    for line in sorted(stdout.splitlines()):
        host, rank = line.split()
        placed.setdefault(host, []).append(int(rank))
    return placed


@pytest.mark.parametrize("way", WAYS)
def test_the_first_host_gets_the_first_ranks(tasuki, way):
    result = tasuki.run("h0:2,h1:1,h2:2", way, "sh", "-c", RANK)
    assert result.returncode == 0, result.stderr
    assert ranks_by_host(result.stdout) == {"h0": [0, 1], "h1": [2], "h2": [3, 4]}


@pytest.mark.parametrize("way", WAYS)
def test_hosts_without_numbers_share_the_ranks(tasuki, way):
    result = tasuki.run("h1,h3", way, "sh", "-c", RANK, options=["-n", "3"])
    assert result.returncode == 0, result.stderr
    assert ranks_by_host(result.stdout) == {"h1": [0, 1], "h3": [2]}


def test_hosts_come_from_a_file(tasuki, tmp_path):
    file = tmp_path / "hosts"
    file.write_text("# Two hosts.\nh0 slots=1\n\nh2:2  # The larger one.\n")
    result = tasuki(
        "run", "--hostfile", file, "--rsh", AGENT, "--mpi", "mpich", "--", "sh", "-c", RANK
    )
    assert result.returncode == 0, result.stderr
    assert ranks_by_host(result.stdout) == {"h0": [0], "h2": [1, 2]}


@pytest.mark.parametrize("way", WAYS)
def test_settings_reach_other_hosts(tasuki, way):
    result = tasuki.run(
        *("h0,h1", way, "sh", "-c", "echo $TASUKI_TRANSPORT $TASUKI_MPI $TASUKI_HANG_AFTER"),
        options=["--hang-after", "77"],
    )
    shown = "ucx 77" if way == "ucx" else f"mpi {way} 77"
    assert result.stdout == f"{shown}\n" * 2, result.stderr


@pytest.mark.parametrize("way", WAYS)
def test_the_exit_code_of_a_rank_elsewhere_is_passed_on(tasuki, way):
    result = tasuki.run("h0,h1", way, "sh", "-c", "test $(hostname) = h0 || exit 7")
    assert result.returncode == 7, result.stderr


@pytest.mark.parametrize("way", WAYS)
def test_a_signal_ends_the_ranks_on_all_hosts(laboratory, tasuki, way):
    command = tasuki.command(*run_words("h0,h1", way, "sleep", "1000"))
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: "sleep" in laboratory.run("h1", ["ps", "-e", "-o", "comm="]).stdout)
    process.send_signal(signal.SIGTERM)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM, stderr
    wait_until(lambda: laboratory.process_count("h1") == 0)


def error_of(result: subprocess.CompletedProcess[str]) -> str:
    """The only line of standard error, by the command and no MPI."""
    assert result.returncode == 1, result.stderr
    (line,) = result.stderr.splitlines()
    return line


@pytest.mark.parametrize("way", WAYS)
def test_a_host_that_is_not_there_is_named(tasuki, way):
    line = error_of(tasuki.run("h0,h8", way, "true"))
    assert line == (
        f"tasuki: run: host h8 cannot be reached with {AGENT}: agent: h8: there is no such host."
        f" Remedy: see that this works and asks nothing: {AGENT} h8 true."
    )


@pytest.mark.parametrize("way", ["mpich", "ucx"])
def test_the_agent_may_be_a_setting(tasuki, way):
    words = run_words("h0,h1", way, "sh", "-c", RANK)
    at = words.index("--rsh")
    tasuki.settings["TASUKI_RSH"] = AGENT
    result = tasuki(*words[:at], *words[at + 2 :])
    assert ranks_by_host(result.stdout) == {"h0": [0], "h1": [1]}, result.stderr


def test_a_host_without_a_way_back_to_the_launcher_is_named(laboratory, tasuki):
    laboratory.cut("h1")  # The agent needs no network.
    began = time.monotonic()
    line = error_of(tasuki.run("h0,h1,h2", "ucx", "true"))
    laboratory.mend("h1")
    assert time.monotonic() - began < 30
    guide = " ".join((REPOSITORY / "docs/guide/clusters.md").read_text().split())
    (shown,) = re.findall(r"``` (tasuki: run: host h1 .*?) ```", guide)
    expected = re.escape(shown).replace("ADDRESS", "[0-9.]+").replace("PORT", r"\d+")
    expected = expected.replace(re.escape("timed out"), "(timed out|No route to host)")
    assert re.fullmatch(expected, line), line


def test_an_agent_that_is_not_there_is_named(tasuki):
    result = tasuki("run", "--hosts", "h0,h1", "--rsh", "/no/agent", "--mpi", "mpich", "--", "true")
    assert "host h1 cannot be reached with /no/agent: /no/agent: No such file" in error_of(result)


@pytest.fixture
def hidden(laboratory):
    """A function that puts `over` in place of a file or folder, on one host alone."""
    mounted = []

    def hide(host: str, path: Path, over: Path) -> None:
        laboratory.run(host, ["mount", "--bind", str(over), str(path)])
        mounted.append((host, path))

    yield hide
    for host, path in mounted:
        laboratory.run(host, ["umount", str(path)])


@pytest.fixture
def program(tmp_path) -> Path:
    return Path(shutil.copy("/bin/true", tmp_path / "program"))


def test_a_program_of_another_build_is_refused(tasuki, program, hidden):
    hidden("h1", program, Path("/bin/false"))
    assert error_of(tasuki.run("h0,h1", "mpich", program)) == (
        f"tasuki: run: {program} on host h1 is another build."
        " Remedy: copy the one from here to each host."
    )


def test_a_program_that_is_not_there_is_refused(tasuki, program, hidden):
    hidden("h1", program.parent, Path("/usr/games"))
    assert error_of(tasuki.run("h0,h1", "mpich", program)) == (
        f"tasuki: run: host h1 has no program {program}."
        " Remedy: put it at the same path on each host."
    )


def test_a_library_that_is_not_there_is_named(tasuki, hidden, tmp_path):
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    program = tmp_path / "program"
    compiled = {
        f"{libraries}/libonly_here.so": ["-shared", "-x", "c", "-"],
        str(program): ["-x", "c", "-", f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-lonly_here"],
    }
    sources = [
        "int only_here(void) { return 0; }",
        "int only_here(void); int main(void) { return only_here(); }",
    ]
    for source, (output, options) in zip(sources, compiled.items(), strict=True):
        subprocess.run(["cc", "-o", output, *options], input=source, text=True, check=True)
    hidden("h1", libraries, Path("/usr/games"))
    line = error_of(tasuki.run("h0,h1", "mpich", program))
    assert f"host h1 lacks libonly_here.so, which {program} needs" in line


def test_hosts_of_another_architecture_are_refused(tasuki, hidden, program):
    other = program.with_name("uname")
    other.write_text("#!/bin/sh\necho aarch64\n")
    other.chmod(0o755)
    hidden("h1", Path("/usr/bin/uname"), other)
    assert "host h1 is of another architecture (aarch64, here x86_64)" in error_of(
        tasuki.run("h0,h1", "mpich", "true")
    )


def test_ranks_end_when_the_way_to_the_launcher_is_gone(laboratory, tasuki):
    command = tasuki.command(*run_words("h0,h1", "ucx", "sleep", "1000"))
    process = subprocess.Popen(command)
    wait_until(lambda: "sleep" in laboratory.run("h1", ["ps", "-e", "-o", "comm="]).stdout)
    laboratory.run("h0", ["pkill", "-KILL", "-f", "agent.py"])
    process.wait(timeout=60)
    wait_until(lambda: laboratory.process_count("h1") == 0)
    assert process.returncode != 0


@pytest.mark.parametrize("hosts", ["h0,h1", "h1,h2"])
def test_standard_input_goes_to_rank_0(tasuki, hosts):
    text = "".join(f"line {number}\n" for number in range(20_000))
    result = tasuki(*run_words(hosts, "ucx", "cat"), input=text)
    assert (result.returncode, result.stdout) == (0, text), result.stderr


def test_a_killed_rank_is_named_with_its_host(tasuki):
    die = "test $TASUKI_RANK != 3 || kill -9 $$; sleep 1000"
    result = tasuki.run("h0:2,h1:2", "ucx", "sh", "-c", die)
    assert result.returncode == 137
    assert "tasuki: rank 3 on host h1 (pid " in result.stderr
    assert "was killed by signal 9 (SIGKILL)" in result.stderr


def test_a_command_that_lacks_on_a_host_is_named(tasuki, hidden):
    hidden("h1", Path(sys.executable).parent, Path("/usr/games"))
    assert f"host h1 has no program {sys.executable}" in error_of(
        tasuki.run("h0,h1", "ucx", "true")
    )
