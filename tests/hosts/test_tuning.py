"""`tasuki tune --hosts`: what is measured between hosts, and that jobs there use it.

Over Open MPI alone: between hosts MPICH 4.0 may wait for ever at the end of a job
(docs/guide/clusters.md).
"""

import json
import re
import shutil
import subprocess

import pytest
from conftest import AGENT, REPOSITORY
from tasuki.base.programs import find_plugin, find_program

pytestmark = pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
MEASURE = ["--mpi", "ompi", "--", find_program("tasuki_measure")]
TUNED_PROGRAM = REPOSITORY / "tests/python/tuned/programs/collectives.c"
MACHINE = '{"command": "machine"}\n'
LIST = '{"command": "list", "collective": "allreduce", "message_bytes": 64}\n'


@pytest.fixture
def tasuki(tasuki):
    tasuki.settings["TASUKI_RSH"] = AGENT
    return tasuki


@pytest.fixture
def machine(tasuki):
    """What a policy that was measured here says of it."""
    words = ["run", "-n", "2", "--", find_program("tasuki_measure")]
    return json.loads(tasuki(*words, input=MACHINE).stdout)["machine"]


def test_hosts_are_measured_and_other_rows_stay(tasuki, machine, tmp_path):
    path = tmp_path / "policy"
    path.write_text(
        f"tasuki policy 1\nmachine {machine}\ntransport mpi\nbarrier 8 any ring -\nend\n"
    )
    words = ["--mpi", "ompi", "--budget", "2s", "--collective", "allreduce", "--output", path]
    ended = tasuki("tune", "--hosts", "h0:2,h1:2", "--json", *words)
    assert ended.returncode == 0, ended.stderr
    rows = json.loads(ended.stdout)["results"]
    assert {(row["ranks"], row["hosts"]) for row in rows} == {(4, 2)}
    assert {"two_level", "two_level_lanes"} <= {row["algorithm"] for row in rows}
    text = path.read_text()
    of_hosts, others = (
        text.index("\nnodes 2 2 2\nallreduce 4 "),
        text.index("\nbarrier 8 any ring "),
    )
    assert of_hosts < others


def test_hosts_whose_processors_differ_use_the_policy_of_the_first(
    tasuki, laboratory, machine, tmp_path
):
    path, processors = tmp_path / "policy", tmp_path / "cpuinfo"
    processors.write_text("model name\t: another processor\n")
    path.write_text(
        f"tasuki policy 1\nmachine {machine}\ntransport mpi\nallreduce any any ring -\nend\n"
    )
    tasuki.settings["TASUKI_POLICY"] = str(path)
    mounted = laboratory.run("h1", ["mount", "--bind", str(processors), "/proc/cpuinfo"])
    assert mounted.returncode == 0, mounted.stderr
    try:
        ended = tasuki("run", "--hosts", "h0:2,h1:2", *MEASURE, input=LIST)
    finally:
        laboratory.run("h1", ["umount", "/proc/cpuinfo"])
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["chosen"] == "ring"


def test_schedules_in_an_mpi_program_know_its_hosts(tasuki):
    program = find_program("mpi_measure_ompi")
    if program is None:
        pytest.skip("not built")
    asked = [
        {"command": "list", "collective": "allreduce", "message_bytes": 64},
        {"command": "measure", "collective": "allreduce", "message_bytes": 64,
         "algorithm": "schedule:two_level", "parameters": "", "samples": 3, "seconds": 0.1},
    ]  # fmt: skip
    text = "".join(f"{json.dumps(one)}\n" for one in asked)
    ended = tasuki("run", "--hosts", "h0:2,h1:2", "--mpi", "ompi", "--", program, input=text)
    assert ended.returncode == 0, ended.stderr
    listed, measured = map(json.loads, ended.stdout.splitlines())
    usable = {one["algorithm"] for one in listed["algorithms"] if not one["unavailable"]}
    assert {"schedule:two_level", "schedule:two_level_lanes"} <= usable
    assert measured["right"] and not measured["unavailable"]


def test_an_mpi_program_as_it_is_uses_algorithms_that_know_hosts(tasuki, machine, tmp_path):
    program, path = tmp_path / "program", tmp_path / "policy"
    subprocess.run(["mpicc.openmpi", "-w", TUNED_PROGRAM, "-o", program], check=True)
    rows = "nodes 2 any any\nallreduce any any two_level -\n"
    path.write_text(f"tasuki policy 1\nmachine {machine}\ntransport preloaded\n{rows}end\n")
    mpirun = ["mpiexec.openmpi", "--mca", "plm_rsh_agent", AGENT, "--host", "h0:2,h1:2", "-n", "4"]
    ended = tasuki("run", "--tuned", "--policy", path, "--", *mpirun, program)
    assert (ended.stdout, ended.returncode) == ("0 wrong\n", 0), ended.stderr
    said = re.sub(" +", " ", ended.stderr)
    assert "allreduce two_level messages" in said  # Of the ranks of h0.


def test_ranks_of_an_mpi_program_that_lack_the_groups_of_hosts_are_named(tasuki, tmp_path):
    program = tmp_path / "program"
    subprocess.run(["mpicc.openmpi", "-w", TUNED_PROGRAM, "-o", program], check=True)
    mpirun = ["mpiexec.openmpi", "--mca", "plm_rsh_agent", AGENT, "--host", "h0:2,h1:2"]
    given = ["-n", "2", "env", "TASUKI_NODE_GROUPS=h0;h1", program]
    ended = tasuki("run", "--tuned", "--", *mpirun, *given, ":", "-n", "2", program)
    assert (ended.stdout, ended.returncode) == ("", 70), ended.stderr
    said = " ".join(ended.stderr.split())
    where = "'h0;h1' on rank 0 (host h0) but not set on rank 2 (host h1)"
    assert f"TASUKI_NODE_GROUPS is {where}; it differs from rank 0's on 2 of 4 ranks." in said
    assert "Remedy: give all ranks the same" in said


@pytest.mark.parametrize("without", ["h0", "h1"])
def test_a_host_without_the_library_is_named(tasuki, laboratory, tmp_path, without):
    program, empty = tmp_path / "program", tmp_path / "empty"
    subprocess.run(["mpicc.openmpi", "-w", TUNED_PROGRAM, "-o", program], check=True)
    empty.touch()
    # Ranks of a host that have the library start together, but on a machine that does other things.
    tasuki.settings["TASUKI_START_TIMEOUT"] = "10s"
    mpirun = ["mpiexec.openmpi", "--mca", "plm_rsh_agent", AGENT, "--host", "h0:2,h1:2", "-n", "4"]
    library = find_plugin("libtasuki_mpi")
    mounted = laboratory.run(without, ["mount", "--bind", empty, library])
    assert mounted.returncode == 0, mounted.stderr
    try:
        ended = tasuki("run", "--tuned", "--", *mpirun, program)
    finally:
        laboratory.run(without, ["umount", library])
    assert (ended.stdout, ended.returncode) == ("", 70), ended.stderr
    ranks = "rank 0" if without == "h0" else "ranks 2, 3"
    assert f"run --tuned: {ranks} (host {without}) did not say within " in ended.stderr
    assert f"which this rank has in {library}. Remedy: if hosts lack that file" in ended.stderr
    assert ended.stderr.count("did not say") == 1


def test_hosts_that_are_one_are_refused(tasuki):
    ended = tasuki("tune", "--hosts", "h0:1,localhost:1", "--mpi", "ompi", "--budget", "1s")
    assert ended.returncode == 2
    assert "2 names of 1 host" in ended.stderr


def test_a_bench_on_hosts_compares_libraries_in_turn(tasuki, tmp_path):
    (tmp_path / "mpiexec").symlink_to(shutil.which("mpiexec.openmpi"))
    peer = ["--peer", f"ompi={tmp_path}"]
    words = ["--mpi", "ompi", *peer, "--collective", "barrier", "--rounds", "1"]
    ended = tasuki("bench", "collectives", "--hosts", "h0:2,h1:2", "--json", *words)
    assert ended.returncode == 0, ended.stderr
    (row,) = json.loads(ended.stdout)["results"]
    assert (row["ranks"], row["hosts"]) == (4, 2)
    assert set(row["peer_seconds"]) == {"ompi", "ompi han"}


def test_a_bench_on_hosts_compares_messages_alone(tasuki, tmp_path):
    (tmp_path / "mpiexec").symlink_to(shutil.which("mpiexec.openmpi"))
    peer = ["--peer", f"ompi={tmp_path}", "--transport", "ucx", "--no-node-shm"]
    words = [*peer, "--collective", "barrier", "--rounds", "1"]
    ended = tasuki("bench", "collectives", "--hosts", "h0:2,h1:2", "--json", *words)
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    (row,) = found["results"]
    assert (found["transport"], row["node_shm"], row["hosts"]) == ("ucx", False, 2)
    assert set(row["peer_seconds"]) == {"ompi"}


def test_a_row_for_nodes_holds_between_hosts_alone(tasuki, machine, tmp_path):
    path = tmp_path / "policy"
    path.write_text(
        f"tasuki policy 1\nmachine {machine}\ntransport mpi\nnodes 2 any any\n"
        "allreduce any any two_level - for a test\nend\n"
    )
    tasuki.settings["TASUKI_POLICY"] = str(path)
    for hosts, chosen in (("h0:2,h1:2", True), ("h0:2", False)):
        ended = tasuki("run", "--hosts", hosts, *MEASURE, input=LIST)
        assert ended.returncode == 0, ended.stderr
        assert (json.loads(ended.stdout)["chosen"] == "two_level") is chosen
