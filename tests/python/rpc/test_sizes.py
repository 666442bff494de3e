"""Sizes that are no sizes, as arguments make them: negative, too large, divided by zero."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import frames
import numpy as np
import pytest
import tasuki
from conftest import REPOSITORY, Command
from demo_server import needs_server
from protocol_client import ProtocolClient
from serving import ServeCommand, build_interfaces
from tasuki.base.programs import find_library
from tasuki.rpc.errors import ArgumentError

pytestmark = needs_server
SOURCES = Path(__file__).with_name("routines")
ROUTINES = """
Define quotient(IN int64_t n, IN double x[12 / n], OUT double y[1]) { y[0] = 12 / n; }
Define rest(IN int64_t n, IN double x[12 % n], OUT double y[1]) { y[0] = 12 % n; }
Define cube(IN int64_t n, IN double x[n ^ 3], OUT double y[1]) { y[0] = n; }
Define less(IN int64_t n, IN double x[n - 5], OUT double y[1]) { y[0] = n - 5; }
"""
BAD_SIZES = [
    ("quotient", 0, "12 / n divides by zero", "by zero"),
    ("rest", 0, "12 % n divides by zero", "by zero"),
    ("quotient", -3, r"\(12 / n,\) = \(-4,\), and no size may be negative", "-4"),
    ("less", 3, r"\(n - 5,\) = \(-2,\), and no size may be negative", "-2"),
    ("cube", 2**22, r"n \^ 3 does not fit into 64 bits with n = 4194304", "64 bits"),
    ("cube", 2**20, "which no memory can hold", ""),
]


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeCommand]:
    folder = tmp_path_factory.mktemp("sizes")
    build_interfaces(folder, sizes=ROUTINES)
    command = ServeCommand(folder)
    yield command
    command.__exit__()


@pytest.mark.parametrize(("routine", "n", "said", "_"), BAD_SIZES)
def test_a_client_finds_bad_sizes(
    serving: ServeCommand, routine: str, n: int, said: str, _: str
) -> None:
    sizes = tasuki.connect(serving.url).sizes
    with pytest.raises(ArgumentError, match=said):
        getattr(sizes, routine)(n, np.ones(3))
    np.testing.assert_array_equal(sizes.quotient(4, np.ones(3)), [3])


def result_of(serving: ServeCommand, routine: str, n: Any) -> dict[str, Any]:
    """What the rank answers to a client that does not compute sizes."""
    with ProtocolClient(serving.port) as client:
        client.lease("sizes")
        rank = client.connect_to_rank()
        call = {"message": "call", "call": 1, "routine": routine, "scalars": {"n": n}}
        rank.sendall(frames.encoded(call) + bytes(24))
        return frames.receive(rank)


@pytest.mark.parametrize(("routine", "n", "_", "said"), BAD_SIZES)
def test_a_rank_finds_bad_sizes(
    serving: ServeCommand, routine: str, n: int, _: str, said: str
) -> None:
    answer = result_of(serving, routine, n)
    assert answer["message"] == "failed" and said in answer["happened"], answer
    sizes = tasuki.connect(serving.url).sizes
    np.testing.assert_array_equal(sizes.quotient(4, np.ones(3)), [3])


@pytest.mark.parametrize("n", [float("nan"), float("inf"), 1.5, "3", None, 2**63])
def test_a_rank_takes_no_size_that_is_no_integer(serving: ServeCommand, n: Any) -> None:
    assert result_of(serving, "quotient", n)["message"] == "failed"
    sizes = tasuki.connect(serving.url).sizes
    np.testing.assert_array_equal(sizes.quotient(4, np.ones(3)), [3])


NO_INTEGERS = ("nan", "inf", "-inf", "1.5", "1e30")
TOO_LARGE = 2**63


def words_of_calls() -> list[str]:
    """For the programs bad_sizes: routine, type of the variable, number, for each call."""
    sizes = [(routine, "int64", str(n)) for routine, n, *_ in BAD_SIZES]
    no_sizes = [("quotient", "float64", one) for one in NO_INTEGERS]
    return [word for one in (*sizes, *no_sizes) for word in one]


def assert_names_arguments(said: list[str]) -> None:
    """`said` has an error for each of words_of_calls."""
    of_sizes, of_integers = said[: len(BAD_SIZES)], said[len(BAD_SIZES) :]
    assert len(of_integers) == len(NO_INTEGERS), said
    for one in of_sizes:
        assert re.search(r"[:,] x(:| has) .*Remedy: ", one), one
    for one in of_integers:
        assert re.search(r": n = \S+ is no int64\. Remedy: ", one), one


def said_by(program: Path, serving: ServeCommand, *more: str) -> subprocess.CompletedProcess:
    """What the program prints of all calls, and `more`; the server goes on."""
    ended = subprocess.run(
        [program, serving.url, *words_of_calls(), *more],
        env=os.environ | {"TASUKI_SERVER": serving.url},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    sizes = tasuki.connect(serving.url).sizes
    np.testing.assert_array_equal(sizes.quotient(4, np.ones(3)), [3])
    return ended


def compiled(folder: Path, compiler: str, *sources: Path) -> Path:
    library = find_library("tasuki_client").parent
    options = ["-Wall", "-Wextra", "-Werror", f"-I{REPOSITORY / 'include'}"]
    linked = [f"-L{library}", f"-Wl,-rpath,{library}", "-ltasuki_client", "-pthread"]
    program = folder / "program"
    command = [*compiler.split(), *options, *sources, "-o", program, *linked]
    subprocess.run(command, check=True, cwd=folder, timeout=300)
    return program


def test_c_names_the_argument(serving: ServeCommand, tmp_path: Path) -> None:
    program = compiled(tmp_path, "cc -std=c11", SOURCES / "bad_sizes.c")
    ended = said_by(program, serving, "quotient", "uint64", str(TOO_LARGE))
    *said, too_large = ended.stdout.splitlines()
    assert_names_arguments(said)
    assert f"n = {TOO_LARGE} is no int64" in too_large
    by_ninf = ended.stderr.splitlines()
    assert len(by_ninf) == len(BAD_SIZES)
    for one in by_ninf:
        assert re.search(r"[:,] x(:| has) .*Remedy: ", one), one


def test_cpp_names_the_argument(serving: ServeCommand, tmp_path: Path) -> None:
    program = compiled(tmp_path, "c++ -std=c++20", SOURCES / "bad_sizes.cpp")
    ended = said_by(program, serving, "quotient", "uint64", str(TOO_LARGE))
    *said, too_large = ended.stdout.splitlines()
    assert_names_arguments(said)
    assert f"n = {TOO_LARGE} is no int64" in too_large


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="no Fortran compiler")
def test_fortran_names_the_argument(serving: ServeCommand, tmp_path: Path) -> None:
    headers = REPOSITORY / "include" / "tasuki"
    module = [headers / one for one in ("tasuki_client_fortran.c", "tasuki_client.f90")]
    program = compiled(tmp_path, "gfortran", *module, SOURCES / "bad_sizes.f90")
    assert_names_arguments(said_by(program, serving).stdout.splitlines())


@pytest.mark.parametrize(
    ("routine", "n", "said"),
    [
        *((routine, n, f"x.*{said}") for routine, n, said, _ in BAD_SIZES[-4:-1:2]),
        ("quotient", "nan", "n must be an integer, not nan"),
        ("quotient", TOO_LARGE, f"n = {TOO_LARGE} does not fit into int64_t"),
        ("quotient", "seven", "n: 'seven' is no number"),
    ],
)
def test_a_shell_names_the_argument(
    serving: ServeCommand, routine: str, n: object, said: str
) -> None:
    ended = Command()("call", serving.url, f"sizes.{routine}", f"n={n}", "x=[1,2,3]")
    assert ended.returncode == 2 and re.search(said, ended.stderr), ended.stderr
