"""A rank as the launcher sees one: does what its arguments say, one after the other.

state=S      writes the state word S        exit=CODE   ends
print=TEXT   prints a line                  kill=N      sends itself signal N
touch=PATH   makes the file PATH.RANK       sleep       sleeps until a signal comes
ignore=N     ignores signal N               catch=N     prints "caught" on signal N
blame=RANK   notes it as the first failed   pause=S     sleeps so many seconds
await=RANK   waits until it has a state      layout=TEXT the first word of the job's file, else 0
child        starts a child that sleeps     daemon      the same in a session of its own
R:WHAT       does WHAT only on rank R
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tasuki.launcher.job_file import RANK_BYTES

rank = int(os.environ["TASUKI_RANK"])


def write_state(state: int) -> None:
    fd = int(os.environ["TASUKI_JOB_FD"])
    os.ftruncate(fd, max(os.fstat(fd).st_size, 4096 + RANK_BYTES * int(os.environ["TASUKI_SIZE"])))
    os.pwrite(fd, state.to_bytes(4, sys.byteorder), 4096 + RANK_BYTES * rank)


def do(action: str) -> None:
    name, _, value = action.partition("=")
    if name == "state":
        write_state(int(value))
    elif name == "exit":
        sys.stdout.flush()
        os._exit(int(value))
    elif name == "print":
        print(value, flush=True)
    elif name == "kill":
        os.kill(os.getpid(), int(value))
    elif name == "touch":
        Path(f"{value}.{rank}").touch()
    elif name == "blame":
        os.pwrite(int(os.environ["TASUKI_JOB_FD"]), (int(value) + 1).to_bytes(4, sys.byteorder), 40)
    elif name == "layout":
        os.pwrite(int(os.environ["TASUKI_JOB_FD"]), value.encode(), 0)
    elif name == "await":
        while not any(
            os.pread(int(os.environ["TASUKI_JOB_FD"]), 4, 4096 + RANK_BYTES * int(value))
        ):
            time.sleep(0.01)
    elif name == "pause":
        time.sleep(float(value))
    elif name == "sleep":
        while True:
            time.sleep(100)
    elif name == "ignore":
        signal.signal(int(value), signal.SIG_IGN)
    elif name == "catch":
        signal.signal(int(value), lambda *_: os.write(1, b"caught\n"))
    elif name in ("child", "daemon"):
        subprocess.Popen(["sleep", "100"], start_new_session=name == "daemon")
    else:
        sys.exit(f"unknown action {action}")


for argument in sys.argv[1:]:
    who, colon, what = argument.partition(":")
    if not (colon and who.isdigit()):
        do(argument)
    elif int(who) == rank:
        do(what)
