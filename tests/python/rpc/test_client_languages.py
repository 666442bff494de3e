"""Programs in C and C++ that call a server: the examples of the guide, and what they need."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import REPOSITORY, wait_for
from demo_server import DemoServer, needs_server
from server_log import events_in
from serving import Serving
from tasuki.base.programs import BUILD_TREE, find_library
from tasuki.idl.parser import parse_text
from tasuki.rpc.c_example import c_example
from tasuki.rpc.client import routines_of

pytestmark = needs_server
ROUTINES = Path(__file__).with_name("routines")
HEADERS = ("tasuki/client.h", "tasuki/remote.hpp")
SOLVED = "x = 1, y = 3"
needs_fortran = pytest.mark.skipif(shutil.which("gfortran") is None, reason="no Fortran compiler")


@pytest.fixture(scope="module")
def serving() -> Iterator[DemoServer]:
    with DemoServer(2) as started:
        yield started


def run(
    program: Path,
    *arguments: object,
    server: str = "",
    folder: Path | None = None,
    given: str = "",
    **settings: str,
) -> str:
    """Returns what the program prints when it reads `given`; `server` is its TASUKI_SERVER."""
    environment = {key: value for key, value in os.environ.items() if key != "TASUKI_SERVER"}
    environment.update(settings)
    if server:
        environment["TASUKI_SERVER"] = server
    result = subprocess.run(
        [program, *map(str, arguments)],
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
        cwd=folder,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def await_nothing_kept(serving: DemoServer) -> None:
    """What a client leaves is gone once the server has noticed that the client is."""
    with serving.connect() as server:
        wait_for(lambda: not server.kept)


def compiled_cpp(folder: Path, source: str) -> Path:
    (folder / "source.cpp").write_text(source)
    library = find_library("tasuki_client").parent
    options = ["-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{REPOSITORY / 'include'}"]
    linked = [f"-L{library}", f"-Wl,-rpath,{library}", "-ltasuki_client", "-pthread"]
    command = ["c++", *options, folder / "source.cpp", "-o", folder / "program", *linked]
    subprocess.run(command, check=True, timeout=300)
    return folder / "program"


def example(name: str) -> Path:
    return BUILD_TREE / "bin" / f"example_{name}"


def test_c_names_a_routine_and_a_server_by_texts(serving: DemoServer) -> None:
    assert run(example("routine"), serving.url).strip() == SOLVED
    assert run(example("routine"), server=serving.url).strip() == SOLVED


def test_cpp_calls_the_server_of_the_setting(serving: DemoServer) -> None:
    printed = run(example("remote"), server=serving.url).splitlines()
    solved, doubled, report, later, error = printed
    assert solved == SOLVED
    assert doubled == "x = 0.5, y = 1.5, connected: 1"
    assert report.startswith("1 of 2: {")
    report = json.loads(report.partition(": ")[2])
    assert (report["mode"], report["wire"]) == ("relay", "xdr")
    assert later == "y = 3"
    assert "A must have n x n = 3 x 3 elements, and has 4. Remedy: " in error


KEPT = r"""
#include <cstdio>
#include <tasuki/remote.hpp>
#include <utility>

int main() {
  tasuki::rpc::Server server;
  const double a[2][2] = {{2, 1}, {1, 3}};
  const std::vector<double> b = {5, 10};
  tasuki::rpc::RemoteArray kept = server.put("linpack", "solve", "A", {{"n", 2}}, a);
  {
    tasuki::rpc::RemoteArray moved = std::move(kept);
    auto call = tasuki::rpc::call_async("linpack/solve", 2, moved, b);  // By another connection.
    const std::vector<double> x = call.get();
    std::printf("x = %g, y = %g, %zu kept\n", x[0], x[1], server.kept().size());
    kept = server.put("linpack", "solve", "A", {{"n", 2}}, a);
    std::printf("%zu kept\n", server.kept().size());
    moved.free();
    moved.free();
    std::printf("%zu kept\n", server.kept().size());
    kept = std::move(moved);
  }
  std::printf("%zu kept\n", server.kept().size());
  const std::vector<float> single(4);
  for (const auto& put : {+[](tasuki::rpc::Server& server, const std::vector<float>& single) {
         server.put("linpack", "solve", "A", {{"n", 2}}, single);
       }, +[](tasuki::rpc::Server& server, const std::vector<float>&) {
         server.put("linpack", "solve", "A", {{"n", 3}}, std::vector<double>(4));
       }, +[](tasuki::rpc::Server& server, const std::vector<float>& single) {
         server.put("linpack", "solve", "A", {{"a \"new\\\t\1\" n", 2}}, single);
       }}) {
    try {
      put(server, single);
    } catch (const tasuki::rpc::call_error& fault) {
      std::puts(fault.what());
    }
  }
}
"""


def test_cpp_keeps_arrays_and_frees_them_when_they_go(serving, tmp_path: Path) -> None:
    program = compiled_cpp(tmp_path, KEPT)
    await_nothing_kept(serving)
    printed = run(program, server=serving.url).splitlines()
    assert printed[:4] == [f"{SOLVED}, 1 kept", "2 kept", "1 kept", "0 kept"]
    assert "A must be of float64, and is of float32" in printed[4]
    assert "A must have n x n = 3 x 3 elements, and has 4" in printed[5]
    assert 'there is no size a "new\\\t\x01" n. Remedy: ' in printed[6]


STRIDED = r"""
#include <algorithm>
#include <cstdio>
#include <tasuki/remote.hpp>

/// As std::mdspan with layout_stride is.
struct View {
  using element_type = double;
  double* first;
  std::size_t extents[2], strides[2];
  static constexpr std::size_t rank() { return 2; }
  double* data_handle() const { return first; }
  std::size_t extent(std::size_t i) const { return extents[i]; }
  std::size_t stride(std::size_t i) const { return strides[i]; }
};

int main() {
  double columns[2][4] = {{2, 0, 1, 0}, {1, 0, 3, 0}};
  std::vector<double> b = {5, 10};
  std::vector<std::future<tasuki::rpc::Results>> calls;
  const View transposed{columns[0], {2, 2}, {2, 4}};
  for (int i = 0; i < 4; ++i) {
    calls.push_back(tasuki::rpc::call_async("linpack/solve", 2, transposed, std::span(b)));
  }
  for (auto& one : calls) {
    const std::vector<double> x = one.get();
    std::printf("%g %g\n", x[0], x[1]);
  }
  try {
    tasuki::rpc::call("linpack/solve", 3, transposed, b);
  } catch (const tasuki::rpc::call_error& fault) {
    std::puts(fault.what());
  }
  try {
    tasuki::rpc::call("linpack/solve", 2, transposed, b).get<float>(0);
  } catch (const tasuki::rpc::call_error& fault) {
    std::puts(fault.what());
  }
  try {
    tasuki::rpc::call_async("linpack/solve", transposed).get();
  } catch (const tasuki::rpc::call_error& fault) {
    std::puts(fault.what());
  }
}
"""


def test_cpp_gives_views_with_strides_to_calls_at_the_same_time(serving, tmp_path: Path) -> None:
    lines = run(compiled_cpp(tmp_path, STRIDED), server=serving.url).splitlines()
    assert lines[:4] == ["1 3"] * 4
    assert "A must have n x n = 3 x 3 elements, and has 2 x 2" in lines[4]
    assert lines[5] == "a result is of float64, and was taken as float32"
    assert "1 arguments are given, but it has 4" in lines[6]


def test_c_asks_for_the_sizes_of_results(serving: DemoServer) -> None:
    lines = run(example("result_sizes"), server=serving.url).splitlines()
    assert lines == ["float64[2] at 3", SOLVED]


def check_report(lines: list[str], url: str) -> None:
    """A line of the call, one of its seconds, and one of each rank."""
    assert lines[0].startswith(f"hand-off on {url}, native:")
    client_s, front_end_s, computation_s = map(float, re.findall(r"([0-9.]+) s\b", lines[1]))
    assert 0 < client_s < 60 and front_end_s <= client_s and computation_s <= client_s
    for rank, line in enumerate(lines[2:]):
        assert line.startswith(f"rank {rank}: ")
        numbers = map(float, re.findall(r" ([0-9]+\.[0-9]+)", line))
        assert all(0 <= one < 60 for one in numbers)


def test_c_tells_where_the_time_of_a_call_went(serving: DemoServer) -> None:
    lines = run(example("report"), server=serving.url).splitlines()
    assert len(lines) == 2 + 2  # There are two ranks.
    check_report(lines, serving.url)
    assert lines[0].endswith(": 64 bytes there, 16 back")


@needs_fortran
def test_fortran_has_objects_and_reports(tmp_path: Path) -> None:
    shutil.copy(REPOSITORY / "examples" / "counter.idl", tmp_path)
    serving = Serving(tmp_path / "counter.idl")
    with serving:
        lines = run(fortran(tmp_path, "object"), server=serving.url).splitlines()
    now, *report, unknown, lost = lines
    assert now == "106"
    check_report(report, serving.url)
    assert len(report) == 2 + 1 and report[0].endswith(": 0 8")
    assert unknown.startswith("1 ") and "it has stats/Counter.add" in unknown
    assert lost == "1 lost-object"


def test_cpp_without_a_server_says_what_to_do() -> None:
    assert "set TASUKI_SERVER=tasuki://HOST:PORT" in run(example("remote"))
    assert "does not answer" in run(example("remote"), server="tasuki://localhost:1")


def test_the_client_library_needs_neither_mpi_nor_the_server() -> None:
    library = find_library("tasuki_client")
    command = ["readelf", "--dynamic", library]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(\w+)", said))
    usual = {"libfmt", "libssl", "libcrypto", "libstdc", "libgcc_s", "libc", "libm", "ld"}
    assert "libstdc" in needed and needed <= usual


def fortran(folder: Path, name: str, sources_folder: Path = REPOSITORY / "examples") -> Path:
    """Returns the program of an example, compiled as the guide says."""
    library = find_library("tasuki_client").parent
    headers = REPOSITORY / "include"
    sources = [headers / "tasuki" / one for one in ("tasuki_client_fortran.c", "tasuki_client.f90")]
    options = ["-Wall", "-Wextra", "-Werror", "-J", folder, f"-I{headers}"]
    linked = [f"-L{library}", f"-Wl,-rpath,{library}", "-ltasuki_client"]
    program = folder / name
    source = sources_folder / f"{name}.f90"
    command = ["gfortran", *options, *sources, source, "-o", program, *linked]
    subprocess.run(command, check=True, timeout=300)
    return program


@needs_fortran
def test_fortran_calls_with_arrays_of_its_own(serving: DemoServer, tmp_path: Path) -> None:
    program = fortran(tmp_path, "linear_equations")
    assert run(program, server=serving.url).strip() == "x = 1.00, y = 3.00"


@needs_fortran
def test_fortran_gives_parts_of_arrays_and_keeps_some(serving, tmp_path: Path) -> None:
    lines = run(fortran(tmp_path, "parts_of_arrays"), server=serving.url).splitlines()
    solved, progress, wrong, lost, may_have_run, again = lines
    assert solved.split() == ["1.00", "3.00"]
    assert progress.split() == ["0", "0"]
    assert "A must have n x n = 2 x 2 elements, and has 4 x 2" in wrong
    assert lost.startswith("1 lost-array ") and "Remedy" in lost
    assert may_have_run == "F"
    assert again.split() == ["0", "1.00", "3.00"]


@needs_fortran
def test_settings_choose_the_way_of_programs_that_do_not(tmp_path: Path) -> None:
    log = tmp_path / "calls.log"
    interface = shutil.copy(REPOSITORY / "examples" / "matrices.idl", tmp_path)
    programs = [example(one) for one in ("routine", "servers_cpp", "grid_product", "ninf_product")]
    programs.append(fortran(tmp_path, "linear_equations"))
    expected: list[str] = []

    def modes() -> list[str]:
        return [call["mode"] for call in events_in(log, "call")]

    with DemoServer(2, interface, "--log", log) as serving:
        for program in programs:
            for mode in ("relay", "original"):
                arguments = [serving.url] if program.name.endswith("servers_cpp") else []
                run(program, *arguments, server=serving.url, TASUKI_RPC_MODE=mode, given="\n")
                expected.append(mode)
                # The next program may call another module, whose ranks tell by themselves.
                wait_for(lambda: len(modes()) >= len(expected))
    assert modes() == expected


def test_a_setting_that_names_no_way_is_named(serving: DemoServer) -> None:
    for name, value in (("TASUKI_RPC_MODE", "post"), ("TASUKI_RPC_WIRE", "ascii")):
        printed = run(example("remote"), server=serving.url, **{name: value})
        assert printed.startswith(f"tasuki: read {name}: there is no ")
        assert f" {value}. Remedy: choose " in printed


@needs_fortran
def test_fortran_without_a_server_ends_with_what_to_do(tmp_path: Path) -> None:
    program = fortran(tmp_path, "linear_equations")
    done = subprocess.run(
        [program],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "TASUKI_SERVER": "tasuki://localhost:1"},
    )
    assert done.returncode == 1
    assert "localhost:1 does not answer" in done.stderr


@pytest.mark.parametrize("name", ["routine.c", "remote.cpp"])
def test_headers_and_library_alone_build_a_program(serving, tmp_path: Path, name: str) -> None:
    for header in HEADERS:
        (tmp_path / header).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / "include" / header, tmp_path / header)
    library = find_library("tasuki_client")
    compiler = ["c++", "-std=c++20"] if name.endswith(".cpp") else ["cc", "-std=c99", "-pedantic"]
    source = REPOSITORY / "examples" / name
    options = ["-Wall", "-Wextra", "-Werror", f"-I{tmp_path}", "-o", tmp_path / "program"]
    linked = [f"-L{library.parent}", f"-Wl,-rpath,{library.parent}", "-ltasuki_client"]
    subprocess.run([*compiler, *options, source, *linked], check=True, timeout=120)
    assert SOLVED in run(tmp_path / "program", server=serving.url)


def test_texts_files_and_functions_from_c_and_cpp(tmp_path: Path) -> None:
    for name in ("minimum.idl", "minimum.c"):
        shutil.copy(REPOSITORY / "examples" / name, tmp_path)
    serving = Serving(tmp_path / "minimum.idl")
    with serving:
        path = tmp_path / "path.txt"
        first, second = run(example("search"), serving.url, path).splitlines()
        assert (first, second) == ("minimum at 3.000, 40 steps by halving", "minimum at 5.000")
        assert path.read_text().startswith("4\n5\n")
        first, second = run(example("search_cpp"), path, server=serving.url).splitlines()
        assert first == "minimum at 3.000, 40 steps by halving"
        assert path.read_text().startswith("1\n2\n3\n")
        assert "the only method is halving" in second


@needs_fortran
def test_texts_files_and_functions_from_fortran(tmp_path: Path) -> None:
    for name in ("minimum.idl", "minimum.c"):
        shutil.copy(REPOSITORY / "examples" / name, tmp_path)
    serving = Serving(tmp_path / "minimum.idl")
    with serving:
        path = tmp_path / "path.txt"
        lines = run(fortran(tmp_path, "search"), path, server=serving.url).splitlines()
        assert lines[0] == "minimum at 3.000, 40 steps by halving"
        assert lines[1].startswith("1 ") and "the only method is halving" in lines[1]
        assert path.read_text().startswith("1\n2\n3\n")


TEXTS_IN_FORTRAN = """
program texts
  use tasuki_client
  implicit none
  type(tasuki_server) :: server
  character(9) :: others(4), words(2, 3)
  character(12) :: greeting
  character(:), allocatable :: name
  integer :: total, stat
  others = ["abc ", "-   ", "de  ", "-   "]
  words = "-"
  words(2, ::2) = ["top", "ten"]
  name = "Ann"
  call tasuki_connect(server)
  call tasuki_call(server, "greet", name // "e ", 2, others(::2), greeting, words(2, 3:1:-2), 10, &
                   total)
  print "(i0, 4(1x, 3a))", total, "<", greeting, ">", "<", words(2, 1), ">", "<", words(2, 3), ">"
  print "(4a)", words(1, :), words(2, 2)
  call tasuki_call(server, "greet", "A name that is long", 2, others(1:2), greeting, words(1, :2), &
                   1, total)
  print "(3a)", "<", greeting, ">"
  call tasuki_call(server, "greet", "", 2, others, greeting, words(1, :2), 1, total, stat=stat)
  print "(i0, 1x, a)", stat, tasuki_error_text()
  call tasuki_call(server, "greet", 5, 2, others, greeting, words(1, :2), 1, total, stat=stat)
  print "(i0, 1x, a)", stat, tasuki_error_text()
  call tasuki_call(server, "greet", name, "2", others, greeting, words(1, :2), 1, total, stat=stat)
  print "(i0, 1x, a)", stat, tasuki_error_text()
end program
"""


@needs_fortran
def test_texts_of_fortran_have_blanks_behind_them(tmp_path: Path) -> None:
    shutil.copy(ROUTINES / "named.idl", tmp_path)
    (tmp_path / "texts.f90").write_text(TEXTS_IN_FORTRAN)
    serving = Serving(tmp_path / "named.idl")
    with serving:
        lines = run(fortran(tmp_path, "texts", tmp_path), server=serving.url).splitlines()
    # In all 4 + 3 + 2 letters; the words were given from the last to the first.
    assert lines[0] == "90 <hello Anne  > <pot      > <net      >"
    assert lines[1].split() == ["-"] * 4
    assert lines[2] == "<hello A name>"
    errors = ("others must have 2 texts, and has 4", "name must be a text, and numbers are given",
              "n must be of int32, and a text is given")  # fmt: skip
    for line, error in zip(lines[3:], errors, strict=True):
        assert line.startswith("1 ") and error in line


@needs_fortran
def test_what_is_kept_is_listed_and_freed_in_all_languages(serving, tmp_path: Path) -> None:
    await_nothing_kept(serving)
    lines = run(example("put"), server=serving.url).splitlines()
    assert lines == ["solve.A of linpack: float64, 32 bytes", SOLVED]
    await_nothing_kept(serving)
    lines = run(example("kept_cpp"), server=serving.url).splitlines()
    assert lines[:2] == [SOLVED, "x = 2, y = 6"]
    assert lines[2] == "solve.A of linpack: 2 dimensions, 32 bytes; freed: 1"
    assert "use an array on the ranks: it was freed" in lines[3]
    await_nothing_kept(serving)
    lines = run(fortran(tmp_path, "kept"), server=serving.url).splitlines()
    assert lines[0].split() == ["1.00", "3.00"]
    assert lines[1:] == ["solve.A of linpack: 2 2 32 T"]


def test_examples_in_c_compile_and_run(serving: DemoServer, tmp_path: Path) -> None:
    connected = serving.connect()
    for name, routine in routines_of(connected).items():
        source = tmp_path / f"{name}.c"
        source.write_text(routine.c_example)
        library = find_library("tasuki_client")
        options = ("-std=c11", "-Wall", "-Werror", "-I", REPOSITORY / "include")
        linked = (library, f"-Wl,-rpath,{library.parent}", "-o", tmp_path / name)
        subprocess.run(["cc", *options, source, *linked], check=True, timeout=300)
        # Others refuse arguments that mean no graph or matrix, or compute for minutes.
        if name.startswith(("linpack.", "lapack.", "radixsort.")):
            assert json.loads(run(tmp_path / name))["ranks"], name


def test_examples_in_c_avoid_words_of_c() -> None:
    routine = parse_text(
        "Define f(IN int int_, IN short register, IN dcomplex I[int_], OUT float while[register])"
        ' Calls "C" f(int_, register, I, while);'
    ).routines[0]
    text = c_example("URL", "f", routine)
    assert "  int16_t register_ = 4;\n  static double complex I_[4];\n" in text
    assert '{I_, "complex128"},\n      {while_, "float32"},\n  };' in text
