"""A program that writes the event files of made-up ranks, as the library would in real ones.

    python written_program.py CASE [EXIT_CODE]

It tells on standard output that they are written, and then, if EXIT_CODE is "wait", waits for a
signal.
"""

import os
import signal
import sys
import time
from pathlib import Path

import cases
from event_writer import WrittenRank


def deadlock() -> list[WrittenRank]:
    """Two ranks, each of which receives from the other since half a second."""
    now_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    ranks = [WrittenRank(0, 2), WrittenRank(1, 2)]
    for rank in ranks:
        rank.fields |= {"state": 1, "start_monotonic_ns": now_ns - 10**9, "process_id": os.getpid()}
        rank.fields["process_id"] += rank.fields["rank"]
        rank.call("MPI_Recv", 500_000_000, 0, source=1 - rank.fields["rank"], tag=7)
    return ranks


CASES = {"job": cases.written_job, "deadlock": deadlock, "nothing": list}


def main() -> None:
    folder = Path(os.environ["TASUKI_PROFILE_FOLDER"])
    for rank in CASES[sys.argv[1]]():
        rank.write(folder)
    ending = sys.argv[2] if len(sys.argv) > 2 else "0"
    print(f"written to {folder}, input {sys.stdin.read()!r}", flush=True)
    if ending == "wait":
        # Not print: Python may call this in the middle of printing what the test waits for.
        signal.signal(signal.SIGUSR2, lambda *_: os.write(1, b"USR2 came\n"))
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
        print("waiting", flush=True)
        while True:
            signal.pause()
    sys.exit(int(ending))


if __name__ == "__main__":
    main()
