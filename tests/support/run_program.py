"""Checks how a program ends and what it says."""

import argparse
import subprocess
import sys


def main() -> int:
    """Returns 0 if the program ends with the expected exit code and prints every expected text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--exit", type=int, default=0, help="the exit code it must have")
    parser.add_argument("--expect", action="append", default=[], help="a text it must print")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    ended = subprocess.run(
        options.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    print(ended.stdout)
    faults = [f"did not print: {text}" for text in options.expect if text not in ended.stdout]
    if ended.returncode != options.exit:
        faults.append(f"exit code {ended.returncode}, expected {options.exit}")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
