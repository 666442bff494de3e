"""Has gdb list the fibers of a program that aborts, while it lives and in its core file.

With `tasuki run --debug gdb` the command has gdb list them.
"""

import argparse
import re
import signal
import subprocess
import tempfile
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "tools" / "gdb" / "fibers.py"

# Each fiber's first line, and functions that its frames have, the innermost first.
EXPECTED = {
    r"listed::wait_for_call\(int\) called by rank 0 waits for the result of "
    r"listed::wait_for_sync\(int\) on rank 0": ["listed::wait_for_call"],
    r"listed::wait_for_sync\(int\) called by rank 0 waits for a value in the Sync at 0x[0-9a-f]+ "
    r"\(its writer is not known\)": ["listed::read_in_vain", "listed::wait_for_sync"],
    r"the spawned listed::wait_for_chain\(int\) waits for the result of "
    r"listed::wait_for_sync\(int\) on rank 0": ["listed::wait_for_chain"],
    r"the spawned listed::yield_for_ever\(int\) waits for its turn \(it yielded\)": [
        "listed::yield_for_ever"
    ],
    r"main runs": ["listed::abort_in_main", "tasuki::runtime::run_ranks"],
}


def gdb(*arguments: str) -> str:
    """Returns what gdb prints."""
    result = subprocess.run(
        ["gdb", "-q", "-nx", "-batch", "-x", str(SCRIPT), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return result.stdout


def check(listing: str) -> None:
    for first_line, functions in EXPECTED.items():
        fiber = re.search(rf"^{first_line}\n((?:[^\n]+\n)+)", listing, re.MULTILINE)
        assert fiber, f"not listed: {first_line}\nin:\n{listing}"
        places = [fiber[1].find(f" {function}") for function in functions]
        assert -1 not in places and places == sorted(places), f"wrong frames:\n{fiber[0]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", help="tasuki")
    parser.add_argument("program")
    arguments = parser.parse_args()
    program = arguments.program
    assert "there is no process" in gdb("-ex", "tasuki fibers")
    with tempfile.TemporaryDirectory() as folder:
        core = f"{folder}/core"
        listing = ("-ex", "tasuki fibers")
        writing = ("-ex", f"generate-core-file {core}")
        check(gdb("-ex", "run", *listing, *writing, "--args", program))
        check(gdb(*listing, program, core))
    run = subprocess.run(
        [arguments.command, "run", "--debug", "gdb", "-n", "1", program],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    check(run.stdout)
    assert run.returncode == 128 + signal.SIGABRT, run.stdout


if __name__ == "__main__":
    main()
