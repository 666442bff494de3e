"""LD_PRELOAD with and without what others have put there."""

import subprocess
from pathlib import Path

import pytest
from profiling import compile_library
from tasuki.profile.preload import other_tools, preload_with, replaces_preload


@pytest.mark.parametrize(
    ("before", "value"), [(None, "/own.so"), ("", "/own.so"), ("a.so b.so", "/own.so:a.so b.so")]
)
def test_the_own_library_comes_first(before, value):
    environment = {} if before is None else {"LD_PRELOAD": before}
    assert preload_with(Path("/own.so"), environment) == value


def test_tools_are_what_defines_mpi_init(tmp_path):
    compile_library(tmp_path / "libtool.so", "int MPI_Init(int *c, char ***v) { return 0; }")
    compile_library(tmp_path / "libuser.so", "int MPI_Init(int *, char ***);"
                    "int f(void) { return MPI_Init(0, 0); }")  # fmt: skip
    preloaded = f"{tmp_path}/libuser.so:/nowhere.so {tmp_path}/libtool.so"
    assert other_tools({"LD_PRELOAD": preloaded}) == [f"{tmp_path}/libtool.so"]
    by_name = {"LD_PRELOAD": "libtool.so", "LD_LIBRARY_PATH": f"/nowhere:{tmp_path}"}
    assert other_tools(by_name) == ["libtool.so"]
    assert other_tools({}) == []


def test_a_stripped_tool_is_found_too(tmp_path):
    compile_library(tmp_path / "tool.so", "int MPI_Init(int *c, char ***v) { return 0; }")
    subprocess.run(["strip", tmp_path / "tool.so"], check=True)
    assert other_tools({"LD_PRELOAD": f"{tmp_path}/tool.so"}) == [f"{tmp_path}/tool.so"]


def test_what_replaces_it_in_the_command():
    assert replaces_preload(["mpirun", "-x", "LD_PRELOAD=other.so", "./a"])
    assert not replaces_preload(["mpirun", "-x", "LD_PRELOAD", "./a"])
