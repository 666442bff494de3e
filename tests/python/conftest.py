"""What the tests of the command share: running it, and seeing that nothing of it is left."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).parent / "programs"


class Command:
    """Runs `tasuki` with a mark in its environment by which all it starts can be found."""

    def __init__(self) -> None:
        self.mark = f"JOB_MARK={uuid.uuid4().hex}"
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("TASUKI_")
        }
        self.environment["PYTHONPATH"] = str(REPOSITORY / "python")
        name, _, value = self.mark.partition("=")
        self.environment[name] = value

    def start(self, *arguments: str, **options) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-m", "tasuki", *map(str, arguments)],
            env=self.environment,
            text=True,
            stdin=options.pop("stdin", subprocess.DEVNULL),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **options,
        )

    def __call__(self, *arguments: str, input: str = "", timeout_s: float = 20):
        """Runs to the end; the result has returncode, stdout, stderr and seconds."""
        start = time.monotonic()
        process = self.start(*arguments, stdin=subprocess.PIPE)
        stdout, stderr = process.communicate(input, timeout=timeout_s)
        result = subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)
        result.seconds = time.monotonic() - start
        return result

    def processes(self) -> list[int]:
        """Every live process that this command or its ranks started."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if self.mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
            except OSError:
                continue  # It has ended, or is somebody else's.
        return found


@pytest.fixture
def tasuki() -> Iterator[Command]:
    """The command; fails the test if it left a process or anything in /dev/shm."""
    before = set(os.listdir("/dev/shm"))
    command = Command()
    yield command
    left = command.processes()
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left, "processes were left over"
    assert not [name for name in os.listdir("/dev/shm") if name not in before and "tasuki" in name]


def wait_for(condition, timeout_s: float = 10):
    """The first true value of condition(); fails the test if there is none in time."""
    give_up_time = time.monotonic() + timeout_s
    while time.monotonic() < give_up_time:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError("the condition did not come true in time")
