"""File descriptors of a launcher of many ranks, and events of those that have been closed."""

import subprocess
import sys

HIGH_NUMBER = """
import fcntl, os
from tasuki.launcher.descriptors import allow_for_ranks, is_readable
allow_for_ranks(1000)
reader, writer = os.pipe()
high = fcntl.fcntl(reader, fcntl.F_DUPFD, 1500)
assert not is_readable(high, 0)
os.write(writer, b"x")
assert is_readable(high, 0)
"""

ONE_ENDS_BOTH = """
import os
from tasuki.launcher.event_loop import EventLoop
loop = EventLoop()
pipes = [os.pipe() for _ in range(2)]
def end_both():
    for reader, _ in pipes:
        loop.forget(reader)
for reader, writer in pipes:
    loop.listen(reader, end_both)
    os.write(writer, b"x")
assert loop.run_once(1)
"""


def _run(program: str) -> None:
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def test_a_thousand_ranks_have_enough():
    _run(HIGH_NUMBER)


def test_what_an_event_has_closed_has_no_event_of_its_own():
    _run(ONE_ENDS_BOTH)
