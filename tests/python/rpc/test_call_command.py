"""`tasuki call` and `tasuki info URL`: routines of a server from a shell."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import REPOSITORY, Command, parse_envelope
from demo_server import DemoServer, needs_server
from tasuki.idl.parser import parse_text
from tasuki.rpc.call_command import _show, _value
from tasuki.rpc.examples import method_example, python_example, shell_example

pytestmark = needs_server
GUIDE = REPOSITORY / "docs" / "guide" / "calling-from-a-shell.md"
EQUATIONS = ("A=[[2,1],[1,3]]", "b=[5,10]")


@pytest.fixture(scope="module")
def server() -> Iterator[DemoServer]:
    with DemoServer() as started:
        yield started


@pytest.fixture
def call(server, tasuki):
    return lambda *arguments: tasuki("call", server.url, *arguments)


def lines_of(table: str) -> list[list[str]]:
    return [line.split() for line in table.splitlines() if line.strip()]


def test_a_routine_is_named_alone_where_one_module_has_it(call):
    one = call("sort", "keys=[3,1,2]")
    assert (one.returncode, one.stderr) == (0, "")
    several = call("solve", *EQUATIONS).stderr
    assert "solve is in several modules" in several and "linpack.solve" in several


def test_results_are_tables(call):
    shown = call("linpack.solve", *EQUATIONS)
    assert (shown.returncode, shown.stderr) == (0, "")
    lines = lines_of(shown.stdout)
    assert lines[0] == "x: float64 of shape (2,)".split()
    assert lines[-2:] == [["0", "1"], ["1", "3"]]


def test_json_has_elements_and_the_report(call):
    rows = parse_envelope(call("linpack.solve", *EQUATIONS, "--json").stdout)["results"]
    assert [row["kind"] for row in rows] == ["result", "report"]
    assert (rows[0]["name"], rows[0]["dtype"], rows[0]["shape"]) == ("x", "float64", [2])
    np.testing.assert_allclose(rows[0]["elements"], [1, 3])
    assert rows[1]["report"]["bytes"] == {"sent": 64, "received": 16}


def test_the_way_and_the_form_of_numbers_are_options_or_settings(server, tasuki):
    def way(*options: str) -> tuple[str, str]:
        shown = tasuki("call", server.url, "linpack.solve", *EQUATIONS, *options, "--json")
        report = parse_envelope(shown.stdout)["results"][-1]["report"]
        return report["mode"], report["wire"]

    assert way("--mode", "relay", "--wire", "xdr") == ("relay", "xdr")
    tasuki.environment.update(TASUKI_RPC_MODE="buffering", TASUKI_RPC_WIRE="xdr")
    assert way() == ("buffering", "xdr")
    assert way("--mode", "hand-off", "--wire", "native") == ("hand-off", "native")
    wrong = tasuki("call", server.url, "linpack.solve", *EQUATIONS, "--mode", "post")
    assert wrong.returncode == 2 and "choose one of auto, memory, hand-off" in wrong.stderr


@pytest.mark.parametrize("form", ["{}", "{}={}"])
def test_arrays_come_from_files_and_go_to_them(call, tmp_path, form):
    generator = np.random.default_rng(1)
    a, b = generator.random((50, 50)), generator.random(50)
    np.save(tmp_path / "A.npy", np.asfortranarray(a))
    np.save(tmp_path / "b.npy", b)
    given = [f"@{tmp_path}/A.npy", f"@{tmp_path}/b.npy"]
    if "=" in form:
        given = [form.format(name, text) for name, text in zip("Ab", given, strict=True)]
    shown = call("linpack.solve", *given, "-o", f"x={tmp_path}/x", "--json")
    np.testing.assert_allclose(a @ np.load(tmp_path / "x"), b, atol=1e-9)
    row = parse_envelope(shown.stdout)["results"][0]
    assert (row["elements"], row["file"]) == (None, f"{tmp_path}/x")
    assert call("linpack.solve", *given, "-o", f"x={tmp_path}/x").stdout == ""


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("nosuch",), 1, "there is no routine nosuch. Remedy: choose one of "),
        (("linpack.solve", "A=[[1]]"), 2, "Remedy: give b"),
        (("linpack.solve", "A=[[1]]", "b=[1,2]"), 2, "b must have shape (n,) = (1,), and has (2,)"),
        (("linpack.solve", "A=[[1]]", "b=[1"), 2, "b: [1 is no list: "),
        (("linpack.solve", "A=[[1]]", "b=[1e400]"), 2, "b: no float64 is as large as 1e400"),
        (("linpack.solve", "A=[[1]]", "b=one"), 2, "b: 'one' is no number. Remedy: give"),
        (
            ("linpack.solve", "-2", "[1]"),
            2,
            "-2 would be an option. Remedy: give its name, as in n=-2",
        ),
        (("linpack.solve", "[[1]]", "-.5"), 2, "as in n=-.5, or write -- before the arguments"),
        (("linpack.solve", "--", "-2", "[1]"), 2, "A must have shape (n, n)"),
        (("linpack.solve", "A=[[1]]", "b=@none.npy"), 2, "none.npy is no array: No such file"),
        (("linpack.solve", "A=[[1]]", "A=[[1]]"), 2, "A is given twice"),
        (
            ("linpack.solve", *EQUATIONS, "-o", "y=y.npy"),
            2,
            "-o y=y.npy names no result and its file",
        ),
        (("linpack.solve", *EQUATIONS, "-o", "x=/no/x.npy"), 2, "/no/x.npy cannot be written"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(call, arguments, code, text):
    failed = call(*arguments)
    assert (failed.returncode, failed.stdout) == (code, "")
    assert text in failed.stderr and failed.stderr.count("\n") == 1


@pytest.mark.parametrize("content", [b"", b"no array", b"\x93NUMPY"])
def test_a_file_that_is_no_array_is_named(call, tmp_path, content):
    (tmp_path / "b.npy").write_bytes(content)
    failed = call("linpack.solve", "A=[[1]]", f"b=@{tmp_path}/b.npy")
    assert failed.returncode == 2
    assert f"{tmp_path}/b.npy is no array: " in failed.stderr


def test_objects_of_files_are_not_made(call, tmp_path):
    np.save(tmp_path / "b.npy", np.array([print], dtype=object), allow_pickle=True)
    assert call("linpack.solve", "A=[[1]]", f"b=@{tmp_path}/b.npy").returncode == 2


def test_a_server_that_is_not_there_is_said(tasuki):
    failed = tasuki("call", "tasuki://localhost:1", "solve")
    assert failed.returncode == 1 and failed.stderr.startswith("tasuki: connect")


def test_numbers_are_read_as_they_are_meant():
    assert [_value("x", text) for text in ("3", "-0.5", "1+2j", "inf")] == [3, -0.5, 1 + 2j, np.inf]


def test_lists_in_brackets_stay_lists():
    assert _value("x", "[30, 10, 20]") == [30, 10, 20]
    assert _value("x", "[[1, 2], [3, 4.5]]") == [[1, 2], [3, 4.5]]


def test_large_matrices_and_numbers_alone_are_readable(capsys):
    _show({"norm": np.array([0.1]), "m": np.arange(900.0).reshape(30, 30) / 7})
    lines = lines_of(capsys.readouterr().out)
    assert ["norm", "0.1"] in lines
    assert ["index", "0", "1", "2", "...", "27", "28", "29"] in lines
    assert ["29", *"124.286 124.429 124.571 ... 128.143 128.286 128.429".split()] in lines
    assert len(lines) == 2 + 2 + 1 + 2 + 21


def test_info_lists_routines(server, tasuki):
    shown = tasuki("info", server.url).stdout
    assert "linpack.solve" in shown and "Gaussian elimination" in shown


def test_info_shows_a_routine_and_examples_that_run(server, tasuki, tmp_path):
    shown = tasuki("info", server.url, "linpack.solve").stdout
    assert re.search(r"A +in +double \(float64\) +\[n\]\[n\] +\(CYCLIC, \*\)", shown)
    found: dict[str, object] = {}
    exec(re.search(r"From Python:\n\n(.*?)\n\nFrom", shown, re.DOTALL)[1], found)
    np.testing.assert_allclose(found["A"] @ found["x"], found["b"])
    np.save(tmp_path / "A.npy", found["A"])
    np.save(tmp_path / "b.npy", found["b"])
    run_in(tmp_path, shown.splitlines()[-1], tasuki)
    np.testing.assert_allclose(np.load(tmp_path / "x.npy"), found["x"])


def test_info_lists_the_routines_of_a_module(server, tasuki):
    shown = tasuki("info", server.url, "linpack").stdout
    assert "linpack.solve" in shown and "radixsort" not in shown


def test_numbers_that_are_none_are_given_as_json_prints_them(call):
    for texts in ("[nan,-inf,inf,1]", '["nan", "-inf", "inf", 1]'):
        value = _value("b", texts)
        np.testing.assert_array_equal(value, [np.nan, -np.inf, np.inf, 1])
    shown = call("linpack/solve", "A=[[1]]", "b=[inf]", "--json")
    assert parse_envelope(shown.stdout)["results"][0]["elements"] == ["inf"]


def test_info_in_json(server, tasuki):
    rows = parse_envelope(tasuki("info", server.url, "linpack.solve", "--json").stdout)["results"]
    assert [row["name"].rpartition(".")[2] for row in rows] == ["solve", "n", "A", "b", "x"]
    assert (rows[2]["mode"], rows[2]["dtype"], rows[2]["shape"]) == ("in", "float64", ["n", "n"])
    everything = parse_envelope(tasuki("info", server.url, "--json").stdout)["results"]
    assert [row for row in everything if row["name"].startswith("linpack")] == rows


def test_info_of_an_unknown_routine(server, tasuki):
    failed = tasuki("info", server.url, "nosuch")
    assert (failed.returncode, failed.stderr.count("\n")) == (1, 1)
    assert "there is no routine nosuch" in failed.stderr


def test_examples_have_sizes_that_fit_and_no_words_of_python():
    routine = parse_text(
        "Define f(IN int n, IN int m, IN float lambda[n - m], IN int k, OUT double y[k / m])"
        ' Calls "C" f(n, m, lambda, k, y);'
    ).routines[0]
    assert python_example("URL", "f", routine).splitlines()[2:] == [
        'lambda_ = np.random.rand(0).astype("float32")',
        "y = server.f.f(4, 4, lambda_, 4)",
    ]


def test_examples_write_names_that_only_the_language_has():
    text = "Define f$(IN int n$, IN int x$[n$], g$(IN int $p[n$]), OUT int y$[n$]) { }"
    example = python_example("URL", "f", parse_text(text).routines[0])
    assert example.splitlines()[-1] == 'y_ = server.f.routines["f$"](x_, g_)'
    compile(example, "example", "exec")
    text = "Define f$(IN int n$, IN int m, IN int x$[n$]) { }"
    line = shell_example("URL", "f", parse_text(text).routines[0])
    assert line == "tasuki call URL 'f.f$' m=4 'x$=@x$.npy'"


def test_examples_are_python_whatever_modules_and_routines_are_named():
    module = parse_text(
        "Define import(IN int server, IN double np[server]) { }"
        "DefClass None { DefMethod from(IN int n) { } }"
    )
    example = python_example("URL", "my-file", module.routines[0])
    assert example.splitlines()[2:] == [
        "np_ = np.random.rand(4)",
        'server.modules["my-file"].routines["import"](np_)',
    ]
    owner = module.classes[0]
    example = method_example("URL", "class", owner.name, owner.methods[0])
    assert example.splitlines()[2:] == [
        'none = getattr(server.modules["class"], "None")()',
        'getattr(none, "from")(4)',
    ]
    compile(example, "example", "exec")


def run_in(folder: Path, script: str, command: Command) -> str:
    """What the lines for a shell print; `tasuki` and python3 are those of the tests."""
    functions = (
        f'tasuki() {{ {sys.executable} -m tasuki "$@"; }}\npython3() {{ {sys.executable} "$@"; }}\n'
    )
    done = subprocess.run(
        ["bash", "-ec", functions + script],
        cwd=folder,
        env=command.environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_the_guide_shows_runs(server, tasuki, tmp_path):
    blocks = re.findall(r"^```sh\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    script = "".join(blocks).replace("tasuki://localhost:7777", server.url)
    shown = run_in(tmp_path, script, tasuki)
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), np.ones(100))
    assert json.JSONDecoder().raw_decode(shown[shown.index('{\n "') :])[0]["command"] == "call"
