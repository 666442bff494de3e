"""What interface files say is carried out: each statement and option by what a call gives."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tasuki
from conftest import REPOSITORY
from demo_server import needs_server
from serving import Serving
from tasuki.base.errors import CommandError
from tasuki.base.programs import BUILD_TREE
from tasuki.idl.errors import EvaluationError
from tasuki.idl.libraries import scalapack_of
from tasuki.rpc.errors import CallError

pytestmark = needs_server
LISTINGS = REPOSITORY / "tests" / "python" / "idl" / "listings.py"
XXX = """
void dmmul(long n, const double* a, const double* b, double* c) {
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j) {
      c[i * n + j] = 0;
      for (long k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}
"""
APLINPACK = """
void ap_dgefasl(const double* a, int lda, int n, const int* ipvt, double* b, int job) {
  for (int i = 0; i < n; ++i) b[i] = a[i * lda + ipvt[i]] * b[i] + job;
}
"""
SHIFT_JIS = "Define f(OUT int *x) {\n  // \u4e00\u8868\n  *x = 5; /* \u8868 */\n}\n"


def listings() -> dict[str, str]:
    """The two that the paper prints, by their names in tests/python/idl."""
    found: dict[str, str] = {}
    exec(LISTINGS.read_text(), found)
    return found


def has_scalapack() -> bool:
    try:
        return bool(scalapack_of(["mpicc"]))
    except (CommandError, OSError):
        return False


@pytest.fixture(scope="module")
def url(tmp_path_factory) -> Iterator[str]:
    """Serves routines/language.idl, in_cpp.idl, tools.idl, the paper's listings, and Shift JIS."""
    folder = tmp_path_factory.mktemp("served")
    for name in ("language.idl", "named.c", "in_cpp.idl", "tools.idl", "added.c"):
        shutil.copy(Path(__file__).with_name("routines") / name, folder)
    for name, source in (("libxxx", XXX), ("aplinpack", APLINPACK)):
        (folder / f"{name}.c").write_text(source)
        subprocess.run(["cc", "-c", f"{name}.c"], cwd=folder, check=True)
    (folder / "dmmul.idl").write_text(listings()["DMMUL"])
    (folder / "aplinpack.idl").write_text(listings()["APLINPACK"])
    (folder / "japanese.idl").write_bytes(SHIFT_JIS.encode("shift_jis"))
    serving = Serving(folder)
    with serving:
        yield serving.url


@pytest.fixture
def server(url: str):
    return tasuki.connect(url)


def test_both_listings_of_the_paper_are_called_as_printed(server) -> None:
    a, b = np.random.default_rng(1).standard_normal((2, 5, 5))
    np.testing.assert_allclose(server.dmmul.dmmul(a, b), a @ b)
    b = np.arange(3.0)
    result = server.Aplinpack.ap_dgefasl(np.eye(3) * 2, 3, 3, [0, 1, 2], b, 7)
    np.testing.assert_array_equal(result, 2 * b + 7)


def test_ninf_call_reaches_the_routine_of_the_paper(url: str) -> None:
    """By Ninf_call("dmmul", n, A, B, C), whose n is a `long`, of 32 bits in Ninf."""
    done = subprocess.run(
        [BUILD_TREE / "bin" / "example_ninf_product"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "TASUKI_SERVER": url},
    )
    assert done.stdout == "2 1\n4 3\n", done.stderr


def test_sizes_options_and_globals_are_those_of_the_file(server) -> None:
    before = server.language.counted()[0]
    for n, size in ((1, 8), (2, 8), (3, 3), (4, 4)):
        y = server.language.first(n, np.arange(2 * n + 1.0), 16)
        assert len(y) == size and y[0] == 3 * 2 * (2 * n) + 4
    assert server.language.counted()[0] == before + 4


def test_compiler_and_linker_are_those_of_the_file(server) -> None:
    assert server.tools.sum()[0] == 42


@pytest.mark.parametrize("name", ["whole", "shrunk", "kept"])
def test_a_step_counts_whatever_shrink_says(server, name: str) -> None:
    seen = getattr(server.language, name)(np.arange(1.0, 8))
    np.testing.assert_array_equal(seen, [0, 2, 0, 0, 5, 0, 0])


def test_a_routine_is_called_by_its_aliases(server, url: str, tasuki) -> None:
    for routine in (server.language.erst, server.language.premier):
        assert routine(1, [0.0, 0, 1], 4)[0] == 8
    assert {"erst", "premier", "first"} <= set(dir(server.language))
    called = tasuki("call", url, "erst", "n=1", "x=[0, 0, 1]", "n2=4")
    assert called.returncode == 0 and "8" in called.stdout, called.stderr


def test_names_with_a_dollar_are_called(server, url: str, tasuki) -> None:
    assert server.language.routines["dollar$"]([1.0, 2.5])[0] == 3.5
    called = tasuki("call", url, "language.dollar$", "x$=[1, 2.5]")
    assert called.returncode == 0 and "3.5" in called.stdout, called.stderr


def test_integers_have_the_range_of_their_types(server) -> None:
    given = (2**32 - 1, 2**32 - 1, 255, -(2**15), 2**62, 2**64 - 1, -128)
    sums = server.language.integers(*given)
    assert int(sums[0]) == sum(given) - (2**64 - 1) and int(sums[1]) == 2**64 - 1


def test_names_of_fortran_have_the_format_of_the_file(server) -> None:
    assert server.language.named(4)[0] == 5


@pytest.mark.parametrize("n", [3, -3, 2**31 - 1, -(2**31)])
def test_long_in_c_has_the_value_that_travels(server, n: int) -> None:
    assert server.language.wide(n, 2**32 - 1)[0] == n + 2**32 - 1


def test_arrays_of_long_have_the_values_that_travel(server) -> None:
    x, rows = server.language.longs([0, 7, 2**31 - 1], np.array([2**31 - 1, 1, 0], np.uint32))
    np.testing.assert_array_equal(x, [2**31 - 1, 8, 2**31 - 1])
    assert x.dtype == np.int32 and rows[0] == 3
    x, rows = server.language.longs(np.empty(0, np.int32), np.empty(0, np.uint32))
    assert len(x) == 0 and rows[0] == 0


def test_an_element_of_a_long_array_that_does_not_fit_is_named(server) -> None:
    with pytest.raises(CallError, match="element 1 of x is 2147483648, and a long travels with"):
        server.language.longs([0, 2**31 - 1], [0, 1])
    server.language.longs([0], [0])


def test_a_grid_is_that_of_the_file(server) -> None:
    np.testing.assert_array_equal(server.language.grids(1, np.ones((6, 6))), [6, 6])
    with pytest.raises(Exception, match="grid"):
        server.language.grids(2, np.ones((6, 6)))


def test_what_a_call_costs_tells_how_long_others_take(server) -> None:
    first = server.language.first
    assert first.expected_s(n=5) is None
    first(2, np.ones(5), 4)
    assert first.report["operations"] == 2000
    rate = first.report["operations_per_s"]
    assert rate == 2000 / first.report["ranks"][0]["seconds"]["compute"]
    first._report["seconds"]["computation"] = 0.01  # As if it had taken so long.
    assert first.expected_s(n=5) == pytest.approx(5000 / rate)
    with pytest.raises(EvaluationError, match="CalcOrder"):
        first.expected_s()
    counted = server.language.counted
    counted()
    assert "operations" not in counted.report and counted.expected_s() is None


def test_bodies_and_classes_in_cpp(server) -> None:
    first, second = server.in_cpp.History(), server.in_cpp.History()
    for i in range(1, 50):
        assert first.add(i)[0] == i * (i + 1) / 2
        assert second.add(1)[0] == i
    assert first.length()[0] == second.length()[0] == len("history") + 49
    assert server.in_cpp.square(1 + 2j)[0] == (1 + 2j) ** 2


@pytest.mark.skipif(not has_scalapack(), reason="there is no ScaLAPACK")
def test_with_blacs_a_body_makes_grids_of_its_context(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).with_name("routines") / "blacs.idl", tmp_path)
    with Serving(tmp_path / "blacs.idl", "-n", 4) as server:
        for rows, columns in ((2, 2), (1, 4)):  # The ranks stay; each call has a grid of its own.
            places = server.blacs.grid(rows, columns).reshape(4, 4)
            expected = [[rows, columns, i // columns, i % columns] for i in range(4)]
            np.testing.assert_array_equal(places, expected)


def test_comments_of_a_body_may_be_in_any_encoding(server) -> None:
    assert server.japanese.f()[0] == 5
