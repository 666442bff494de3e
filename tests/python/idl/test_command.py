"""`tasuki idl check` and `tasuki idl show`."""

import json

import pytest
from listings import APLINPACK, DMMUL
from tasuki.idl.interface import module_from_json
from tasuki.idl.parser import parse_text


@pytest.fixture
def files(tmp_path):
    for name, text in (("dmmul", DMMUL), ("aplinpack", APLINPACK), ("wrong", "Module;\nModule;")):
        (tmp_path / f"{name}.idl").write_text(text)
    return tmp_path


def test_check_says_what_right_files_have(tasuki, files):
    ended = tasuki("idl", "check", files / "dmmul.idl", files / "aplinpack.idl")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines() == [
        f"{files}/dmmul.idl: 1 routine",
        f"{files}/aplinpack.idl: 1 routine",
    ]


def test_check_says_all_that_is_wrong_in_all_files(tasuki, files):
    ended = tasuki("idl", "check", files / "wrong.idl", files / "dmmul.idl", files / "none.idl")
    assert ended.returncode == 1
    assert ended.stdout == f"{files}/dmmul.idl: 1 routine\n"
    assert ended.stderr.splitlines() == [
        f"{files}/wrong.idl:1:7: expected a name, found ';'",
        "  Module;",
        "        ^",
        f"{files}/wrong.idl:2:7: expected a name, found ';'",
        "  Module;",
        "        ^",
        f"{files}/none.idl: cannot be read: No such file or directory",
    ]


@pytest.mark.parametrize("text", ["", "Module a;\n"])
def test_check_refuses_a_file_without_routines(tasuki, tmp_path, text):
    (tmp_path / "empty.idl").write_text(text)
    ended = tasuki("idl", "check", tmp_path / "empty.idl")
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"{tmp_path}/empty.idl:1:1: the file describes no routine")


def test_show_has_a_table_of_the_arguments(tasuki, files):
    ended = tasuki("idl", "show", files / "aplinpack.idl")
    assert (ended.returncode, ended.stderr) == (0, "")
    rows = [line.split() for line in ended.stdout.splitlines()]
    assert "Module Aplinpack: 1 routine".split() in rows
    assert "a in double (float64) [n][lda:n] (BLOCK, BLOCK)".split() in rows
    assert "lda in int (int32) scalar to all ranks".split() in rows
    assert "b inout double (float64) [n] to all ranks, from the first".split() in rows
    assert "C: ap_dgefasl(a, n, n, ipvt, b, job)" in ended.stdout
    assert "Gaussian elimination & Backward subst routine" in ended.stdout


def test_show_has_classes_and_callbacks(tasuki, tmp_path):
    path = tmp_path / "k.idl"
    path.write_text(
        'DefClass K "counts" { DefState { int n; }\nDefMethod add(IN int k, g(IN int x[k])) { } }'
    )
    shown = tasuki("idl", "show", path).stdout
    assert "No module name: 1 class" in shown
    assert "Class K, with state: counts" in shown
    rows = [line.split() for line in shown.splitlines()]
    assert "K.add C in line 2".split() in rows
    assert "g callback".split() in rows
    assert "g: x in int (int32) [k]".split() in rows


def test_a_file_may_have_nothing_to_call(tasuki, tmp_path):
    (tmp_path / "a.idl").write_text("Module a;")
    assert tasuki("idl", "show", tmp_path / "a.idl").stdout == "Module a: nothing to call\n"


@pytest.mark.parametrize(("option", "long_bits"), [((), 32), (("--long", "64"), 64)])
def test_json_is_the_interface(tasuki, files, option, long_bits):
    ended = tasuki("idl", "show", files / "dmmul.idl", "--json", *option)
    expected = parse_text(DMMUL, long_bits=long_bits)
    assert module_from_json(json.loads(ended.stdout)) == expected


def test_long_has_32_or_64_bits(tasuki, files):
    ended = tasuki("idl", "check", files / "dmmul.idl", "--long", "48")
    assert ended.returncode == 2
    assert "48" in ended.stderr


def test_a_file_is_needed(tasuki):
    assert tasuki("idl", "check").returncode == 2
