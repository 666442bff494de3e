"""The time line for Perfetto: slices, regions and flows of messages."""

import json

import pytest
from cases import analysed, written_job
from tasuki.base.errors import CommandError
from tasuki.profile.trace_file import write_trace


@pytest.fixture
def entries(tmp_path) -> list[dict]:
    (tmp_path / "events").mkdir()
    write_trace(analysed(tmp_path / "events", written_job()), tmp_path / "trace.json")
    found = json.loads((tmp_path / "trace.json").read_text())
    assert found["displayTimeUnit"] == "ns"
    return found["traceEvents"]


def test_calls_are_slices(entries):
    slices = [one for one in entries if one["ph"] == "X" and one["name"] == "MPI_Recv"]
    assert [(one["pid"], one["ts"], one["dur"]) for one in slices] == [
        (1, 0.2, 0.16),
        (1, 0.45, 0.05),
    ]
    assert slices[0]["args"] == {
        "site": "app+0x1000", "sent_bytes": 0, "received_bytes": 1000, "source": 0,
        "waiting_us": 0.1,
    }  # fmt: skip


def test_ranks_and_regions_have_names(entries):
    names = [one["args"]["name"] for one in entries if one["name"] == "process_name"]
    assert names == ["rank 0 (node0)", "rank 1 (node0)"]
    (region,) = (one for one in entries if one["name"] == "region 3")
    assert (region["pid"], region["ts"], region["dur"]) == (0, 0.51, 0.2)


def test_messages_are_flows_that_begin_and_end_within_their_slices(entries):
    flows = [one for one in entries if one["ph"] in "sf"]
    assert [(one["ph"], one["id"], one["pid"], one["ts"]) for one in flows] == [
        ("s", 0, 0, 0.3), ("f", 0, 1, 0.3), ("s", 1, 0, 0.4), ("f", 1, 1, 0.45),
    ]  # fmt: skip
    slices = [one for one in entries if one["ph"] == "X"]
    for flow in flows:
        assert any(
            one["pid"] == flow["pid"] and one["ts"] <= flow["ts"] < one["ts"] + one["dur"]
            for one in slices
        )


def test_what_cannot_be_written_leaves_nothing(tmp_path):
    (tmp_path / "events").mkdir()
    analysis = analysed(tmp_path / "events", written_job())
    (tmp_path / "trace").mkdir()
    with pytest.raises(CommandError, match="cannot be written"):
        write_trace(analysis, tmp_path / "trace")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["events", "trace"]
