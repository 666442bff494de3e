"""In hand-off a piece of an array is converted while the next one is received, at both ends."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from conftest import REPOSITORY
from demo_server import needs_server
from serving import ServeCommand, build_interfaces

pytestmark = needs_server
TAP = Path(__file__).with_name("piece_tap.c")
PIECE_BYTES = 256 << 10
PIECES_COUNT = 12  # Of each array.
ROUTINES = """
Define twice(IN int64_t n, IN double x[n], OUT double y[n])
{ int64_t i; for (i = 0; i < n; ++i) y[i] = 2 * x[i]; }
"""
CALL = """
import sys, numpy as np, tasuki
x = np.arange(float(sys.argv[2]))
server = tasuki.connect(sys.argv[1], mode="hand-off", wire="xdr")
np.testing.assert_array_equal(server.pieces.twice(x), 2 * x)
"""


class Piece(NamedTuple):
    """Where it was received to, and whether the next one came before it was converted."""

    address: int
    piece_bytes: int
    has_next_come: int


def test_pieces_come_while_others_are_converted(tmp_path: Path) -> None:
    library, folder, records = (tmp_path / name for name in ("tap.so", "served", "records"))
    for one in (folder, records):
        one.mkdir()
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", TAP, "-o", library, "-ldl"], check=True)
    build_interfaces(folder, pieces=ROUTINES)
    tapped = {
        "LD_PRELOAD": str(library),
        "PIECE_TAP": str(records),
        "PIECES_COUNT": str(PIECES_COUNT),
    }
    serving = ServeCommand(folder, **tapped)
    try:
        call = [sys.executable, "-c", CALL, serving.url, str(PIECES_COUNT * PIECE_BYTES // 8)]
        environment = os.environ | tapped | {"PYTHONPATH": str(REPOSITORY / "python")}
        subprocess.run(call, env=environment, check=True, timeout=600)
    finally:
        serving.__exit__()
    of_client, of_rank = sorted(records.iterdir(), key=lambda one: one.name.startswith("pieces"))
    for file in (of_client, of_rank):
        pieces = [Piece(*map(int, line.split())) for line in file.read_text().splitlines()]
        assert [one.has_next_come for one in pieces] == [1] * (PIECES_COUNT - 1) + [0], file
        # Each one is where the one before was, which has thus been converted.
        addresses = [one.address for one in pieces]
        assert max(addresses) - min(addresses) < PIECE_BYTES, file
