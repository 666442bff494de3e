"""`tasuki serve` whose ranks are on several hosts: clients on others call them in each mode."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import REPOSITORY, CommandOnHosts
from laboratory import Laboratory
from server_on_hosts import COMPILERS, ServerOnHosts, make_certificate, make_token

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
