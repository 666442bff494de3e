"""What people, notebooks and editors are shown of routines: help, pages, type stubs."""

import inspect
import pydoc
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import REPOSITORY
from demo_server import DemoServer, needs_server
from tasuki.base.programs import DATA
from tasuki.idl.parser import parse_file, parse_text
from tasuki.rpc.call_form import call_form, signature_of
from tasuki.rpc.documentation import docstring, entries_of, html_of, markdown_of
from tasuki.rpc.stubs import stub_of

LINPACK = DATA / "demo" / "linpack.idl"
URL = "tasuki://localhost:7777"
STRANGE = r"""
Module strange;
Define lambda(IN int n, IN double out[n], INOUT dcomplex z[n][2 * n], OUT int r[n])
"<b>a | b</b> \"quoted\" & `ticks` \\ *stars*" { }
Define nothing(IN float x) { }
Define others(IN string name, IN int n, IN string names[n], OUT filename file,
              f(IN double point[n], OUT double *value), OUT string *text) { }
Define dollar(IN int n$, IN double x$[n$], IN double y) { }
DefClass Counter "counts" {
    DefState { int number; }
    DefMethod _initialize(IN int first) { }
    DefMethod add(IN int by, OUT int number[1]) "adds" { }
}
"""


@pytest.fixture(scope="module")
def server() -> Iterator:
    with DemoServer(2) as started:
        yield started.connect()


def routine_of(text: str):
    return parse_text(text).routines[0]


def test_a_form_says_what_is_needed_and_what_the_arrays_tell():
    form = call_form(parse_file(LINPACK).routines[0])
    names = [[one.name for one in part] for part in (form.needed, form.told, form.results)]
    assert names == [["A", "b"], ["n"], ["x"]]


@pytest.mark.parametrize(
    ("definition", "signature"),
    [
        (
            "IN int n, IN double a[n], OUT double x[n + 1]",
            "(a: float64[n], *, n: int32 = <as the arrays tell>, out=None, progress=None)"
            " -> float64[n + 1]",
        ),
        ("IN double s", "(s: float64, *, out=None, progress=None) -> ()"),
        (
            "IN int n, INOUT float a[2 * n], OUT float b[n]",
            "(n: int32, a: float32[2 * n], *, out=None, progress=None)"
            " -> (float32[2 * n], float32[n])",
        ),
        (
            "IN int n, IN int lambda, IN int x[n]",
            "(lambda_: int32, /, x: int32[n], *, n: int32 = <as the arrays tell>, out=None,"
            " progress=None) -> ()",
        ),
        (
            "IN int n$, IN int m, IN int x[n$]",
            "(m: int32, x: int32[n$], *, out=None, progress=None) -> ()",
        ),
        (
            "IN int n, IN int m$, IN int x[n]",
            "(m__: int32, /, x: int32[n], *, n: int32 = <as the arrays tell>, out=None,"
            " progress=None) -> ()",
        ),
    ],
)
def test_signatures(definition: str, signature: str):
    assert str(signature_of(routine_of(f"Define f({definition}) {{ }}"))) == signature


@needs_server
def test_help_shows_how_to_call(server):
    solve = server.linpack.solve
    shown = pydoc.plain(pydoc.render_doc(solve))
    assert "linpack.solve(A: float64[n, n], b: float64[n], *, n: int64 = <as" in shown
    assert "Solves the linear equations A x = b" in shown
    assert re.search(r"Arguments:\n.*A: float64\[n, n\], distributed \(CYCLIC, \*\)\n", shown)
    assert re.search(r"n: int64; may be left out, as the arrays tell it\n", shown)
    assert re.search(r"Returns:\n.*x: float64\[n\]\n", shown)
    assert "x = server.linpack.solve(A, b)" in shown
    assert inspect.signature(solve) == signature_of(solve.interface)
    assert list(inspect.signature(solve).bind([[1]], [2]).arguments) == ["A", "b"]
    assert {"A", "b", "x", "submit", "report"} <= set(dir(solve))


@needs_server
def test_notebooks_show_tables(server):
    for one, expected in ((server, "linpack.solve(A"), (server.linpack, "linpack.solve(A"),
                          (server.linpack.solve, "<td>A</td><td>in</td>")):  # fmt: skip
        markup = one._repr_html_()
        Balanced().feed(markup)
        assert expected in markup


class Balanced(HTMLParser):
    """Fails on elements that are not closed in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, _) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_pages_say_what_the_interface_says_and_nothing_in_it_is_markup():
    module = parse_text(STRANGE)
    entries = entries_of(URL, "strange", module)
    assert [one.name for one in entries] == [
        "strange.lambda", "strange.nothing", "strange.others", "strange.dollar",
        "strange.Counter.add",
    ]  # fmt: skip
    page = Balanced()
    page.feed(html_of("Module <strange>", entries))
    assert not page.open
    text = module.routines[0].text
    assert text in page.text and "Module <strange>" in page.text
    markdown = markdown_of("Module <strange>", entries)
    assert r"\<b\>a \| b\</b\>" in markdown and r"\`ticks\`" in markdown
    tables = [line for line in markdown.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in tables} == {6}
    for entry in entries:
        assert entry.routine.text in docstring(entry)


def test_stubs_name_what_can_be_written():
    stub = stub_of(
        URL, "Routines.", {"strange": parse_text(STRANGE), "own-program": parse_text("")}
    )
    assert "class StrangeNothing(RemoteRoutine):" in stub
    assert "lambda" not in stub and "own-program" not in stub
    assert "def __call__(self, first: SupportsIndex) -> StrangeCounter:" in stub
    compile(stub, "stub", "exec")


RIGHT = """
from typing import TYPE_CHECKING
import numpy as np
import tasuki
if TYPE_CHECKING:
    from tasuki_routines import Server
server: "Server" = tasuki.connect("tasuki://localhost:7777")
A, b = np.eye(3), np.ones(3)
reveal_type(server.linpack.solve(A, b))
reveal_type(server.linpack.solve(3, A, b, out=b))
reveal_type(server.linpack.solve.submit(A, [1.0, 2.0], n=2).result())
kept = server.put(A, like=server.linpack.solve.A)
server.linpack.solve(kept, b, progress=True)
"""
WRONG = """
server.linpack.solve(A)
server.linpack.solve(A, b, m=3)
server.linpack.solve(A, b, progress=3)
server.linpack.invert(A)
server.blas
"""


def test_type_checkers_know_the_routines(tasuki, tmp_path: Path):
    made = tasuki("idl", "stubs", LINPACK, "-o", tmp_path / "stubs")
    assert made.returncode == 0, made.stderr
    assert made.stdout.strip() == str(tmp_path / "stubs" / "tasuki_routines.pyi")
    (tmp_path / "strange").mkdir()
    strange = tmp_path / "strange" / "strange_routines.pyi"
    strange.write_text(stub_of(URL, "Routines.", {"strange": parse_text(STRANGE)}))
    program = tmp_path / "program.py"
    program.write_text(RIGHT + WRONG)
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache",
         program, made.stdout.strip(), strange],
        env={"MYPYPATH": f"{tmp_path / 'stubs'}:{REPOSITORY / 'python'}"},
        cwd=tmp_path, capture_output=True, text=True, timeout=280,
    )  # fmt: skip
    lines = [line for line in result.stdout.splitlines() if not line.startswith("Found")]
    said = {}
    for line in lines:
        found = re.match(r"program\.py:(\d+): (error|note): (.*)", line)
        assert found, result.stdout + result.stderr
        said.setdefault(int(found[1]), []).append(found[3])
    revealed = {line: texts[0] for line, texts in said.items() if "Revealed" in texts[0]}
    assert sorted(revealed) == [9, 10, 11]
    assert "float64" in revealed[9] and "float64" in revealed[11]
    first_wrong = RIGHT.count("\n") + 2
    assert sorted(said.keys() - revealed) == [*range(first_wrong, first_wrong + 5)], result.stdout
    assert "No overload variant" in said[first_wrong][0]
    assert '"Linpack" has no attribute "invert"' in said[first_wrong + 3][0]


@needs_server
def test_documentation_is_made_of_a_server_and_of_a_file(tasuki, tmp_path: Path, server):
    url = server._url
    shown = tasuki("idl", "doc", url)
    assert shown.returncode == 0, shown.stderr
    assert (
        "## linpack.solve\n" in shown.stdout and f"tasuki call {url} linpack.solve" in shown.stdout
    )
    for name, beginning in (
        ("linpack.html", "<!doctype html>"),
        ("linpack.md", "# Module linpack"),
    ):
        made = tasuki("idl", "doc", LINPACK, "-o", tmp_path / name)
        assert (made.returncode, made.stdout) == (0, "")
        assert (tmp_path / name).read_text().startswith(beginning)
    stub = tasuki("idl", "stubs", url, "-o", tmp_path)
    assert stub.returncode == 0
    assert "    linpack: Linpack\n" in (tmp_path / "tasuki_routines.pyi").read_text()


def test_what_cannot_be_read_or_written_is_said(tasuki, tmp_path: Path):
    for arguments, text in (
        (("doc", tmp_path / "none.idl"), "none.idl: cannot be read"),
        (("doc", "tasuki://127.0.0.1:1"), "does not answer"),
        (("doc", LINPACK, "-o", tmp_path / "none" / "x.md"), "x.md: No such file or directory"),
        (("stubs", LINPACK, "-o", LINPACK), "File exists"),
    ):
        result = tasuki("idl", *arguments)
        assert result.returncode != 0 and text in result.stderr
