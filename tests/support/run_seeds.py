"""Runs a loopback test program once for each seed; the first failing seed ends it."""

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def settings_of(seed: int, ranks: int) -> dict[str, str]:
    """Returns what the environment of the program says."""
    return {
        "TASUKI_TRANSPORT": "loopback",
        "TASUKI_LOOPBACK_RANKS": str(ranks),
        "TASUKI_LOOPBACK_SEED": str(seed),
    }


def run(program: list[str], settings: dict[str, str]) -> subprocess.CompletedProcess:
    """Returns how the program ended, with all that it printed."""
    return subprocess.run(
        program,
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )


def main() -> int:
    """Returns 1 at the first seed whose run fails, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--seeds", type=int, nargs=2, required=True, metavar=("FIRST", "LAST"))
    parser.add_argument("--jobs", type=int, default=1, help="seeds at a time")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    first, last = options.seeds
    settings = [settings_of(seed, options.ranks) for seed in range(first, last + 1)]
    with ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(run, options.program, each) for each in settings]
        for each, running in zip(settings, runs, strict=True):
            ended = running.result()
            if ended.returncode != 0:
                pool.shutdown(wait=False, cancel_futures=True)
                print(ended.stdout)
                words = " ".join(f"{name}={value}" for name, value in each.items())
                print(f"exit code {ended.returncode} with this seed. To repeat:")
                print(f"  {words} {' '.join(options.program)}")
                return 1
    print(f"passed with {options.ranks} ranks and seeds {first} to {last}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
