"""Routines of one's own, from an interface file to a call: the examples of the guide."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import Command, wait_for
from serving import Serving
from tasuki.base.programs import BUILD_TREE
from tasuki.rpc.client import Server
from tasuki.rpc.errors import CallError

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ("vectors", "row_sums", "smoothing", "diagonal", "integral", "signals", "minimum",
            "own_program")  # fmt: skip
GUIDE = ROOT / "docs" / "guide" / "serving-routines.md"
ARRAY_PROGRAM = ("--program", BUILD_TREE / "bin" / "example_served_array", "--launch", "tasuki")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The examples, built as the guide says."""
    made = tmp_path_factory.mktemp("routines")
    for file in (ROOT / "examples").iterdir():
        if file.is_file():
            shutil.copy(file, made)
    command = Command()
    for name in EXAMPLES[:-1]:
        result = command("idl", "build", made / f"{name}.idl")
        assert result.returncode == 0, result.stderr
        assert result.stdout.strip() == str(made / f"{name}.routines.json")
    own = ("--program", BUILD_TREE / "bin" / "example_own_program")
    assert command("idl", "build", made / "own_program.idl", *own).returncode == 0
    built = command("idl", "build", made / "served_array.idl", *ARRAY_PROGRAM)
    assert built.returncode == 0, built.stderr
    return made


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with Serving(folder, "-n", 3) as connected:
        yield connected


def test_a_folder_is_served_as_one_module_a_file(server, folder: Path) -> None:
    modules = set(server.modules)
    assert {"greeter", "row_sums", "signals", "smoothing", "vectors"} <= modules
    assert len(modules) == len(list(folder.glob("*.idl")))
    assert "\nthe Euclidean norm\n" in server.vectors.norm.__doc__


def test_c_in_the_interface_file(server) -> None:
    np.testing.assert_allclose(server.vectors.norm([3.0, 4.0]), [5.0])


def test_c_with_mpi_learns_how_its_block_lies(server) -> None:
    for shape in ((7, 10), (1, 1), (2, 5), (0, 3)):
        a = np.arange(np.prod(shape), dtype=float).reshape(shape)
        np.testing.assert_allclose(server.row_sums.row_sums(a), a.sum(1))


def test_a_routine_in_c_says_why_it_fails_and_later_calls_go_on(server) -> None:
    with pytest.raises(CallError, match="the matrix has no columns"):
        server.row_sums.row_sums(np.zeros((3, 0)))
    np.testing.assert_allclose(server.row_sums.row_sums(np.ones((3, 2))), [2, 2, 2])


def test_fortran(server) -> None:
    np.testing.assert_allclose(server.smoothing.smooth(np.arange(5.0)), [0.5, 1, 2, 3, 3.5])


def test_fortran_learns_how_its_block_lies(server) -> None:
    for n in (1, 2, 7):
        a = np.random.default_rng(n).standard_normal((n, n))
        np.testing.assert_array_equal(server.diagonal.diagonal(a), a.diagonal())
    with pytest.raises(CallError, match="the matrix is empty"):
        server.diagonal.diagonal(np.zeros((0, 0)))


def test_fortran_gets_texts_and_calls_functions_of_the_client(server) -> None:
    points: list[float] = []

    def square(x: np.ndarray, y: np.ndarray) -> None:
        points.append(float(x[0]))
        y[0] = x[0] ** 2

    for rule, expected in (("midpoint", [0.25, 0.75]), ("left", [0, 0.5]), ("", [0, 0.5])):
        total = server.integral.integral(rule, square, 0, 1, 2)
        assert points == expected
        assert total[0] == sum(x**2 for x in expected) / 2
        points.clear()


def test_functions_of_python_get_their_blocks_and_layouts(server) -> None:
    x = np.random.default_rng(1).standard_normal(37)
    np.testing.assert_allclose(server.signals.spectrum(x), np.fft.rfft(x))
    index, rank = server.signals.places(10)
    np.testing.assert_array_equal(index, np.arange(10))
    np.testing.assert_array_equal(rank, np.arange(10) % 3)


def test_an_exception_in_python_reaches_the_client_with_its_line(server) -> None:
    with pytest.raises(CallError, match=r"ValueError: x has no elements \(.*spectra.py:8\)"):
        server.signals.spectrum(np.zeros(0))
    np.testing.assert_array_equal(server.signals.places(2)[0], [0, 1])


def test_a_program_of_the_runtime_takes_its_blocks_as_an_array(server) -> None:
    for shape in ((7, 5), (1, 1), (2, 3), (0, 4), (5, 0), (300, 200)):
        a = np.random.default_rng(1).integers(100, size=shape).astype(float)
        np.testing.assert_array_equal(server.tables.running_sums(a), np.cumsum(a, axis=0))
    assert len(server.tables.running_sums.report["ranks"]) == 3


@pytest.mark.parametrize("ranks", [1, 4])
def test_an_array_has_whatever_distribution_the_interface_says(tmp_path: Path, ranks: int) -> None:
    text = (ROOT / "examples" / "served_array.idl").read_text()
    pairs = (("CYCLIC(2), BLOCK", "*, CYCLIC"), ("CYCLIC, CYCLIC(3)", "BLOCK, BLOCK"))
    for number, (given, result) in enumerate(pairs):
        a = text.replace("IN distribute(BLOCK, *)", f"IN distribute({given})")
        both = a.replace("OUT distribute(BLOCK, *)", f"OUT distribute({result})")
        assert both.count("BLOCK, *") == 0
        interface = tmp_path / f"tables_{number}.idl"
        interface.write_text(both.replace("Module tables", f"Module tables_{number}"))
        assert Command()("idl", "build", interface, *ARRAY_PROGRAM).returncode == 0
    with Serving(tmp_path, "-n", ranks) as server:
        a = np.arange(7.0 * 11).reshape(7, 11)
        for module in (server.tables_0, server.tables_1):
            np.testing.assert_array_equal(module.running_sums(a), np.cumsum(a, axis=0))


COMMUNICATORS = """
Define in_c(OUT int *ranks, OUT int *is_world)
Backend "MPI" { MPI_Comm own = MPI_Comm_f2c(tasuki_communicator()); int result;
  MPI_Comm_size(own, ranks); MPI_Comm_compare(own, MPI_COMM_WORLD, &result);
  *is_world = result == MPI_IDENT; }
Define in_fortran(OUT int *ranks) Required "tasuki_routines.f90" Required "sizes.f90"
Backend "MPI" Calls "Fortran" sizes(ranks);
"""
SIZES = """
subroutine sizes(ranks)
  use tasuki_routines
  integer, intent(out) :: ranks
  integer :: fault
  call mpi_comm_size(tasuki_communicator(), ranks, fault)
end subroutine
"""


def test_a_routine_asks_for_the_communicator_of_its_ranks(tmp_path: Path) -> None:
    text = 'Library "-lgfortran -lmpi_mpifh";' + COMMUNICATORS
    (tmp_path / "communicators.idl").write_text(text)
    (tmp_path / "sizes.f90").write_text(SIZES)
    (tmp_path / "without.idl").write_text("Define f(OUT int *x) { *x = tasuki_communicator(); }")
    with Serving(tmp_path, "-n", 3) as server:
        ranks, is_world = server.communicators.in_c()
        assert (ranks[0], is_world[0]) == (3, 1)
        assert server.communicators.in_fortran()[0] == 3
        assert server.without.f()[0] == -1


def test_a_program_with_its_own_main_function(server) -> None:
    np.testing.assert_allclose(server.greeter.double_it(4.0), [8.0])


def test_a_launcher_in_place_of_mpiexec(folder: Path) -> None:
    launcher = "mpiexec --oversubscribe -n {ranks}"
    with Serving(folder / "row_sums.idl", "-n", 2, "--launcher", launcher) as server:
        np.testing.assert_allclose(server.row_sums.row_sums(np.ones((4, 4))), [4, 4, 4, 4])
        assert len(server.row_sums.row_sums.report["ranks"]) == 2


def test_what_is_older_than_its_sources_is_built_again(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "vectors.idl"
    shutil.copy(folder / "vectors.idl", file)
    with Serving(file) as server:
        np.testing.assert_allclose(server.vectors.norm([3.0, 4.0]), [5.0])
    built_ns = (tmp_path / "vectors.routines.json").stat().st_mtime_ns
    with Serving(file):
        assert (tmp_path / "vectors.routines.json").stat().st_mtime_ns == built_ns
    time.sleep(0.01)
    file.write_text(file.read_text().replace("sqrt(*result)", "2 * sqrt(*result)"))
    with Serving(file) as server:
        np.testing.assert_allclose(server.vectors.norm([3.0, 4.0]), [10.0])


def test_what_is_built_again_has_the_long_that_it_had(tasuki, tmp_path: Path) -> None:
    file = tmp_path / "longs.idl"
    text = "Define twice(IN long n, IN long x[n], OUT long y[n]) { y[0] = 2 * x[0]; }"
    file.write_text(text)
    assert tasuki("idl", "build", file, "--long", "64").returncode == 0
    os.utime(tmp_path / "longs.routines.json", ns=(0, 0))
    with Serving(file) as server:
        assert server.longs.twice([1 << 40])[0] == 1 << 41
    assert (tmp_path / "longs.routines.json").stat().st_mtime_ns > 0


def test_a_server_builds_with_the_long_that_it_is_told(tmp_path: Path) -> None:
    file = tmp_path / "longs.idl"
    file.write_text("Define twice(IN long n, IN long x[n], OUT long y[n]) { y[0] = 2 * x[0]; }")
    for long_bits, dtype in (("32", np.int32), ("64", np.int64)):
        with Serving(file, "--long", long_bits) as server:
            assert server.longs.twice([21]).dtype == dtype
    with Serving(file) as server:
        assert server.longs.twice([1 << 40])[0] == 1 << 41


def test_what_a_server_builds_may_be_elsewhere(tmp_path: Path) -> None:
    built = tmp_path / "built"
    for name, value in (("a", 1), ("b", 2)):
        (tmp_path / name).mkdir()
        text = f"Module {name}; Define f(OUT int *x) {{ *x = {value}; }}"
        (tmp_path / name / "same.idl").write_text(text)
    for file in ("diagonal.idl", "diagonal.f90"):  # It needs a module of Fortran's.
        shutil.copy(ROOT / "examples" / file, tmp_path / "a")
    before = sorted(tmp_path.rglob("*"))
    for _ in range(2):  # The second server finds what the first has built.
        with Serving(
            tmp_path / "a", tmp_path / "b" / "same.idl", "--build-folder", built
        ) as server:
            assert (server.a.f()[0], server.b.f()[0]) == (1, 2)
            np.testing.assert_array_equal(server.diagonal.diagonal(2 * np.eye(3)), [2, 2, 2])
    assert sorted(set(tmp_path.rglob("*")) - set(built.rglob("*")) - {built}) == before


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, "there are no routines in"),
        ({"a.idl": "Define f(IN int n) {", "b.txt": ""}, "this C body is never closed"),
        (
            {"a.idl": "Module m; Define f(IN int n) { }", "b.idl": "Module m; Define g() { }"},
            "are both module m",
        ),
        ({"a.routines.json": "{}"}, "is no registration of routines"),
    ],
)  # fmt: skip
def test_what_cannot_be_served_is_named(tasuki, tmp_path: Path, files, expected: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    result = tasuki("serve", tmp_path, "--port", 0)
    assert result.returncode != 0
    assert expected in result.stderr.replace("\n", " ")


def test_no_module_replaces_one_of_the_demo(tasuki, tmp_path: Path) -> None:
    file = tmp_path / "l.idl"
    file.write_text("Module linpack; Define f(IN int n) { }")
    result = tasuki("serve", "--demo", file, "--port", 0, timeout_s=120)
    assert result.returncode != 0
    said = result.stderr.replace("\n", " ")
    assert "is module linpack, and so is one of --demo" in said


def test_nothing_to_serve_is_an_error(tasuki, tmp_path: Path) -> None:
    for arguments in ((), (tmp_path / "none.idl",)):
        result = tasuki("serve", *arguments)
        assert result.returncode != 0
        assert "Remedy" in result.stderr


def test_the_guide_leads_from_nothing_to_a_call(tmp_path: Path) -> None:
    """The file and the lines of its first section, but that the server takes a free port."""
    section = GUIDE.read_text().partition("## From nothing to a call\n")[2].partition("\n## ")[0]
    (interface,) = re.findall(r"```ninf\n(.*?)```", section, re.DOTALL)
    serve, calls = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    (tmp_path / "vectors.idl").write_text(interface)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, command in (("tasuki", f"{sys.executable} -m tasuki"), ("python", sys.executable)):
        (programs / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        (programs / name).chmod(0o755)
    mark = Command()
    environment = mark.environment | {"PATH": f"{programs}:{os.environ['PATH']}"}
    started = subprocess.Popen(
        ["sh", "-euc", f"exec {serve.strip()} --port 0"],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        (port,) = re.findall(r"tasuki://localhost:(\d+)", started.stdout.readline())
        for call in calls.splitlines():
            result = subprocess.run(
                ["sh", "-euc", call.replace("7777", port)],
                cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300,
            )  # fmt: skip
            assert result.returncode == 0, result.stderr
            assert "5" in result.stdout
    finally:
        started.send_signal(signal.SIGINT)
        started.communicate(timeout=60)
    wait_for(lambda: not mark.processes(), 60)


def test_the_guide_shows_the_examples_as_they_are() -> None:
    for language, mark in (("ninf", "/* "), ("fortran", "! ")):
        found = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text(), re.M | re.S)
        assert found
        for block in found:
            name = re.match(re.escape(mark) + r"(examples/\S+)", block)[1]
            assert block == (ROOT / name).read_text()
