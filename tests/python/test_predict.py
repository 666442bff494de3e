"""`tasuki predict`: predictors compared on recorded messages, and what is no trace."""

import json
from pathlib import Path

import pytest
from conftest import parse_envelope
from tasuki.base.programs import find_program

pytestmark = pytest.mark.skipif(find_program("tasuki_predictors") is None, reason="not built")

HEADER = {"format": "tasuki message trace", "version": 1, "program": "./ring", "ranks": 2}
BUFFER_BYTES = 4096


def message(rank: int, number: int, size: int, **more: object) -> dict:
    """What `rank` has received from the other one."""
    return {
        "rank": rank,
        "communicator": 0,
        "source": 1 - rank,
        "tag": 5,
        "bytes": size,
        "posted_source": 1 - rank,
        "posted_tag": 5,
        "posted_bytes": BUFFER_BYTES,
        "posted_ns": 1000 * number,
        "arrival_ns": 1000 * number + 900,
        "was_there": False,
        "in_collective": False,
        **more,
    }


def text_of(messages: list[dict]) -> str:
    return "".join(json.dumps(one) + "\n" for one in [HEADER, *messages])


@pytest.fixture
def alternating(tmp_path) -> Path:
    """Rank 0 gets 64 and 128 bytes in turn, rank 1 always 64; one message of rank 1 was there."""
    messages = [message(0, i, 64 if i % 2 == 0 else 128) for i in range(20)]
    messages += [message(1, i, 64, was_there=i == 19) for i in range(20)]
    path = tmp_path / "alternating.jsonl"
    path.write_text(text_of(messages))
    return path


def rows_of(ended) -> dict[tuple[str, str], dict]:
    assert ended.returncode == 0, ended.stderr
    rows = parse_envelope(ended.stdout)["results"]
    return {(row["predictor"], row["form"]): row for row in rows}


def test_counts_what_was_right(tasuki, alternating):
    rows = rows_of(tasuki("predict", alternating, "--json"))
    last = rows["last_value", "whole"]
    assert last["prediction_rate"] == 38 / 40  # Not the first of each rank.
    assert last["success_whole"] == last["success_free"] == last["value"] == 19 / 38
    assert last["success_fields"]["source"] == 1
    assert last["all"]["messages"] == last["all"]["free_messages"] == 40
    assert last["waiting"]["messages"] == 39
    assert last["waiting"]["free"] == {"predictions": 37, "right": 18}
    assert rows["posted", "whole"]["success_whole"] == 0
    assert [row["default"] for row in rows.values()].count(True) == 1


def test_the_beginning_can_be_left_out(tasuki, alternating):
    rows = rows_of(tasuki("predict", alternating, "--skip", "5", "--json"))
    assert rows["last_value", "whole"]["all"]["messages"] == 30


def test_the_default_learns_what_alternates(tasuki, alternating):
    rows = rows_of(tasuki("predict", alternating, "--skip", "10", "--json"))
    (default,) = (row for row in rows.values() if row["default"])
    assert default["predictor"] == "history" and default["success_free"] == 1
    assert rows["cycle", "whole"]["success_free"] == rows["markov", "whole"]["success_free"] == 1
    assert not any(predictor == "earlier_run" for predictor, _ in rows)


def test_an_earlier_run(tasuki, alternating):
    rows = rows_of(tasuki("predict", alternating, "--earlier", alternating, "--json"))
    for form in ("whole", "fields", "channel"):
        log = rows["earlier_run", form]
        assert (log["prediction_rate"], log["success_whole"]) == (1, 1)
    refused = tasuki("predict", alternating, "--predictor", "earlier_run")
    assert refused.returncode == 2
    assert "name its trace with --earlier" in refused.stderr


def test_one_predictor(tasuki, alternating):
    rows = rows_of(tasuki("predict", alternating, "--predictor", "last_value", "--json"))
    assert {predictor for predictor, _ in rows} == {"last_value"}
    shown = tasuki("predict", alternating, "--predictor", "last_value").stdout
    assert "The last message again. Source: " in shown
    refused = tasuki("predict", alternating, "--predictor", "nobody")
    assert refused.returncode == 2
    assert "none called 'nobody'" in refused.stderr and "last_value" in refused.stderr


def test_tables(tasuki, alternating):
    shown = tasuki("predict", alternating).stdout
    assert shown.startswith("./ring, 2 ranks: 40 messages; 39 of them were waited for, 40 have")
    assert "history *" in shown


def test_picture(tasuki, alternating, tmp_path):
    path = tmp_path / "shares.png"
    assert tasuki("predict", alternating, "--plot", path).returncode == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    refused = tasuki("predict", alternating, "--plot", tmp_path / "missing" / "shares.png")
    assert refused.returncode == 1
    assert "shares.png cannot be written: No such file or directory. Remedy: " in refused.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: the file is empty"),
        ("hello\n", "line 1: the line is no JSON object: 'hello'"),
        (text_of([]), "it has no messages"),
        (text_of([message(0, 0, 8)])[:-20], "line 2: the line has no end: the file is truncated"),
        (text_of([message(0, 0, 8)]).replace('"version": 1', '"version": 7'), "version 7"),
        (text_of([message(0, 0, 8, bytes="8")]), "line 2: bytes must be an integer"),
        (text_of([message(0, 0, 8), message(0, 1, 9999)]), "line 3: a message whose bytes is 9999"),
    ],
)
def test_what_is_no_trace(tasuki, tmp_path, text, said):
    path = tmp_path / "wrong.jsonl"
    path.write_text(text)
    ended = tasuki("predict", path)
    assert ended.returncode == 2
    assert said in ended.stderr and "Remedy: " in ended.stderr
    assert ended.stdout == "" and ended.stderr.count("\n") == 1


def test_a_trace_that_is_not_there(tasuki, tmp_path):
    ended = tasuki("predict", tmp_path / "missing.jsonl")
    assert ended.returncode == 2
    assert "missing.jsonl: No such file or directory. Remedy: " in ended.stderr
