"""Whole jobs on several hosts: first programs, examples, kernels and Python, over UCX and MPI."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import REPOSITORY, CommandOnHosts
from tasuki.base.programs import BUILD_TREE

PROGRAMS = BUILD_TREE / "bin"
TEST_PROGRAMS = BUILD_TREE / "test-bin"
EXAMPLES = REPOSITORY / "examples"
TOWN = REPOSITORY / "python/tasuki/data/town.gr.xz"

# MPICH 4.0 between nodes may not return from MPI_Finalize (docs/guide/clusters.md): one host, but
# not that of the command.
HOSTS_OF_FOUR_RANKS = {"ucx": "h0:2,h1:2", "ompi": "h0:2,h1:2", "mpich": "h1:4"}


class Job(NamedTuple):
    command: tuple[str | Path, ...]
    says: str


def verified(program: str, *arguments: str | Path) -> Job:
    return Job((PROGRAMS / program, *arguments), "VERIFIED")


def example(name: str) -> Job:
    """One that prints the same on any number of ranks."""
    expected = (EXAMPLES / "expected" / f"{name}.txt").read_text()
    return Job((PROGRAMS / f"example_{name}",), expected)


def python(name: str, expected: str) -> Job:
    return Job((sys.executable, EXAMPLES / f"{name}.py"), expected)


def checking_itself(name: str, *arguments: str) -> Job:
    return Job((TEST_PROGRAMS / name, *arguments), "")


JOBS = {
    "first program": example("first"),
    "hash map": example("hash_map"),
    "tree search": example("tree_search"),
    "examples of the headers": checking_itself("header_examples"),
    "npb cg": verified("npb_cg_tasuki", "--class", "S"),
    "npb is": verified("npb_is_tasuki", "--class", "S"),
    "npb mg": verified("npb_mg_tasuki", "--class", "S"),
    "npb sp": verified("npb_sp_tasuki", "--class", "S"),
    "lu": verified("lu_tasuki", "--size", "200"),
    "radix sort": verified("radixsort_tasuki", "--keys", "20000"),
    "shortest paths": verified("sssp_tasuki", "--graph", TOWN, "--partition", "block"),
    "python collectives": python("sum_over_ranks", "4 ranks: [10. 10. 10. 10.]\n"),
    "python arrays": python(
        "rows_on_ranks", "rows of 0 1 2 3, counted 4\nready: 1 rows from rank 3\n"
    ),
}
# Of the runtime's suite, what depends on how ranks reach each other.
REACHING = "CallTest.*:GlobalPtrTest.*:QuiesceTest.*:CollectivesTest.*:SyncTest.*"


@pytest.fixture
def run_whole(tasuki: CommandOnHosts) -> Callable[[str, str, Job], None]:
    """Runs a job to its end."""
    # All hosts have the same cores, which none of them knows: a rank that spins takes them from
    # ranks of other hosts that it waits for.
    tasuki.settings["TASUKI_SPIN_US"] = "0"

    def run_whole(hosts: str, way: str, job: Job) -> None:
        result = tasuki.run(hosts, way, *job.command)
        assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
        assert job.says in result.stdout

    return run_whole


@pytest.mark.parametrize("way", HOSTS_OF_FOUR_RANKS)
@pytest.mark.parametrize("job", JOBS)
def test_a_job_of_four_ranks(run_whole, job, way):
    run_whole(HOSTS_OF_FOUR_RANKS[way], way, JOBS[job])


@pytest.mark.parametrize("way", ["ompi", "ucx"])
def test_the_suite_of_the_runtime_on_two_hosts(run_whole, way):
    suite = checking_itself("runtime_suite", f"--gtest_filter={REACHING}")
    run_whole(HOSTS_OF_FOUR_RANKS[way], way, suite)


@pytest.mark.parametrize("way", ["ompi", "ucx"])
def test_no_rank_shares_memory_with_another(run_whole, way):
    run_whole("h0,h1,h2,h3", way, JOBS["npb cg"])
