"""The C preprocessor, for files that use it outside C bodies; line markers alone need none."""

import re
import shutil
import subprocess
from pathlib import Path

from tasuki.idl.c_bodies import lift
from tasuki.idl.errors import Place, Problem, SourceError
from tasuki.idl.source import Source

COMPILERS = ("cc", "gcc", "clang")
TIMEOUT_S = 60
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?!line\b)([A-Za-z]\w*)", re.MULTILINE)
_DIAGNOSTIC = re.compile(r"^(.+?):(\d+):(?:(\d+):)? (?:fatal )?error: (.*)$", re.MULTILINE)


def preprocess(file: str, text: str) -> Source:
    """The text as the parser wants it: after `cc -E` if it has directives outside C bodies.

    Errors: SourceError if there is no compiler, or where the preprocessor finds fault.
    """
    lifted = lift(text)
    directive = _DIRECTIVE.search(text if lifted.faults else lifted.text)
    if directive is None:
        return Source.of(file, text, text)
    untouched = Source.of(file, text, text)
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        raise SourceError(
            [
                Problem(
                    untouched.place(directive.start(1)),
                    f"#{directive[1]} needs the C preprocessor, and none of"
                    f" {', '.join(COMPILERS)} is installed: install one, or write the file"
                    " without directives",
                )
            ]
        )
    # Strict C has no macros such as `unix`, which could be a name here.
    words = [compiler, "-E", "-w", "-std=c11", "-x", "c", "-iquote", str(Path(file).parent), "-"]
    encoded = text.encode("utf-8", "surrogateescape")
    try:
        done = subprocess.run(words, input=encoded, capture_output=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        at = untouched.place(directive.start())
        said = f"the C preprocessor took longer than {TIMEOUT_S} s"
        raise SourceError([Problem(at, said)]) from None
    if done.returncode != 0:
        raise SourceError(_problems(untouched, done.stderr.decode("utf-8", "replace")))
    return Source.of(file, text, done.stdout.decode("utf-8", "surrogateescape"))


def _problems(source: Source, diagnostics: str) -> list[Problem]:
    """What the preprocessor said, at the user's places."""
    lines = source.user_text.split("\n")
    problems = []
    for file, line, column, message in _DIAGNOSTIC.findall(diagnostics):
        number = int(line)
        is_own = file == "<stdin>" and number <= len(lines)
        place = Place(
            source.file if file == "<stdin>" else file,
            number,
            int(column or 1),
            lines[number - 1] if is_own else "",
        )
        problems.append(Problem(place, message))
    return problems or [Problem(source.place(0), f"the C preprocessor failed: {diagnostics}")]
