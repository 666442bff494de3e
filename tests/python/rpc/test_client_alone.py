"""What installing the client alone gives: calls, where there is neither an MPI nor a server."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import REPOSITORY, InstalledCommand
from demo_server import DemoServer, needs_server
from tasuki.base.programs import BUILD_TREE

pytestmark = needs_server
GUIDE = REPOSITORY / "docs/guide/remote-routines.md"
CALLS = """
import json, re, sys
from pathlib import Path
import numpy as np, tasuki
solve = tasuki.connect(sys.argv[1], mode=sys.argv[2]).linpack.solve
x = solve([[2.0, 1.0], [1.0, 3.0]], [5.0, 10.0])
loaded = re.findall(r"/\\S+\\.so\\S*", Path("/proc/self/maps").read_text())
print(json.dumps({"x": x.tolist(), "package": tasuki.__file__, "loaded": loaded}))
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> InstalledCommand:
    """The package with the component that the guide's command names, and no other program."""
    (component,) = re.findall(r"-C install\.components=(\S+)", GUIDE.read_text())
    folder = tmp_path_factory.mktemp("client")
    made = InstalledCommand(folder / "site")
    install = ["cmake", "--install", BUILD_TREE, "--component", component]
    subprocess.run([*install, "--prefix", made.package], check=True, timeout=60)
    nowhere = folder / "nowhere"
    nowhere.mkdir()
    made.environment["PATH"] = str(nowhere)
    return made


@pytest.fixture(scope="module")
def serving() -> Iterator[DemoServer]:
    with DemoServer(2) as started:
        yield started


def library_of(client: InstalledCommand) -> Path:
    return client.package / "lib" / "libtasuki_client.so"


@pytest.mark.parametrize("mode", ["auto", "hand-off", "relay"])
def test_it_calls_without_mpi(client: InstalledCommand, serving: DemoServer, mode: str) -> None:
    called = subprocess.run(
        [sys.executable, "-c", CALLS, serving.url, mode],
        env=client.environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert called.returncode == 0, called.stderr
    found = json.loads(called.stdout)
    assert found["x"] == pytest.approx([1, 3])
    assert Path(found["package"]).parent == client.package
    own = {one for one in found["loaded"] if "tasuki" in Path(one).name}
    assert {Path(one).resolve() for one in own} == {library_of(client).resolve()}
    assert not [one for one in found["loaded"] if Path(one).name.startswith("libmpi")]


def test_it_has_no_part_of_the_server(client: InstalledCommand) -> None:
    assert not (client.package / "bin").exists()
    libraries = {one.resolve() for one in (client.package / "lib").glob("*.so*")}
    assert libraries == {library_of(client).resolve()}


def test_its_command_calls_too(client: InstalledCommand, serving: DemoServer) -> None:
    result = client("call", serving.url, "linpack.solve", "A=[[2,1],[1,3]]", "b=[5,10]", "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["results"][0]["elements"] == pytest.approx([1, 3])
    refused = client("serve", "--demo")
    assert refused.returncode == 1 and "not part of this build" in refused.stderr


def test_building_it_takes_nothing_of_mpi() -> None:
    ninja = ["ninja", "-C", BUILD_TREE, "-t", "commands", "tasuki_client"]
    commands = subprocess.run(ninja, capture_output=True, text=True, check=True, timeout=60).stdout
    assert "libtasuki_client.so" in commands
    assert not re.findall(r"\S*(?:openmpi|mpich|libmpi|-lmpi|MPI_)\S*", commands)
