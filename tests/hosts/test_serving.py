"""`tasuki serve` whose ranks are on several hosts: clients on others call them in each mode."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import REPOSITORY, CommandOnHosts
from laboratory import Laboratory
from server_on_hosts import COMPILERS, ServerOnHosts, make_certificate, make_token
from tasuki.base.programs import find_library

CLIENT = "h2"
MODES = ("auto", "hand-off", "sequential", "call-back", "relay", "buffering", "original")
# What a client runs: the sums of rows that all four ranks have blocks of, in each mode.
CALLS = """
import sys, numpy as np, tasuki
a = np.arange(40.0).reshape(8, 5)
for mode in sys.argv[2:]:
    server = tasuki.connect(sys.argv[1], ca_file="authority.pem", token_file="token", mode=mode)
    routine = server.row_sums.row_sums
    assert (routine(a) == a.sum(axis=1)).all()
    print(mode, len(routine.report["ranks"]), routine.report["mode"])
"""
CLIENT_IN_CPP = """
#include <cstdio>
#include <tasuki/remote.hpp>
#include <vector>

int main() {
  const std::vector<double> a = {1, 2, 3, 4};
  const std::vector<double> sums = tasuki::rpc::call("row_sums/row_sums", 2, 2, a);
  std::printf("%g %g\\n", sums[0], sums[1]);
}
"""


@pytest.fixture
def folder(tmp_path: Path, tasuki: CommandOnHosts) -> Path:
    """What the server and its clients need."""
    make_certificate(tmp_path)
    make_token(tmp_path, tasuki)
    for name in ("row_sums.idl", "row_sums.c"):
        shutil.copy(REPOSITORY / "examples" / name, tmp_path)
    return tmp_path


@pytest.fixture(params=COMPILERS)
def url(request, laboratory: Laboratory, folder: Path) -> Iterator[str]:
    with ServerOnHosts(laboratory, folder / "row_sums.idl", request.param) as server:
        yield server.url


def test_clients_on_another_host_call_the_ranks_in_each_mode(
    laboratory: Laboratory, folder: Path, url: str
) -> None:
    environment = {"PYTHONPATH": str(REPOSITORY / "python")}
    script = f"cd {folder} && exec {sys.executable} -c '{CALLS}' {url} {' '.join(MODES)}"
    ended = laboratory.run(CLIENT, ["sh", "-c", script], environment=environment)
    assert ended.returncode == 0, ended.stderr
    expected = [f"{mode} 4 {mode.replace('auto', 'hand-off')}" for mode in MODES]
    assert ended.stdout.splitlines() == expected


def test_a_shell_and_a_program_in_cpp_on_another_host_call_the_ranks(
    laboratory: Laboratory, folder: Path, url: str
) -> None:
    environment = {
        "PYTHONPATH": str(REPOSITORY / "python"),
        "TASUKI_SERVER": url,
        "TASUKI_CA_FILE": str(folder / "authority.pem"),
        "TASUKI_TOKEN_FILE": str(folder / "token"),
    }
    words = ["call", url, "row_sums.row_sums", "a=[[1,2],[3,4]]", "--json"]
    in_shell = [sys.executable, "-m", "tasuki", *words]
    ended = laboratory.run(CLIENT, in_shell, environment=environment)
    assert ended.returncode == 0, ended.stderr
    results = json.loads(ended.stdout)["results"]
    assert [row["elements"] for row in results if row["name"] == "sums"] == [[3, 7]]
    ended = laboratory.run(CLIENT, [str(compiled(folder))], environment=environment)
    assert (ended.returncode, ended.stdout) == (0, "3 7\n"), ended.stderr


def compiled(folder: Path) -> Path:
    """The program of a client in C++."""
    program, library = folder / "client", find_library("tasuki_client")
    program.with_suffix(".cpp").write_text(CLIENT_IN_CPP)
    options = ["-std=c++20", f"-I{REPOSITORY / 'include'}", f"-Wl,-rpath,{library.parent}"]
    source = [program.with_suffix(".cpp"), library, "-o", program]
    subprocess.run(["c++", *options, *source], check=True, timeout=120)
    return program
