"""Runs a job that must end in a certain way, and sees that nothing of it is left over."""

import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--exit-code", required=True, help="or several, with commas between")
    parser.add_argument(
        "--says",
        action="append",
        default=[],
        help="text of its output; ' | ' stands between alternatives",
    )
    parser.add_argument("--never-says", action="append", default=[], help="text that it must not")
    parser.add_argument("--within", type=float, default=30, help="seconds, from the signal if any")
    parser.add_argument(
        "--signal",
        default="",
        help="NAME:launcher, NAME:supervisor or NAME:RANK, with commas between several: sent, 3 s "
        "apart, once all ranks have printed 'rank R pid P waits'",
    )
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


class Job:
    """The command, what it has printed so far, and a mark by which all it starts can be found."""

    def __init__(self, command: list[str]) -> None:
        self.mark = f"JOB_MARK={uuid.uuid4().hex}"
        name, _, value = self.mark.partition("=")
        self.process = subprocess.Popen(
            command,
            env=os.environ | {name: value},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.output = ""
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        while data := os.read(self.process.stdout.fileno(), 65536):
            self.output += data.decode(errors="replace")

    def pids(self) -> dict[int, int]:
        """Ranks that wait, with their process numbers."""
        found = re.findall(r"rank (\d+) pid (\d+) waits", self.output)
        return {int(rank): int(pid) for rank, pid in found}

    def left_over(self) -> list[int]:
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if self.mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
            except OSError:
                continue  # It has ended, or is somebody else's.
        return found


def send_signals(job: Job, wanted: list[str], ranks: int) -> None:
    give_up_time = time.monotonic() + 50  # before the test's own limit, so that output is shown
    while len(job.pids()) < ranks:
        if job.process.poll() is not None or time.monotonic() > give_up_time:
            return  # What it printed and how it ended tell more.
        time.sleep(0.02)
    time.sleep(0.2)  # until they do wait
    for index, one in enumerate(wanted):
        if index != 0:
            time.sleep(3)
        name, _, target = one.partition(":")
        os.kill(pid_of(job, target), getattr(signal, name))


def pid_of(job: Job, target: str) -> int:
    launcher = job.process.pid
    if target == "launcher":
        return launcher
    if target == "supervisor":
        return int(Path(f"/proc/{launcher}/task/{launcher}/children").read_text())
    return job.pids()[int(target)]


def main() -> int:
    """Returns 0 if the job ended as expected."""
    options = parse_arguments()
    shared_before = set(os.listdir("/dev/shm"))
    job = Job(options.command)
    if options.signal:
        send_signals(job, options.signal.split(","), options.ranks)
    start = time.monotonic()
    problems = []
    try:
        job.process.wait(options.within)
    except subprocess.TimeoutExpired:
        problems.append(f"it has not ended within {options.within} s")
        job.process.kill()
    job.reader.join(5)
    print(job.output)
    print(f"exit code {job.process.returncode} after {time.monotonic() - start:.1f} s")
    if str(job.process.wait()) not in options.exit_code.split(","):
        problems.append(f"exit code {job.process.returncode}, expected {options.exit_code}")
    for text in options.says:
        if not any(one in job.output for one in text.split(" | ")):
            problems.append(f"it did not say: {text}")
    problems += [f"it said: {text}" for text in options.never_says if text in job.output]
    for pid in job.left_over():
        problems.append(f"process {pid} was left over")
        os.kill(pid, signal.SIGKILL)
    shared = set(os.listdir("/dev/shm")) - shared_before
    problems += [f"/dev/shm/{name} was left over" for name in shared if "tasuki" in name]
    for problem in problems:
        print(f"{shlex.join(options.command)}: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
