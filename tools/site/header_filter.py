"""What Doxygen reads in place of a header: `python tools/site/header_filter.py HEADER`.

The paragraphs that a header opens with become the text of its page, and the lines of code in a
docstring a block of code. No line is moved more than that, so that Doxygen finds each declaration.
"""

import re
import sys
from pathlib import Path

_CODE = re.compile(r"^( *)///( {4,}\S.*)$")


def filtered(text: str) -> str:
    """Returns the header as Doxygen understands it."""
    opening, rest = _opening(text.splitlines())
    return "\n".join([*opening, *_with_code(rest)]) + "\n"


def _opening(lines: list[str]) -> tuple[list[str], list[str]]:
    """The first comment as one about the file, and the lines behind it."""
    count = next((at for at, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return ["/// @file", "///", *("/" + line for line in lines[:count])], lines[count:]


def _with_code(lines: list[str]) -> list[str]:
    result: list[str] = []
    is_code = False
    for line in lines:
        match = _CODE.match(line)
        if bool(match) != is_code:
            indent = " " * (len(line) - len(line.lstrip()))
            result += [f"{indent}/// @code{{.cpp}}"] if match else [f"{indent}/// @endcode"]
            is_code = bool(match)
        result.append(line)
    return result


if __name__ == "__main__":
    sys.stdout.write(filtered(Path(sys.argv[1]).read_text()))
