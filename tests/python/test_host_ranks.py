"""What a host does that the launcher tells what to start."""

import json
import subprocess
import sys

from tasuki.launcher.host_ranks import HostOrder


def test_orders_that_come_with_the_first_line_are_taken(tmp_path):
    order = HostOrder(
        host="here",
        first_rank=1,
        size=2,
        commands=[["/bin/sleep", "60"]],
        folder=str(tmp_path),
        environment={},
        binding="none",
        tag_output=False,
        under_debugger=False,
    )
    told = f"{json.dumps(order._asdict())}\n{json.dumps({'signal': 15})}\n"
    host = subprocess.Popen(
        [sys.executable, "-m", "tasuki.launcher.host_ranks"], stdin=subprocess.PIPE, text=True
    )
    host.stdin.write(told)
    host.stdin.flush()
    try:
        # The input stays open, as that of a launcher that waits.
        assert host.wait(timeout=30) == 128 + 15
    finally:
        host.kill()
        host.stdin.close()
