"""Runs a loopback test program once for each seed; the first failing seed ends it."""

import argparse
import os
import subprocess
import sys


def main() -> int:
    """Returns the program's exit code at the first seed that fails, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--seeds", type=int, nargs=2, required=True, metavar=("FIRST", "LAST"))
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    first, last = options.seeds
    for seed in range(first, last + 1):
        loopback = {
            "TASUKI_TRANSPORT": "loopback",
            "TASUKI_LOOPBACK_RANKS": str(options.ranks),
            "TASUKI_LOOPBACK_SEED": str(seed),
        }
        ended = subprocess.run(
            options.program,
            env=os.environ | loopback,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        if ended.returncode != 0:
            print(ended.stdout)
            settings = " ".join(f"{name}={value}" for name, value in loopback.items())
            print(f"exit code {ended.returncode} with seed {seed}. To repeat:")
            print(f"  {settings} {' '.join(options.program)}")
            return 1
    print(f"passed with {options.ranks} ranks and seeds {first} to {last}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
