"""`tasuki bench collectives`: how libraries are compared, and that those that wait do not run."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import parse_envelope, wait_for
from tasuki.base.errors import CommandError
from tasuki.base.programs import find_program
from tasuki.bench import collectives
from tasuki.bench.collectives import (
    OWN,
    RATIO_MOST,
    CollectivesRun,
    Comparison,
    _compare_on_hosts,
    _show_all,
    _summaries,
    _summary,
)
from tasuki.bench.peers import (
    Carrier,
    HostLibrary,
    Peer,
    WaitingJob,
    libraries_on_hosts,
    own_job,
    parse_peers,
    peer_job,
    peers_here,
)
from tasuki.launcher.binding import cores_allowed
from tasuki.launcher.hosts import Host
from tasuki.measurement.measurer import CHOSEN, Candidate, Cell
from tasuki.measurement.over_tcp import messages_of, ucx_over_tcp

CELL = Cell("allreduce", 2, 4)


def _compared(own, **peers):
    return Comparison(CELL, {OWN: own, **peers}, Candidate("ring"))


@pytest.mark.parametrize(
    ("transport", "named", "said"),
    [
        ("ucx", None, "all messages over TCP"),
        ("ucx", "", "all messages over TCP"),
        ("ucx", "self,tcp", "all messages over TCP"),
        ("ucx", "self", "messages over TCP, Tasuki's as UCX_TLS=self says"),
        ("ucx", "rc,self", "messages over TCP, Tasuki's as UCX_TLS=rc,self says"),
        ("mpi", "rc,self", "all messages over TCP"),
    ],
)
def test_what_carries_messages_without_shared_memory_is_said(monkeypatch, transport, named, said):
    monkeypatch.delenv("UCX_TLS", raising=False)
    if named is not None:
        monkeypatch.setenv("UCX_TLS", named)
    assert messages_of(transport) == said


@pytest.mark.parametrize(("named", "given"), [("", {"UCX_TLS": "tcp"}), ("rc,self", {})])
def test_ucx_uses_tcp_unless_the_user_names_others(monkeypatch, named, given):
    monkeypatch.setenv("UCX_TLS", named)
    assert ucx_over_tcp() == given


def test_the_best_peer_is_that_with_the_lowest_median():
    one = _compared([1.0, 1.0, 1.0], slow=[0.5, 3.0, 3.0], fast=[2.0, 2.0, 2.0])
    assert one.best_peer == "fast"


def test_ratios_are_of_pairs_from_one_round():
    drifting = _compared([1.0, 2.0, 4.0], peer=[2.0, 4.0, 8.0])
    ratio = drifting.ratio_to("peer")
    assert (ratio.low, ratio.median, ratio.high) == (0.5, 0.5, 0.5)


def test_only_what_is_slower_with_confidence_is_called_slower():
    rounds = 21
    noisy = _compared([0.5, 1.5, 2.0] * 7, peer=[1.0] * rounds)
    slower = _compared([2.0] * rounds, peer=[1.0] * rounds)
    assert noisy.ratio_to("peer").median > RATIO_MOST
    assert f"slower by more than {RATIO_MOST} in 0 of 1" in _summary([noisy])
    assert f"slower by more than {RATIO_MOST} in 1 of 1" in _summary([slower])
    assert "0.50 times as fast in the median cell" in _summary([slower])


def test_ranks_that_share_cores_have_a_median_of_their_own():
    cores = len(cores_allowed())
    fast = _compared([1.0] * 9, peer=[4.0] * 9)._replace(cell=Cell("allreduce", cores, 4))
    slow = _compared([2.0] * 9, peer=[1.0] * 9)._replace(cell=Cell("allreduce", cores + 1, 4))
    own, shared = _summaries([fast, fast, slow])
    assert own.startswith("With a core for each rank: ")
    assert "4.00 times as fast in the median cell" in own and "in 0 of 2" in own
    assert "ranks take turns" in shared
    assert "0.50 times as fast in the median cell" in shared and "in 1 of 1" in shared


@pytest.mark.parametrize("text", ["", "name", "name=/nowhere", "=/usr/bin"])
def test_a_peer_is_a_name_and_a_folder_with_an_mpiexec(text):
    with pytest.raises(CommandError, match="--peer"):
        parse_peers("bench python", [text])


def test_a_peer_is_known_by_its_mpiexec(tmp_path):
    mpiexec = tmp_path / "mpiexec"
    mpiexec.write_text("#!/bin/sh\necho 'mpiexec (Open MPI) 9.0.1'\n")
    mpiexec.chmod(0o755)
    (peer,) = parse_peers("bench python", [f"newest={tmp_path}"])
    assert peer[:2] == ("newest", "ompi")
    with pytest.raises(CommandError, match="two libraries have the name 'newest'. Remedy: give"):
        parse_peers("bench python", [f"newest={tmp_path}"] * 2)


@pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
def test_jobs_that_wait_are_stopped():
    with WaitingJob(own_job(2, Carrier())) as job:
        assert len(job.ranks) == 2
        wait_for(lambda: [_state(pid) for pid in job.ranks] == ["T", "T"])
        with job.awake() as measurer:
            assert measurer.measure(CELL, CHOSEN, 1, 0)
        wait_for(lambda: [_state(pid) for pid in job.ranks] == ["T", "T"])


def _state(pid):
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.skipif(not peers_here() or find_program("tasuki_measure") is None, reason="no MPI")
def test_rows_name_each_peer(tasuki):
    ended = tasuki(
        "bench", "collectives", "-n", "2", "--rounds", "2", "-s", "4", "--collective", "allreduce",
        "--collective", "barrier", "--json",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    rows = parse_envelope(ended.stdout)["results"]
    assert [row["name"] for row in rows] == ["collectives_allreduce", "collectives_barrier"]
    for row in rows:
        assert row["peer_seconds"][row["baseline"]] == row["baseline_value"]
        assert row["baseline_value"] == min(row["peer_seconds"].values())
        assert row["ratio_low"] <= row["ratio"] <= row["ratio_high"]
        assert row["algorithm"]


# Sends a signal while the second cell is measured: to all processes, as Ctrl-C, or to this one.
CUT_OFF = """
import os, signal, sys, time
from tasuki.bench import collectives
from tasuki.cli import main

race, raced = collectives._race, []
whom, number = sys.argv.pop(1), signal.Signals[sys.argv.pop(1)]
interrupt = {"all": lambda: os.killpg(0, number),
             "one": lambda: os.kill(os.getpid(), number)}[whom]

def race_once(*arguments):
    if raced:
        interrupt()
        time.sleep(60)
    raced.append(race(*arguments))
    return raced[0]

collectives._race = race_once
sys.exit(main())
"""


@pytest.mark.skipif(not peers_here() or find_program("tasuki_measure") is None, reason="no MPI")
@pytest.mark.parametrize(
    ("whom", "name"), [("all", "SIGINT"), ("one", "SIGINT"), ("one", "SIGTERM"), ("one", "SIGHUP")]
)
def test_interrupt_shows_what_has_been_measured(tasuki, whom, name):
    words = ["-n", "2,3", "--rounds", "2", "-s", "4", "-s", "8", "--collective", "allreduce"]
    ended = subprocess.run(
        [sys.executable, "-c", CUT_OFF, whom, name, "bench", "collectives", *words, "--json"],
        env=tasuki.environment,
        capture_output=True,
        text=True,
        timeout=300,
        start_new_session=True,
    )
    assert ended.returncode == 128 + signal.Signals[name], ended.stderr
    found = parse_envelope(ended.stdout)
    assert found["incomplete"]
    (row,) = found["results"]
    assert (row["ranks"], row["repetitions"]) == (2, 2)
    assert "interrupted; what had been measured until then is shown" in ended.stderr
    assert not tasuki.processes()


def test_a_table_that_was_cut_off_says_so(capsys):
    run = CollectivesRun([2, 3, 4], ["allreduce"], [4], [], 2, 1)
    whole = _compared([1.0, 1.0], peer=[1.0, 1.0])
    of_three = whole._replace(cell=Cell("allreduce", 3, 4))
    short = of_three._replace(seconds={OWN: [1.0], "peer": [1.0]})
    _show_all([whole, of_three], run)
    assert "incomplete" not in capsys.readouterr().out
    _show_all([whole, short], run)
    _show_all([whole], run._replace(sizes=[4, 8]))
    shown = capsys.readouterr().out
    titles = [line for line in shown.splitlines() if line.startswith("Collectives in us")]
    assert [line.endswith("(incomplete)") for line in titles] == [False, True, True]
    _show_all([], run)
    assert capsys.readouterr().out == ""


class CutOffMeasurer:
    """Measures nothing, and is interrupted after some measurements."""

    left = 0

    def __init__(self, job):
        del job

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def nodes(self):
        pass

    def candidates(self, _):
        return [], Candidate("ring")

    def measure(self, *_):
        CutOffMeasurer.left -= 1
        if CutOffMeasurer.left < 0:
            raise KeyboardInterrupt
        return [1.0]


def test_on_hosts_a_round_that_was_cut_off_does_not_count(monkeypatch):
    libraries = [HostLibrary(name, None) for name in (OWN, "peer")]
    monkeypatch.setattr(collectives, "libraries_on_hosts", lambda *_: libraries)
    monkeypatch.setattr(collectives, "require_nodes", lambda *_: None)
    monkeypatch.setattr(collectives, "JobMeasurer", CutOffMeasurer)
    run = CollectivesRun([4], ["allreduce"], [4, 8], [], 5, 1, [Host("a", 2), Host("b", 2)])
    of_a_round = 2 * 2 * len(libraries)  # With one to warm up; for both sizes.
    CutOffMeasurer.left = 2 * of_a_round + 3
    rounds = _compare_on_hosts(run, [])
    found = []
    with pytest.raises(KeyboardInterrupt):
        for so_far in rounds:
            found = so_far
    assert [one.cell.message_bytes for one in found] == [4, 8]
    assert {len(times) for one in found for times in one.seconds.values()} == {2}


MESSAGES = ("--transport", "ucx", "--no-node-shm")


def why_no_ucx(tasuki) -> str | None:
    rows = parse_envelope(tasuki("info", "--json").stdout)["results"]
    (ucx,) = (row for row in rows if (row["kind"], row["name"]) == ("transport", "ucx"))
    return ucx["unavailable_because"]


# Open MPI alone: over TCP, MPICH may wait for ever at the end of a job. The mpiexec of the system
# may be that of either.
OPEN_MPI = shutil.which("mpiexec.openmpi")


MEASURES = [find_program(name) for name in ("tasuki_measure", "mpi_measure_ompi")]


@pytest.mark.skipif(OPEN_MPI is None, reason="no Open MPI")
@pytest.mark.skipif(None in MEASURES, reason="not built")
def test_messages_over_ucx_beside_those_of_an_mpi(tasuki, tmp_path):
    if why := why_no_ucx(tasuki):
        pytest.skip(why)
    (tmp_path / "mpiexec").symlink_to(OPEN_MPI)
    words = ("--peer", f"ompi={tmp_path}", "-n", "2", "--rounds", "2", "-s", "4")
    ended = tasuki("bench", "collectives", *MESSAGES, *words, "--collective", "allreduce", "--json")
    assert ended.returncode == 0, ended.stderr
    found = parse_envelope(ended.stdout)
    (row,) = found["results"]
    assert (found["transport"], row["node_shm"], row["hosts"]) == ("ucx", False, 1)
    assert row["algorithm"] == "recursive_doubling"
    assert len(row["peer_seconds"]) == 1


@pytest.mark.skipif(not peers_here() or find_program("tasuki_measure") is None, reason="no MPI")
def test_without_memory_of_a_node_all_libraries_use_tcp(monkeypatch):
    monkeypatch.delenv("UCX_TLS", raising=False)
    messages = Carrier("ucx", node_shm=False)
    own, *others = libraries_on_hosts([Host("a", 2), Host("b", 2)], messages, peers_here(), OWN)
    assert (own.job.transport, own.job.node_shm) == ("ucx", False)
    assert own.job.environment["UCX_TLS"] == "tcp"
    assert [one.name for one in others] == [peer.name for peer in peers_here()]
    for library, peer in zip(others, peers_here(), strict=True):
        assert _uses_tcp_alone(peer, library.job.environment)
        assert _uses_tcp_alone(peer, peer_job(peer, 2, node_shm=False).environment)
    monkeypatch.setenv("UCX_TLS", "all")
    assert "UCX_TLS" not in own_job(2, messages).environment


@pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
@pytest.mark.skipif(not peers_here(), reason="no MPI")
@pytest.mark.parametrize("peer", peers_here(), ids=lambda peer: peer.name)
def test_an_mpi_below_tasuki_has_the_devices_of_the_peer(peer):
    carrier = Carrier("mpi", peer.kind, node_shm=False)
    here = own_job(2, carrier).environment
    assert here.items() <= peer_job(peer, 2, node_shm=False).environment.items()
    assert _uses_tcp_alone(peer, here)
    own, other = libraries_on_hosts([Host("a", 1), Host("b", 1)], carrier, [peer], OWN)
    assert own.job.environment.items() <= other.job.environment.items()
    assert _uses_tcp_alone(peer, own.job.environment)
    if peer.kind == "ompi":
        assert "OMPI_MCA_btl_tcp_if_include" in here
        assert "OMPI_MCA_btl_tcp_if_include" not in own.job.environment


def _uses_tcp_alone(peer, environment):
    if peer.kind == "ompi":
        return environment["OMPI_MCA_btl"] == "tcp,self"
    return (environment["UCX_TLS"], environment["MPIR_CVAR_NOLOCAL"]) == ("tcp,self", "1")


@pytest.mark.parametrize("words", [("--no-node-shm",), ("--hosts", "a:2", "--transport", "shm")])
def test_shared_memory_alone_connects_no_hosts(tasuki, words):
    ended = tasuki("bench", "collectives", *words)
    assert ended.returncode == 2
    assert f"{words[0]} and --transport shm" in ended.stderr
    assert "give --transport mpi or ucx" in ended.stderr


@pytest.mark.skipif(find_program("mpi_measure_ompi") is None, reason="no Open MPI")
def test_a_peer_with_the_name_of_another_column_is_refused(tmp_path):
    peers = [Peer("own", "ompi", tmp_path), Peer("own han", "ompi", tmp_path)]
    with pytest.raises(CommandError, match="two libraries have the name 'own han'"):
        libraries_on_hosts([Host("a", 2)], Carrier("mpi", "ompi"), peers, OWN)


@pytest.mark.parametrize(
    ("hosts", "says"),
    [
        ("a:2,a:2", "bench collectives: --hosts a:2,a:2: the same host twice. Remedy: name each"),
        ("a", "bench collectives: --hosts a: one rank has no collectives. Remedy: give the host"),
    ],
)
def test_hosts_that_cannot_be_measured_are_refused_at_once(tasuki, hosts, says):
    ended = tasuki("bench", "collectives", "--hosts", hosts)
    assert ended.returncode == 2
    assert says in ended.stderr


def test_other_collectives_are_refused(tasuki):
    ended = tasuki("bench", "collectives", "--collective", "scatter_gather")
    assert ended.returncode == 2
    assert "scatter_gather is not compared" in ended.stderr
