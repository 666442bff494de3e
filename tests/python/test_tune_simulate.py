"""`tasuki tune --simulate`."""

import json
import random
import signal
import time

import pytest
from tasuki.base.errors import CommandError
from tasuki.base.programs import find_program
from tasuki.measurement.measurer import Candidate, Cell
from tasuki.tune.simulated_tuning import LARGEST_BYTES
from tasuki.tune.simulator import SimulatedPlace, Simulators

pytestmark = [
    pytest.mark.skipif(find_program("tasuki_simulate") is None, reason="not built"),
    pytest.mark.same_everywhere("it simulates"),
]

# As near the best as is promised (docs/guide/tuning.md).
NEAR = 1.1


def rows_of(text):
    """By the line about nodes above them: collective, ranks, bytes, algorithm, parameters."""
    found, nodes = {}, None
    for line in text.splitlines():
        words = line.split()
        if words[0] == "nodes":
            nodes = line
        elif nodes and line != "end":
            found.setdefault(nodes, []).append(words[:5])
    return found


def chosen(rows, collective, message_bytes):
    for name, _, size, algorithm, parameters in rows:
        if name == collective and (size == "any" or message_bytes <= int(size)):
            return Candidate(algorithm, "" if parameters == "-" else parameters)
    raise AssertionError(f"no row for {collective} of {message_bytes} bytes")


@pytest.mark.parametrize("network", ["200g", "gigabit_ethernet", "200g,latency_ns=3000,gap_ns=500"])
def test_what_is_chosen_is_near_the_best_at_sizes_between(tasuki, tmp_path, network):
    path = tmp_path / "policy"
    ended = tasuki(
        "tune", "--simulate", network, "--nodes", "3", "--ranks-per-node", "4", "--output", path
    )
    assert ended.returncode == 0, ended.stderr
    (rows,) = rows_of(path.read_text()).values()
    generator = random.Random(network)
    place = SimulatedPlace(network, 3, 4, None, "mpi")
    simulators = Simulators(1)
    try:
        for collective in ("allreduce", "broadcast", "allgather", "alltoall", "scan", "reduce"):
            for _ in range(8):
                size = int(4 ** generator.uniform(1, 11)) // 4 * 4
                times = simulators.race(place, Cell(collective, 12, size)).times
                best = min(time.median for time in times.values())
                own = times[chosen(rows, collective, size)].median
                assert own <= NEAR * best, (collective, size, own / best)
    finally:
        simulators.kill()
    assert LARGEST_BYTES == 4**11


def test_a_file_has_rows_for_each_place(tasuki, tmp_path):
    path = tmp_path / "policy"

    def tune(*options):
        ended = tasuki(
            "tune", "--simulate", "200g", "--collective", "broadcast", "--output", path, *options
        )
        assert ended.returncode == 0, ended.stderr
        assert f"TASUKI_POLICY={path}" in ended.stdout.replace("\n", "")

    tune("--nodes", "2,4", "--ranks-per-node", "2")
    tune("--nodes", "3")
    text = path.read_text()
    assert text.startswith("tasuki policy 1\nmachine any\ntransport mpi\n")
    assert list(rows_of(text)) == ["nodes 2 2 2", "nodes 2 3 1", "nodes 2 4 2"]


def test_a_file_of_another_kind_is_refused_before_simulating(tasuki, tmp_path):
    path = tmp_path / "policy"
    simulate = ("tune", "--simulate", "200g", "--nodes", "2", "--collective", "barrier")
    assert tasuki(*simulate, "--output", path).returncode == 0
    text = path.read_text()
    ended = tasuki(*simulate, "--output", path, "--transport", "ucx")
    assert ended.returncode == 2
    assert "is no policy for any machine over ucx. Remedy: name another file" in ended.stderr
    assert path.read_text() == text


def test_what_has_too_many_steps_is_said_and_left_out(tasuki, tmp_path):
    path = tmp_path / "policy"
    ended = tasuki(
        "tune", "--simulate", "200g", "--nodes", "4096", "--collective", "alltoall",
        "--output", path,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert "alltoall takes too many steps to simulate" in ended.stdout
    assert "Nothing was written to" in ended.stdout and "TASUKI_POLICY" not in ended.stdout
    assert not path.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_the_places_that_are_done(tasuki, tmp_path, number):
    path = tmp_path / "policy"
    process = tasuki.start(
        "tune", "--simulate", "200g", "--nodes", "2,64", "--ranks-per-node", "2,16",
        "--collective", "scan", "--collective", "alltoall", "--output", path,
    )  # fmt: skip
    while not path.exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)  # Not to its children, as Ctrl-C is.
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 128 + number, stderr
    assert "interrupted" in stderr and "Traceback" not in stderr
    assert "nodes 2 2 2" in rows_of(path.read_text())
    assert "Best algorithms, 4 ranks on 2 nodes" in stdout


def test_a_killed_simulator_is_named_with_a_remedy():
    simulators = Simulators(1)
    simulators.kill()
    with pytest.raises(CommandError, match="was killed at scan of 4 bytes on 4 ranks"):
        simulators.race(SimulatedPlace("200g", 2, 2, None, "mpi"), Cell("scan", 4, 4))


def test_jobs_and_explain_take_the_file(tasuki, tmp_path):
    path = tmp_path / "policy"
    ended = tasuki(
        "tune", "--simulate", "200g", "--nodes", "2", "--ranks-per-node", "2",
        "--collective", "allreduce", "--transport", "ucx", "--output", path,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    (rows,) = rows_of(path.read_text()).values()
    explained = tasuki(
        "explain", "allreduce", "-n", "4", "-s", "1K", "--ranks-per-node", "2",
        "--transport", "ucx", "--policy", path, "--json",
    )  # fmt: skip
    assert explained.returncode == 0, explained.stderr
    (row,) = (one for one in json.loads(explained.stdout)["results"] if one["chosen"])
    assert row["algorithm"] == chosen(rows, "allreduce", 1024).algorithm


def test_without_an_output_nothing_is_written(tasuki, tmp_path):
    tasuki.environment["XDG_CONFIG_HOME"] = str(tmp_path)
    ended = tasuki("tune", "--simulate", "200g", "--nodes", "2", "--collective", "barrier")
    assert ended.returncode == 0, ended.stderr
    assert "Nothing was written" in ended.stdout
    assert not list(tmp_path.iterdir())


def test_rows_of_json_name_the_network(tasuki):
    ended = tasuki(
        "tune", "--simulate", "200g,latency_ns=900", "--nodes", "4", "--ranks-per-node", "2",
        "--nodes-per-group", "2", "--collective", "barrier", "--json",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    answer = json.loads(ended.stdout)
    rows = answer["results"]
    assert rows and {one["name"] for one in rows} == {"simulate_barrier"}
    first = rows[0]
    assert [first[name] for name in ("network", "nodes", "ranks_per_node", "nodes_per_group")] == [
        "200g,latency_ns=900", 4, 2, 2,
    ]  # fmt: skip
    assert sum(one["chosen"] for one in rows) == 1
    assert first["seconds"] == min(one["seconds"] for one in rows)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--simulate", "200g"], "--simulate and no --nodes"),
        (["--simulate", "200g", "--nodes", "1"], "tasuki tune"),
        (["--simulate", "200g", "--nodes", "x"], "--nodes x is no list or range"),
        (["--simulate", "token_ring", "--nodes", "2"], "none called 'token_ring'"),
        (["--simulate", "200g,latency=1", "--nodes", "2"], "'latency' is no number of a network"),
        (["--simulate", "200g", "--nodes", "2", "--transport", "shm"], "--transport mpi or ucx"),
        (["--simulate", "200g", "--nodes", "2", "-n", "4"], "leave -n out"),
        (["--simulate", "200g", "--nodes", "2", "--budget", "5s"], "leave --budget out"),
        (["--simulate", "200g", "--nodes", "2", "--library"], "leave --library out"),
        (["--simulate", "200g", "--nodes", "4096", "--ranks-per-node", "32"], "65536 ranks in all"),
        (["--simulate", "200g", "--nodes", "2", "--mpi", "mpich"], "leave --mpi out"),
        (["--simulate", "200g", "--nodes", "2", "--seed", "5"], "leave --seed out"),
        (["--simulate", "200g", "--nodes", "2", "--ranks-per-node", ""], "is no list or range"),
        (["--simulate", "200g", "--nodes", "4", "--nodes-per-group", "4"], "are one group"),
        (["--simulate", "200g,taper=4", "--nodes", "4"], "nothing to taper"),
        (["--nodes", "2"], "leave --nodes out"),
        (["--nodes-per-group", "2"], "leave --nodes-per-group out"),
    ],
)
def test_what_cannot_be_simulated_is_refused(tasuki, options, said):
    ended = tasuki("tune", *options)
    assert ended.returncode == 2, ended.stderr
    assert said in ended.stderr
    assert ended.stderr.count("tasuki:") == 1
