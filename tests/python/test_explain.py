"""`tasuki explain`: the choice, its reason, the costs of the others, and the rounds."""

import json
import re
from pathlib import Path

import pytest
from tasuki.base.errors import CommandError
from tasuki.base.programs import find_program
from tasuki.commands.values import parse_bytes
from tasuki.measurement.measurer import Candidate
from tasuki.measurement.policy_file import PolicyRow, text_of, write

pytestmark = pytest.mark.skipif(find_program("tasuki_explain") is None, reason="not built")


@pytest.fixture
def explain(tasuki, tmp_path):
    tasuki.environment["XDG_CONFIG_HOME"] = str(tmp_path)  # Not the user's own policy.
    return lambda *arguments: tasuki("explain", *arguments)


@pytest.fixture
def machine(tasuki):
    asked = tasuki("run", "-n", "1", find_program("tasuki_measure"), input='{"command": "machine"}')
    return json.loads(asked.stdout)["machine"]


def rows_of(ended):
    assert ended.returncode == 0, ended.stderr
    return {row["algorithm"]: row for row in json.loads(ended.stdout)["results"]}


def test_says_what_is_chosen_and_why(explain):
    ended = explain("allreduce", "-n", "8", "-s", "64K")
    assert ended.returncode == 0, ended.stderr
    first = ended.stdout.splitlines()[0]
    assert first.startswith("allreduce, 8 ranks over shm, 65536 bytes: staged_halves(")
    assert "because: each combines only its share." in first


def test_costs_are_those_of_the_literature(explain):
    rows = rows_of(explain("allreduce", "-n", "8", "-s", "64K", "--transport", "mpi", "--json"))
    assert rows["ring"]["messages"] == 2 * 7 * 8
    assert len(rows["recursive_doubling"]["rounds"]) == 3
    assert rows["recursive_doubling"]["bytes"] == 3 * 8 * 65536
    assert rows["staged"]["seconds"] is None
    assert "share memory" in rows["staged"]["unavailable"]
    (chosen,) = (row for row in rows.values() if row["chosen"])
    assert chosen["algorithm"] == "sra_linear"
    for row in rows.values():
        if row["rounds"]:
            last_ns = max(one["end_ns"] for one in row["rounds"])
            assert row["seconds"] == pytest.approx(last_ns * 1e-9)


def test_networks_differ(explain):
    words = ("barrier", "-n", "8", "--transport", "mpi", "--json", "--network")
    times = [
        rows_of(explain(*words, name))["dissemination"] for name in ("gigabit_ethernet", "200g")
    ]
    assert times[0]["seconds"] > 10 * times[1]["seconds"]


def test_ranks_over_shared_memory_are_on_one_node(explain):
    words = ("allreduce", "-n", "8", "-s", "64K", "--json")
    usual, said = (rows_of(explain(*words, *more)) for more in ((), ("--ranks-per-node", "8")))
    assert usual["ring"]["seconds"] == said["ring"]["seconds"]
    over_links = rows_of(explain(*words, "--transport", "mpi"))
    assert usual["ring"]["seconds"] < over_links["ring"]["seconds"], "a link was simulated"
    shown = explain("allreduce", "-n", "8").stdout
    assert "by messages within a node (simulated)" in shown
    assert "Gbit/s" not in shown


def test_the_network_is_named_where_one_was_simulated(explain):
    words = ("allreduce", "-n", "8", "-s", "64K", "--json")
    between = rows_of(explain(*words, "--transport", "mpi", "--ranks-per-node", "4"))
    within = rows_of(explain(*words, "--transport", "mpi", "--ranks-per-node", "8"))
    assert between["ring"]["network"] == "200g"
    assert within["ring"]["network"] is None
    assert rows_of(explain(*words))["ring"]["network"] is None


def test_over_ucx_there_is_no_library_with_collectives_of_its_own(explain):
    words = ("allreduce", "-n", "8", "-s", "64K", "--json", "--transport")
    over_ucx, over_mpi = (rows_of(explain(*words, name)) for name in ("ucx", "mpi"))
    assert over_ucx["native"]["unavailable"] == "the transport has no MPI library"
    assert over_mpi["native"]["unavailable"] is None
    assert over_ucx["ring"] == over_mpi["ring"]
    assert over_ucx["sra_linear"]["chosen"]
    together = rows_of(explain(*words, "ucx", "--ranks-per-node", "8"))
    assert together["staged"]["unavailable"] is None


def test_contention_makes_a_root_wait_for_each_message(explain):
    arguments = ("reduce", "-n", "8", "-s", "1M", "--transport", "mpi", "--json")
    free, contended = (
        rows_of(explain(*arguments, *more))["linear"] for more in ((), ("--contention",))
    )
    assert (free["contention"], contended["contention"]) == (False, True)
    # Seven vectors of 1 MiB at 0.04 ns for each byte pass through the root's one link.
    wire_s = 1048575 * 0.04e-9
    assert contended["seconds"] - free["seconds"] == pytest.approx(6 * wire_s, rel=0.1)


def test_costs_without_rounds(explain):
    ended = explain("allreduce", "-n", "8", "--algorithm", "none")
    assert ended.returncode == 0, ended.stderr
    assert "recursive_doubling" in ended.stdout
    assert "What rank" not in ended.stdout


def test_what_does_not_apply_says_so(explain):
    rows = rows_of(explain("allgather", "-n", "7", "-s", "64", "--json"))
    assert rows["neighbor_exchange"]["seconds"] is None
    assert rows["neighbor_exchange"]["unavailable"]


def test_rounds_of_any_rank_and_algorithm(explain):
    ended = explain(
        "broadcast", "-n", "5", "-s", "8", "--algorithm", "linear", "--rank", "3"
    )  # fmt: skip
    text = ended.stdout[ended.stdout.index("What rank 3 does in linear") :]
    assert "receive output[0, 2) from 0" in text
    assert "send" not in text


def test_blocks_that_may_differ(explain):
    for collective in ("gatherv", "scatterv", "allgatherv", "alltoallv", "reduce_scatter"):
        rows = rows_of(explain(collective, "-n", "4", "-s", "64", "--json"))
        assert any(row["seconds"] for row in rows.values()), collective


def test_a_thousand_ranks(explain):
    rows = rows_of(explain("barrier", "-n", "1024", "--transport", "mpi", "--json"))
    assert len(rows["dissemination"]["rounds"]) == 10


def test_what_is_too_large_is_left_out(explain):
    rows = rows_of(explain("alltoall", "-n", "16384", "-s", "4", "--algorithm", "staged", "--json"))
    assert "too many to simulate" in rows["pairwise"]["unavailable"]
    refused = explain("alltoall", "-n", "16384", "-s", "4", "--algorithm", "pairwise")
    assert refused.returncode == 2
    assert "fewer ranks" in refused.stderr


@pytest.mark.same_everywhere("it computes schedules")
def test_tens_of_thousands_of_ranks(explain):
    """Each algorithm is either simulated or says why not, within seconds."""
    ended = explain("allreduce", "-n", "32768", "-s", "1M", "--transport", "mpi", "--json")
    rows = rows_of(ended)
    assert rows["recursive_doubling"]["seconds"] and rows["bine"]["seconds"]
    for name, row in rows.items():
        assert name == "native" or bool(row["seconds"]) != bool(row["unavailable"]), name


_GROUPS = ("--nodes-per-group", "4")


def test_a_map_of_nodes(explain):
    words = ("allgather", "-n", "10", "-s", "64", "--transport", "mpi", "--ranks-per-node", "2")
    ended = explain(*words, "--algorithm", "two_level")
    assert ended.returncode == 0, ended.stderr
    assert "node 0: 0-1, node 1: 2-3, node 2: 4-5, ..., node 4: 8-9." in ended.stdout
    rows = rows_of(explain(*words, "--json"))
    assert rows["two_level"]["seconds"] and rows["two_level_lanes"]["seconds"]
    assert rows["ring"]["ranks_per_node"] == 2


def test_ranks_are_on_nodes_of_their_own_unless_the_user_says_otherwise(explain):
    words = ("allreduce", "-n", "8", "-s", "64", "--transport", "mpi", "--json")
    assert "node of its own" in rows_of(explain(*words))["two_level"]["unavailable"]
    together = rows_of(explain(*words, "--ranks-per-node", "8"))
    assert "which ranks share a node" in together["two_level"]["unavailable"]
    assert not together["staged"]["unavailable"]


def test_a_policy_is_asked_for_the_nodes_that_are_simulated(explain, machine, tmp_path):
    path = tmp_path / "policy"
    rows = "nodes 4 4 1\nallreduce any any ring -\nnodes 2 2 2\nallreduce any any two_level -\n"
    path.write_text(f"tasuki policy 1\nmachine {machine}\ntransport mpi\n{rows}end\n")
    for options, algorithm in (([], "ring"), (["--ranks-per-node", "2"], "two_level")):
        words = ("allreduce", "-n", "4", "-s", "64", "--transport", "mpi", "--policy", path)
        found = rows_of(explain(*words, *options, "--json"))
        assert [name for name, row in found.items() if row["chosen"]] == [algorithm]


def test_nodes_in_groups(explain):
    words = ("allreduce", "-n", "64", "-s", "64", "--transport", "mpi", "--ranks-per-node", "4")
    ended = explain(*words, "--nodes-per-group", "4", "--algorithm", "two_level")
    assert ended.returncode == 0, ended.stderr
    assert "group 0: 0-3, group 1: 4-7, group 2: 8-11, group 3: 12-15." in ended.stdout
    assert "; between groups L = 960 ns" in ended.stdout
    rows, alike = (rows_of(explain(*words, *more, "--json")) for more in (_GROUPS, ()))
    assert rows["ring"]["nodes_per_group"] == 4 and alike["ring"]["nodes_per_group"] is None
    assert rows["ring"]["seconds"] > alike["ring"]["seconds"]
    # It has more levels: more rounds.
    assert len(rows["two_level"]["rounds"]) > len(alike["two_level"]["rounds"])


def test_shared_memory_connects_no_groups(explain):
    refused = explain("allreduce", "-n", "8", *_GROUPS)
    assert refused.returncode == 2
    assert "leave --nodes-per-group out" in refused.stderr


def test_the_policy_is_near_the_best_on_many_nodes(explain):
    """The cells were the worst without rows for several nodes: 63, 38 and 18 times the best."""
    for name, ranks, size in (
        ("allgather", "128", "1K"),
        ("broadcast", "128", "128K"),
        ("allreduce", "256", "1K"),
    ):
        words = (name, "-n", ranks, "-s", size, "--transport", "mpi", "--ranks-per-node", "64")
        for network in ("gigabit_ethernet", "200g"):
            rows = rows_of(explain(*words, "--contention", "--network", network, "--json"))
            seconds = {one: row["seconds"] for one, row in rows.items() if row["seconds"]}
            (chosen,) = (one for one, row in rows.items() if row["chosen"])
            assert seconds[chosen] < 2.5 * min(seconds.values()), (name, network, chosen)


def test_shared_memory_does_not_connect_nodes(explain):
    refused = explain("allreduce", "-n", "8", "--ranks-per-node", "4")
    assert refused.returncode == 2
    assert "give --transport mpi or ucx, or leave --ranks-per-node out" in refused.stderr
    assert explain("allreduce", "-n", "8", "--ranks-per-node", "8").returncode == 0


@pytest.mark.same_everywhere("it computes schedules")
def test_schedules_of_many_empty_blocks_are_left_out(explain):
    """Of 65,536 blocks 16 have an element: each rank looks for them all round the ring."""
    words = ("-n", "65536", "-s", "64", "--algorithm", "none", "--transport", "mpi", "--json")
    rows = rows_of(explain("allreduce", *words))
    assert "most of them empty, are too many to check" in rows["ring"]["unavailable"]
    assert rows["recursive_doubling"]["seconds"]


def test_what_leaders_do_does_not_count_for_all(explain):
    """A leader awaits 63 ranks of its node, each of which does two steps."""
    words = ("-n", "65536", "--transport", "mpi", "--ranks-per-node", "64", "--json")
    rows = rows_of(explain("barrier", "--algorithm", "none", *words))
    assert rows["two_level"]["seconds"], rows["two_level"]["unavailable"]


@pytest.mark.same_everywhere("it computes schedules")
def test_the_longest_messages(explain):
    rows = rows_of(explain("allreduce", "-n", "4", "-s", "16G", "--json"))
    assert rows["ring"]["seconds"] > 1


@pytest.mark.parametrize("document", ["guide/tuning.md", "formats/policy.md"])
def test_the_policies_that_documents_show(explain, machine, tmp_path, document):
    text = (Path(__file__).parents[2] / "docs" / document).read_text()
    shown = re.search(r"^```\n(tasuki policy 1\n.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]
    file = tmp_path / "policy"
    file.write_text(re.sub("(?m)^machine .*", f"machine {machine}", shown))
    ended = explain("broadcast", "--policy", file)
    assert ended.returncode == 0, ended.stderr


def test_the_policy_that_jobs_use(explain, machine, tmp_path):
    ring = PolicyRow("allreduce", 8, None, Candidate("ring"), "42 us")
    write(tmp_path / "tasuki" / "policy-shm", text_of([ring], machine, "shm"))
    assert "ring, because: 42 us." in explain("allreduce", "-n", "8", "-s", "4").stdout
    write(tmp_path / "other", text_of([ring], "another", "shm"))
    refused = explain("allreduce", "--policy", tmp_path / "other")
    assert refused.returncode == 2
    assert "measured on another machine" in refused.stderr


@pytest.mark.same_everywhere("what draws is the same Python package")
def test_picture(explain, tmp_path):
    path = tmp_path / "rounds.png"
    ended = explain("allreduce", "-n", "8", "-s", "4", "--algorithm", "ring", "--plot", path)
    assert ended.returncode == 0, ended.stderr
    assert path.read_bytes().startswith(b"\x89PNG")
    refused = explain("allreduce", "-s", "4", "--algorithm", "staged", "--plot", path)
    assert refused.returncode == 2
    assert "--algorithm" in refused.stderr


def test_where_the_picture_goes(explain, tmp_path):
    question = ("allreduce", "-s", "4", "--algorithm", "ring", "--plot")
    path = tmp_path / "rounds.anything"
    assert explain(*question, path).returncode == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    refused = explain(*question, tmp_path / "missing" / "rounds.png")
    assert refused.returncode == 1
    assert "rounds.png cannot be written: No such file or directory. Remedy: " in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("allredcue",), "allreduce"),
        (("allreduce", "--algorithm", "rings"), "none called 'rings'"),
        (("allreduce", "--algorithm", "ring", "--parameters", "radix=4"), "radix"),
        (("allreduce", "--transport", "mpi", "--network", "token_ring"), "gigabit_ethernet"),
        (("allreduce", "--network", "200g"), "give --transport mpi or ucx, or leave --network"),
        (("allreduce", "--policy", "/nowhere"), "no file /nowhere"),
        (("allreduce", "-s", "63"), "multiple of 4"),
        (("allreduce", "-s", "17G"), "up to 16G"),
        (("allreduce", "-s", "99999999999G"), "up to 16G"),
        (("allreduce", "-n", "65", "--plot", "no.png"), "--plot of 65 ranks"),
        (("allreduce", "-n", "4", "--rank", "4"), "rank must be an integer from 0 to 3, not 4"),
        (("allgather", "-n", "7", "--algorithm", "neighbor_exchange"), "another algorithm"),
    ],
)
def test_bad_questions(explain, arguments, said):
    ended = explain(*arguments)
    assert ended.returncode == 2
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def test_sizes():
    assert [parse_bytes(text) for text in ("0", "4", "64K", "1M")] == [0, 4, 65536, 1 << 20]
    for text in ("", "K", "-4", "6", "64k", "17G", "8589934591G", "\u0664"):
        with pytest.raises(CommandError):
            parse_bytes(text)


def test_reproducible_chooses_what_combines_in_rank_order(explain):
    asked = ("allreduce", "-n", "16", "-s", "64K", "--transport", "mpi", "--json")
    rows = rows_of(explain(*asked, "--reproducible"))
    (chosen,) = (row for row in rows.values() if row["chosen"])
    assert chosen["algorithm"] == "sra_linear"
    assert chosen["reason"] and not rows["rabenseifner"]["chosen"]
    assert "rank order" in rows["rabenseifner"]["unavailable"]
    assert rows["linear"]["unavailable"] is None
    assert rows_of(explain(*asked))["sra_knomial"]["chosen"]


def test_what_an_algorithm_asks_first_counts(explain):
    rows = rows_of(explain("alltoallv", "-n", "8", "-s", "64", "--transport", "mpi", "--json"))
    asking = rows["two_phase_bruck"]
    # Three hops for the sizes and three for the blocks, from each rank, of half the blocks each.
    assert sum(one["messages"] > 0 for one in asking["rounds"]) == 6
    assert asking["messages"] == 6 * 8
    assert asking["bytes"] == 3 * 8 * 4 * (8 + 64)
    assert asking["rounds"][-1]["end_ns"] == pytest.approx(asking["seconds"] * 1e9)


def test_picture_of_the_best_that_has_rounds_where_the_chosen_one_has_none(explain, tmp_path):
    """As of the command in the guide; what the user named is never replaced."""
    path = tmp_path / "rounds.png"
    ended = explain("allreduce", "-n", "8", "-s", "64K", "--plot", path)
    assert ended.returncode == 0, ended.stderr
    assert path.read_bytes().startswith(b"\x89PNG")
    assert "works in memory and has no rounds" in ended.stderr
    assert f"{path} shows sra_linear, the fastest by messages" in ended.stderr
