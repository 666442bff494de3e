"""`tasuki info --memory`: the accounts of structures, and that they say what is allocated."""

import pytest
from conftest import parse_envelope
from tasuki.base.programs import find_program
from tasuki.commands.info_memory import Case, bytes_of, measure

pytestmark = pytest.mark.skipif(find_program("tasuki_memory") is None, reason="not built")

# Each of the structures of a rank grows with the ranks of the job by at most so much of each.
MOST_BYTES_PER_RANK = 64


def accounts_of(tasuki, *options: str) -> list[dict]:
    rows = parse_envelope(tasuki("info", "--memory", "--json", *options).stdout)["results"]
    assert all(row["kind"] == "memory_account" for row in rows)
    return rows


def test_no_structure_grows_faster_than_64_bytes_with_each_rank(tasuki):
    rows = accounts_of(tasuki, "--ranks", "1000")
    assert {"shm", "mpi", "loopback"} <= {row["transport"] for row in rows}
    for row in rows:
        assert row["of_node"] or row["bytes_per_rank"] <= MOST_BYTES_PER_RANK, row["name"]


def test_values_follow_from_the_accounts(tasuki):
    for row in accounts_of(tasuki, "--ranks", "300", "--ranks", "200000", "--peers", "200"):
        case = Case(row["ranks"], 200, row["ranks_per_node"])
        assert row["value"] == bytes_of(row, case)


def test_only_one_transport_is_shown_if_it_is_named(tasuki):
    shown = tasuki("info", "--memory", "--transport", "shm").stdout
    assert "over shm" in shown
    assert "over mpi" not in shown


def test_a_rank_has_no_more_peers_than_there_are_others(tasuki):
    rows = accounts_of(tasuki, "--ranks", "2", "--ranks", "1000")
    assert {(row["ranks"], row["peers"]) for row in rows} == {(2, 1), (1000, 32)}
    assert (
        "with up to 32 peers" in tasuki("info", "--memory", "--ranks", "2", "--ranks", "99").stdout
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--peers", "1"], "--peers and no --memory do nothing together. Remedy: give --memory"),
        (["--ranks", "5"], "--ranks and no --memory"),
        (["--ranks-per-node", "5"], "--ranks-per-node and no --memory"),
        (["-n", "2"], "-n and no --memory"),
        (["--transport", "shm"], "--transport and no --memory"),
        (
            ["--memory", "--token-file", "t"],
            "--token-file and no server's URL do nothing together. Remedy: leave it out",
        ),
        (["--ca-file", "c"], "--ca-file and no server's URL do nothing together. Remedy: name the"),
        (["--memory", "tasuki://a:1"], "a server's URL and --memory"),
        (["--memory", "-n", "2", "--ranks", "4"], "--ranks and -n"),
        (["--memory", "-n", "2", "--ranks-per-node", "4"], "--ranks-per-node and -n"),
        (
            ["--memory", "-n", "3", "--peers", "3"],
            "a rank of 3 has 2 others. Remedy: give --peers 2",
        ),
        (["--memory", "--peers", "1000"], "a rank of 1000 has 999 others"),
        (["--memory", "--ranks", "40", "--ranks", "20", "--peers", "20"], "a rank of 20 has 19"),
    ],
)
def test_options_that_would_do_nothing_are_refused(tasuki, options, says):
    ended = tasuki("info", *options)
    assert ended.returncode == 2
    assert says in ended.stderr


def test_jobs_over_several_transports_are_one_document(tasuki):
    transports = ["--transport", "shm", "--transport", "loopback", "--transport", "shm"]
    ended = tasuki("info", "--memory", "-n", "2", "--json", *transports)
    shown = parse_envelope(ended.stdout)
    assert (shown["ranks"], shown["transport"]) == (2, None)
    rows = [row["transport"] for row in shown["results"] if row["name"] == "heap_bytes"]
    assert rows == ["shm", "loopback"]


def test_accounts_say_what_a_job_allocates_for_each_rank():
    """What does not grow with the ranks cancels out."""
    few, many = (measure("loopback", ranks, peers=1) for ranks in (256, 768))
    grown = (many["heap_bytes"] - few["heap_bytes"]) / (768 - 256)
    in_use = [row for row in many["structures"] if row["mean_bytes"] > 0]
    declared = sum(row["bytes_per_rank"] for row in in_use)
    assert grown == pytest.approx(declared, rel=0.03, abs=2)


def test_a_job_shows_what_its_ranks_take(tasuki):
    shown = parse_envelope(tasuki("info", "--memory", "-n", "3", "--json").stdout)
    assert (shown["ranks"], shown["transport"]) == (3, "shm")
    rows = {row["name"]: row for row in shown["results"]}
    assert rows["lanes by rank"]["value"] == 3 * 8
    assert rows["resident_bytes"]["value"] > rows["heap_bytes"]["value"] > 0


def test_ranks_that_talk_with_few_connect_with_few(tasuki):
    """Of 12 ranks over a network each has lanes with those that it calls or that call it."""
    tasuki.environment |= {"TASUKI_NODE_SHM": "0", "UCX_TLS": "tcp"}
    result = tasuki("info", "--memory", "-n", "12", "--peers", "1", "--transport", "ucx", "--json")
    if "ucx cannot be used here" in result.stderr:
        pytest.skip("no UCX")
    rows = {row["name"]: row for row in parse_envelope(result.stdout)["results"]}
    lanes = rows["UCX: lanes"]
    in_use = (lanes["mean_bytes"] - 12 * lanes["bytes_per_rank"]) / lanes["bytes_per_peer"]
    assert 1 <= in_use < 11
