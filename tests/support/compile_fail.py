"""Checks that the compiler rejects a source file by our sentence, first, and at the user's line."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

# Ends the line of the source that is to be changed.
MARK = "// refused"
# What the compiler says about one call at most: more hides the sentence.
LINES_MOST = 40
# A line of the source that a compiler quotes, with its number, or the marks below it.
QUOTE = re.compile(r" *\d* \| ")


def place_of_mark(source: str) -> str:
    """Returns FILE:LINE of the line to be changed, as compilers write it."""
    lines = Path(source).read_text().splitlines()
    marked = [number for number, line in enumerate(lines, start=1) if line.endswith(MARK)]
    if len(marked) != 1:
        raise SystemExit(f"{source}: exactly one line must end in {MARK!r}")
    return f"{source}:{marked[0]}:"


def complaints(said: list[str], expected: list[str], place: str) -> list[str]:
    """Returns what is wrong with what the compiler said."""
    errors = [index for index, line in enumerate(said) if "error:" in line]
    if not errors:
        return ["The compiler names no error"]
    first = errors[0]
    wrong = [
        f"The first error does not say: {text}" for text in expected if text not in said[first]
    ]
    # GCC says in the line before the error where the template was used, and from GCC 14 on quotes
    # the source in between; Clang says it in the notes after.
    following = errors[1] if len(errors) > 1 else len(said)
    before = next((line for line in reversed(said[:first]) if not QUOTE.match(line)), "")
    around = [before, *said[first:following]]
    if not any(line.startswith(place) for line in around):
        wrong.append(f"The first error does not name the place: {place}")
    if len(said) > LINES_MOST:
        wrong.append(f"The compiler says {len(said)} lines, which are more than {LINES_MOST}")
    return wrong


def main() -> int:
    """Returns 0 if the file does not compile, and the first error has every expected text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--expect", action="append", required=True)
    parser.add_argument("source")
    parser.add_argument("compiler", nargs="+")
    options = parser.parse_args()
    place = place_of_mark(options.source)
    ended = subprocess.run(
        [*options.compiler, "-fsyntax-only", options.source],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if ended.returncode == 0:
        print(f"{options.source} compiles, but must be rejected")
        return 1
    wrong = complaints(ended.stdout.splitlines(), options.expect, place)
    if wrong:
        print(ended.stdout, *wrong, sep="\n")
        return 1
    print(f"rejected as promised: {'; '.join(options.expect)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
