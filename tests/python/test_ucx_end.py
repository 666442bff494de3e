"""How a job over UCX ends where the launcher's last answers come at different times."""

import os
import subprocess
import sys

import pytest
from tasuki.base.programs import BUILD_TREE

PROGRAM = BUILD_TREE / "test-bin" / "runtime_watched_ranks"
# A launcher that answers the sums of rank 1, but for the first, 0.2 s late.
LATE = """
import struct, sys
from tasuki.cli import main
from tasuki.launcher.wireup_server import WireupServer

SUM = struct.pack("=I", 2)
answer_at_once = WireupServer._answer
sums = []

def answer(server, connection, whole):
    if connection.rank != 1 or whole[:4] != SUM or not sums:
        if connection.rank == 1 and whole[:4] == SUM:
            sums.append(whole)
        return answer_at_once(server, connection, whole)
    def answer_late():
        answer_at_once(server, connection, whole)
        while server._answered:
            server._flush(server._answered.pop())
    server._loop.call_after(0.2, answer_late)

WireupServer._answer = answer
sys.exit(main())
"""


@pytest.mark.skipif(not PROGRAM.exists(), reason="not built")
def test_a_rank_that_has_left_has_not_failed():
    run = ["run", "-n", "2", "--transport", "ucx", "--no-node-shm", "--bind", "none", "--"]
    job = subprocess.run(
        [sys.executable, "-c", LATE, *run, PROGRAM, "serves", "0"],
        env=os.environ | {"UCX_TLS": "tcp"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert job.returncode == 0, job.stderr
