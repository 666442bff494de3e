"""System calls that move less than they were asked to, as they do beyond 2 GiB, everywhere."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY, Command, wait_for
from demo_server import CAN_SHARE_MEMORY, needs_server

pytestmark = needs_server
HERE = Path(__file__).parent
CONNECTED = ("hand-off", "sequential", "call-back", "relay", "buffering", "original")
WAYS = [
    *(["memory,native"] if CAN_SHARE_MEMORY else []),
    *(f"{mode},{wire}" for mode in CONNECTED for wire in ("native", "xdr")),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    """What shortens the calls of the processes into which it is preloaded."""
    made = tmp_path_factory.mktemp("library") / "short_transfers.so"
    source = HERE / "short_transfers.c"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", source, "-o", made, "-ldl"], check=True)
    return made


@pytest.mark.parametrize("most_bytes", [337, 65_536])
def test_arrays_pass_whole_by_any_way(library: Path, tmp_path: Path, most_bytes: int) -> None:
    folder = shutil.copytree(HERE / "routines", tmp_path / "routines")
    shortened = {"LD_PRELOAD": str(library), "SHORT_TRANSFER_BYTES": str(most_bytes)}
    command = Command()
    command.environment |= shortened
    process = command.start("serve", folder / "layouts.idl", "-n", 3, "--port", 0)
    try:
        url = re.search(r"tasuki://\S+", process.stdout.readline())[0]
        environment = os.environ | shortened | {"PYTHONPATH": str(REPOSITORY / "python")}
        called = subprocess.run(
            [sys.executable, HERE / "transfer_all.py", url, *WAYS],
            env=environment, capture_output=True, text=True, timeout=600,
        )  # fmt: skip
        assert called.returncode == 0, called.stderr
        assert int(called.stdout) > 100
        maps = [Path(f"/proc/{pid}/maps").read_text() for pid in command.processes()]
        served = [one for one in maps if "tasuki_server" in one or "libtasuki_routines" in one]
        assert len(served) == 4 and all(str(library) in one for one in served)
    finally:
        process.terminate()
        process.communicate(timeout=60)
        wait_for(lambda: not command.processes())
