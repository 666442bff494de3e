"""`tasuki tune --hosts`: what is measured between hosts, and that jobs there use it.

Over Open MPI alone: between hosts MPICH 4.0 may wait for ever at the end of a job
(docs/guide/clusters.md).
"""

import json

import pytest
from conftest import AGENT
from tasuki.base.programs import find_program

pytestmark = pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
MEASURE = ["--mpi", "ompi", "--", find_program("tasuki_measure")]
MACHINE = '{"command": "machine"}\n'
LIST = '{"command": "list", "collective": "allreduce", "message_bytes": 64}\n'


@pytest.fixture
def tasuki(tasuki):
    tasuki.settings["TASUKI_RSH"] = AGENT
    return tasuki


@pytest.fixture
def machine(tasuki):
    """What a policy that was measured here says of it."""
    return json.loads(tasuki("run", "-n", "2", *MEASURE, input=MACHINE).stdout)["machine"]


def test_hosts_are_measured_and_other_rows_stay(tasuki, tmp_path):
    path = tmp_path / "policy"
    words = ["--mpi", "ompi", "--budget", "2s", "--collective", "allreduce", "--output", path]
    ended = tasuki("tune", "--hosts", "h0:2,h1:2", "--json", *words)
    assert ended.returncode == 0, ended.stderr
    rows = json.loads(ended.stdout)["results"]
    assert {(row["ranks"], row["hosts"]) for row in rows} == {(4, 2)}
    assert {"two_level", "two_level_lanes"} <= {row["algorithm"] for row in rows}
    if path.exists():  # Something was better than the built-in policy.
        assert "\nnodes 2 2 2\n" in path.read_text()


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
