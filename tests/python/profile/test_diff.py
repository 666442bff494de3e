"""`tasuki profile diff`: what became slower or faster."""

import json

import pytest
from cases import analysed, rows_named, written_job
from conftest import parse_envelope
from tasuki.profile.rows import report_of


@pytest.fixture
def reports(tmp_path):
    """The job, and the same with an allreduce that takes 500 ns longer."""
    paths = []
    for name, longer_ns in (("before", 0), ("after", 500)):
        (tmp_path / name).mkdir()
        ranks = written_job()
        for rank in ranks:
            for event in rank.events[-2:] if rank is ranks[1] else rank.events[-3:]:
                if event["sent_bytes" if "sent_bytes" in event else "enter_ticks"] == 8:
                    event["leave_ticks"] += longer_ns
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(report_of(analysed(tmp_path / name, ranks), None)))
        paths.append(path)
    return paths


def test_the_largest_change_comes_first(tasuki, reports):
    ended = tasuki("profile", "diff", *reports, "--json")
    assert ended.stdout == tasuki("profile", "--json", "diff", *reports).stdout
    found = parse_envelope(ended.stdout)
    assert found["command"] == "profile diff"
    first = rows_named(found, "function")[0]
    assert first["of"] == "MPI_Allreduce"
    assert first["value"] - first["baseline_value"] == pytest.approx(1000e-9)
    assert first["ratio"] == pytest.approx(1120 / 120)
    assert rows_named(found, "site")[0]["of"] == "MPI_Allreduce in app+0x1000"
    assert len(rows_named(found, "rank")) == 2


def test_tables(tasuki, reports):
    ended = tasuki("profile", "diff", *reports)
    assert ended.returncode == 0, ended.stderr
    for text in ("Changes by rank", "Changes by function", "MPI_Allreduce in app+0x1000"):
        assert text in ended.stdout


def test_lines_that_moved_are_the_same_place(tasuki, reports):
    for path, line in zip(reports, (10, 99), strict=True):
        text = path.read_text().replace("app+0x1000", f"solve (app.c:{line})")
        path.write_text(text)
    shown = tasuki("profile", "diff", *reports).stdout
    assert "MPI_Allreduce in solve (app.c)" in shown


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        (None, "No such file"),
        ("{", "is no JSON"),
        ("[]", "is no profile of this version"),
        ('{"command": "tune", "schema": 1}', "is no profile of this version"),
        ('{"command": "profile", "schema": 2}', "is no profile of this version"),
    ],
)
def test_what_is_no_profile_is_refused(tasuki, reports, tmp_path, contents, said):
    other = tmp_path / "other.json"
    if contents is not None:
        other.write_text(contents)
    ended = tasuki("profile", "diff", reports[0], other)
    assert ended.returncode == 2
    assert said in ended.stderr and "Traceback" not in ended.stderr


def test_two_are_compared(tasuki, reports):
    ended = tasuki("profile", "diff", reports[0])
    assert ended.returncode == 2 and "two profiles are compared, not 1" in ended.stderr
