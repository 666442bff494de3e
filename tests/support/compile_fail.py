"""Checks that a source file is rejected by the compiler, and with the texts we promise."""

import argparse
import subprocess
import sys


def main() -> int:
    """Returns 0 if the file does not compile and the compiler says every expected text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--expect", action="append", required=True)
    parser.add_argument("source")
    parser.add_argument("compiler", nargs="+")
    options = parser.parse_args()
    ended = subprocess.run(
        [*options.compiler, "-fsyntax-only", options.source],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if ended.returncode == 0:
        print(f"{options.source} compiles, but must be rejected")
        return 1
    missing = [text for text in options.expect if text not in ended.stdout]
    if missing:
        print(ended.stdout)
        for text in missing:
            print(f"The compiler did not say: {text}")
        return 1
    print(f"rejected as promised: {'; '.join(options.expect)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
