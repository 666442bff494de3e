"""What a reproduction keeps in a file: it is there again, and only where nothing has changed."""

import json
import os

import pytest
from tasuki.base.errors import CommandError
from tasuki.reproduce.executors import Measuring, Planning
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.notebook import Notebook

CONDITIONS = {"sizes": (4, 16)}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "notes.jsonl"


def refusal(path, conditions=CONDITIONS) -> str:
    with pytest.raises(CommandError) as refused:
        Notebook(path, conditions)
    return str(refused.value)


def test_what_was_kept_is_there_again(path):
    Notebook(path, CONDITIONS).keep("a", {"seconds": 0.1})
    again = Notebook(path, CONDITIONS)
    assert again.find("a") == {"seconds": 0.1}
    assert again.find("b") is None
    again.keep("b", [1])
    del again
    assert Notebook(path, CONDITIONS).find("b") == [1]


def test_a_line_that_was_cut_short_is_left_out(path):
    notebook = Notebook(path, CONDITIONS)
    notebook.keep("a", 1)
    notebook.keep("b", "ü" * 100)
    del notebook
    path.write_bytes(path.read_bytes()[:-20])
    again = Notebook(path, CONDITIONS)
    assert (again.find("a"), again.find("b")) == (1, None)
    again.keep("c", 3)
    del again
    assert [Notebook(path, CONDITIONS).find(name) for name in "abc"] == [1, None, 3]


def test_a_file_without_a_whole_line_is_begun_anew(path):
    path.write_text('{"form')
    Notebook(path, CONDITIONS).keep("a", 1)
    assert Notebook(path, CONDITIONS).find("a") == 1


def test_other_parameters_are_refused(path):
    Notebook(path, CONDITIONS).keep("a", 1)
    assert "sizes was [4, 16] and is [4]" in refusal(path, {"sizes": (4,)})


@pytest.mark.parametrize("what", ["cpu", "cores", "mpi", "tasuki", "build"])
def test_another_machine_or_version_is_refused(path, what):
    Notebook(path, CONDITIONS).keep("a", 1)
    first, *others = path.read_text().splitlines()
    changed = json.dumps(json.loads(first) | {what: "another"})
    path.write_text("\n".join([changed, *others, ""]))
    assert f"measured otherwise: {what} was 'another'" in refusal(path)


def test_other_settings_are_refused(path, monkeypatch):
    Notebook(path, CONDITIONS).keep("a", 1)
    monkeypatch.setenv("TASUKI_CMA", "0")
    assert "settings was" in refusal(path)


@pytest.mark.parametrize(
    "content", [b"hello\n", b"hello", b"{}", b"[1]\n", b"{}\n3\n", b"\xff\xfe\n", b"1\n"]
)
def test_another_file_is_refused_and_stays_as_it_is(path, content):
    path.write_bytes(content)
    assert str(path) in refusal(path)
    assert path.read_bytes() == content


def test_no_regular_file_is_refused(path):
    os.mkfifo(path)
    assert "no regular file" in refusal(path)


def kept_run(measured: list[str], value: object = 7) -> Run:
    def measure(_: float) -> object:
        measured.append("once")
        return [value]

    return Run(("key", 1), "title", 2.5, measure, lambda record: record[0],
               is_final=lambda record: record != [None])  # fmt: skip


def lab_with(path) -> Lab:
    return Lab(Measuring(100, lambda _: None), Notebook(path, CONDITIONS))


def test_a_lab_measures_what_is_not_in_the_notebook(path):
    measured: list[str] = []
    for _ in range(2):
        kept = kept_run(measured)
        assert lab_with(path).measured(kept) == 7
    assert measured == ["once"]


def test_a_plan_counts_what_is_not_in_the_notebook(path):
    run = kept_run([])
    lab_with(path).measure_together([run])
    plan = Planning()
    lab = Lab(plan, Notebook(path, CONDITIONS))
    assert lab.measured(run) == 7
    assert (plan.run_count, lab.known_count, plan.expected_s) == (0, 1, 0)


def test_what_is_not_final_is_measured_again(path):
    measured: list[str] = []
    for _ in range(2):
        kept = kept_run(measured, None)
        assert lab_with(path).measured(kept) is None
    assert measured == ["once"] * 2


def test_a_damaged_record_is_an_error(path):
    run = kept_run([])
    Notebook(path, CONDITIONS).keep(repr(run.key), {})
    with pytest.raises(CommandError, match=r"what it holds of \('key', 1\) is damaged"):
        lab_with(path).measured(run)


def test_two_commands_do_not_share_a_new_file(path):
    first = Notebook(path, CONDITIONS)
    assert "another command is measuring into this file. Remedy: wait until" in refusal(path)
    first.keep("a", 1)
    del first
    assert Notebook(path, CONDITIONS).find("a") == 1
