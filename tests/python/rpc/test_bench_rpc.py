"""`tasuki bench rpc`: calls beside bare connections."""

import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import parse_envelope
from demo_server import CAN_SHARE_MEMORY, needs_server
from tasuki.bench.own_network import congestion_control
from tasuki.bench.rpc_peer import PROGRAMS, RpcPeer
from tasuki.measurement.peak_memory import PeakMemory

pytestmark = needs_server


def test_calls_are_measured_beside_bare_connections(tasuki) -> None:
    options = ("--size", "1M", "--large", "2M", "--repetitions", 1)
    result = tasuki("bench", "rpc", "-n", 2, *options, "--json")
    assert result.returncode == 0, result.stderr
    rows = {row["name"]: row for row in parse_envelope(result.stdout)["results"]}
    calls = {f"call_{n}_ranks_{client}" for n in (1, 2) for client in ("cpp", "python")}
    modes = ["hand-off", "buffering", "original", *(["memory"] if CAN_SHARE_MEMORY else [])]
    matrices = {f"{way}_2_ranks_{mode}" for way in ("send", "return") for mode in modes}
    beside = {f"{way}_2_ranks_hand-off_beside_buffering" for way in ("send", "return")}
    memory = {f"memory_{process}" for process in ("client", "front_end", "rank")}
    large = {f"{way}_2_ranks_hand-off_large" for way in ("send", "return")}
    turned = {f"{way}_2_ranks_hand-off_other_order" for way in ("send", "return")}
    peers = {one for one in rows if one.endswith(("_flight", "_dask", "_ray"))}
    network = {"congestion_control"}
    assert set(rows) - peers == calls | matrices | beside | memory | large | turned | network
    assert all(0 <= rows[name]["value"] < 64 and rows[name]["goal"] > 0 for name in memory)
    assert all(rows[name]["bytes"] == 2 << 20 for name in large)
    assert rows["congestion_control"]["value"] == congestion_control()
    assert all(rows[name]["baseline"] == "hand-off" for name in turned)
    for name in calls | matrices:
        row = rows[name]
        assert row["value"] > 0 and row["ratio"] > 0
        assert row["baseline"] == ("copy" if name.endswith("memory") else "tcp")
        assert row["unit"] == ("us" if name in calls else "GB/s")


def test_the_results_are_shown_as_a_table(tasuki) -> None:
    result = tasuki("bench", "rpc", "--size", "1M", "--large", "0", "--repetitions", 1)
    assert result.returncode == 0, result.stderr
    assert "return_2_ranks_hand-off" in result.stdout and "GB/s" in result.stdout


def test_all_connections_use_the_congestion_control_that_is_asked_for(tasuki) -> None:
    options = ("--size", "1M", "--large", "0", "--repetitions", 1, "--congestion-control", "reno")
    result = tasuki("bench", "rpc", *options, "--json")
    if os.geteuid() != 0:
        assert result.returncode == 1 and "Remedy: call it as root, or leave" in result.stderr
        return
    assert result.returncode == 0, result.stderr
    first = parse_envelope(result.stdout)["results"][0]
    assert (first["name"], first["value"]) == ("congestion_control", "reno")


def test_a_congestion_control_that_is_not_there_is_refused(tasuki) -> None:
    result = tasuki("bench", "rpc", "--congestion-control", "none-such")
    assert result.returncode == 2
    assert "this system has no congestion control none-such" in result.stderr


PEER = """
from contextlib import contextmanager
from questions import Peer, answer, array_of


@contextmanager
def start(question):
    array = array_of(question)
    print("this goes to standard error")
    yield Peer(lambda: array.copy(), lambda: None, f"{array.shape[0]} x {array.shape[1]}")


answer(start)
"""


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    shutil.copy(PROGRAMS / "questions.py", tmp_path)
    (tmp_path / "copying_peer.py").write_text(PEER)
    (tmp_path / "broken_peer.py").write_text("import no_such_module")
    return tmp_path


def test_a_peer_is_asked_for_seconds(programs: Path) -> None:
    with RpcPeer("copying", 1 << 20, 2, Path(sys.executable), programs) as peer:
        assert peer.setting == "2 x 65536"
        assert peer.send_s() > 0 and peer.call_s() > 0


def test_a_peer_that_does_not_start_is_named(programs: Path) -> None:
    with (
        pytest.raises(OSError, match="broken has ended with code 1"),
        RpcPeer("broken", 1 << 20, 2, Path(sys.executable), programs),
    ):
        pass


def test_peak_memory_is_what_was_needed_in_addition() -> None:
    peak = PeakMemory([os.getpid()])
    np.ones(8 << 20).sum()  # A part may go into memory that is there.
    assert 48 << 20 < peak.extra_bytes()[0] < 96 << 20
