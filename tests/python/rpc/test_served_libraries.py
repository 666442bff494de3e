"""docs/guide/served-libraries.md: its program, its commands and its table of routines."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from demo_server import DemoServer, needs_server
from tasuki.base.programs import DATA
from tasuki.idl.parser import parse_file

pytestmark = needs_server
ROOT = Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "docs" / "guide" / "served-libraries.md").read_text()
# What each line of a shell prints.
EXPECTED = {
    "lapack.dgemm": "2 1\n4 3",
    "lu.solve": "1\n3",
    "radixsort.sort_signed": "-10\n20\n30",
    "cg.npb_s": "8.5971775",
    "sssp.town_size": "8011",
}


@pytest.fixture(scope="module")
def server() -> Iterator[DemoServer]:
    with DemoServer(2) as started:
        yield started


@pytest.fixture(scope="module")
def modules(server) -> set[str]:
    return set(dir(server.connect()))


def test_the_table_has_every_routine() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", GUIDE, re.MULTILINE)
    told = {name: re.findall(r"`(\w+)`", routines) for name, routines in rows}
    served = [parse_file(file) for file in (DATA / "demo").glob("*.idl")]
    assert told == {one.name: [name for name, _ in one.all_routines] for one in served}


def test_the_program_runs(server, modules) -> None:
    if not {"lapack", "lu", "sssp"} <= modules:
        pytest.skip("not all modules of the program are there")
    result = subprocess.run(
        [sys.executable, ROOT / "examples" / "served_libraries.py", server.url],
        env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    found = dict(line.split(": ", 1) for line in result.stdout.splitlines())
    for name in {"lu", "lapack", "scalapack"} & modules:
        assert float(found[name]) < 1e-9, name
    assert (found["radixsort"], found["sssp"]) == ("True", "True, by hand-off")
    assert found["cg"] == "[0.090909 0.636364] [2]"


@pytest.mark.parametrize("line", re.findall(r"^tasuki call .*$", GUIDE, re.MULTILINE))
def test_the_commands_print_results(server, modules, line) -> None:
    _, _, _, routine, *arguments = line.split()
    if routine.split(".")[0] not in modules:
        pytest.skip(f"{routine} is not there")
    result = server.command("call", server.url, routine, *arguments)
    assert result.returncode == 0, result.stderr
    numbers = re.findall(r"[-+.\de]+", result.stdout)
    for expected in EXPECTED[routine].split():
        assert any(number.startswith(expected) for number in numbers), result.stdout
