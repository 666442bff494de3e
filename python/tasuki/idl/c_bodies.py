"""Lifts C out of an interface file before it is parsed, and blanks comments.

What is taken away becomes spaces, so that every character that is left keeps its place.
"""

import re
from dataclasses import dataclass

_BODY_KEYWORDS = frozenset({"Globals", "DefState", "Define", "DefMethod"})
_KEYWORDS = _BODY_KEYWORDS | {"DefClass"}

_STRING = r'"(?:\\.|[^"\\])*"'
# A comment in Shift JIS may end with the byte of a backslash: that continues no line.
_COMMENT = r"//(?:(?<![\udc80-\udcff])\\\n|[^\n])*|/\*.*?\*/"
_OUTSIDE = re.compile(
    rf"(?P<comment>{_COMMENT})|(?P<string>{_STRING})|(?P<continued>\\[ \t]*\n)"
    r"|(?P<word>[A-Za-z_$][\w$]*)|(?P<open>\{)|(?P<unclosed>/\*|\")",
    re.DOTALL,
)
# In C a text or character ends with its line at the latest; 1'000 is a number, and R"(})" a text.
_INSIDE = re.compile(
    rf'{_COMMENT}|R"([^()\\\s]{{0,16}})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"?'
    r"|\b\d(?:'?\w)*|'(?:\\.|[^'\\\n])*'?|(?P<brace>[{}])|(?P<unclosed>/\*)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Fault:
    """What is opened at `at` and never closed."""

    at: int
    message: str


@dataclass(frozen=True)
class Lifted:
    """`text` without comments and C; `bodies` holds the C by the place of its `{`.

    Of a body `text` keeps the braces. After a fault the rest of `text` is blank.
    """

    text: str
    bodies: dict[int, str]
    faults: tuple[Fault, ...]


def lift(text: str) -> Lifted:
    """Takes the C out of the text.

    A `{` opens C if the last keyword before it was Globals, DefState, Define or DefMethod.
    """
    pieces: list[str] = []
    bodies: dict[int, str] = {}
    faults: list[Fault] = []
    keyword = ""
    end = 0
    while not faults and (found := _OUTSIDE.search(text, end)):
        start = found.start()
        pieces.append(text[end:start])
        end = found.end()
        kind = found.lastgroup
        if kind == "comment" or kind == "continued":
            pieces.append(blank(found[0]))
            continue
        pieces.append(found[0])
        if kind == "word" and found[0] in _KEYWORDS:
            keyword = found[0]
        elif kind == "unclosed":
            what = "comment" if found[0] == "/*" else "text"
            faults.append(Fault(start, f"this {what} is never closed"))
        elif kind == "open" and keyword in _BODY_KEYWORDS:
            close = _matching_brace(text, end)
            if close is None:
                faults.append(Fault(start, "this C body is never closed: a } is missing"))
                continue
            bodies[start] = _INSIDE.sub(_with_comment_in_ascii, text[end:close])
            pieces.append(blank(text[end:close]) + "}")
            end = close + 1
            keyword = ""
    rest = text[end:]
    if faults:  # What was opened goes too: the parser has nothing to say about it.
        pieces[-1] = blank(pieces[-1])
        rest = blank(rest)
    return Lifted("".join((*pieces, rest)), bodies, tuple(faults))


def blank(text: str) -> str:
    """As many characters, in as many lines, that are all spaces."""
    return re.sub(r"[^\n]", " ", text)


def _with_comment_in_ascii(found: re.Match[str]) -> str:
    """A comment in another encoding is no concern of the compiler's, which wants UTF-8."""
    if not found[0].startswith(("//", "/*")):
        return found[0]
    # The byte of a backslash that belongs to a character would continue the line.
    return re.sub(r"[\udc80-\udcff]\\?", lambda one: "?" * len(one[0]), found[0])


def _matching_brace(text: str, start: int) -> int | None:
    """Where the body that begins at `start` has its closing brace."""
    depth = 1
    for found in _INSIDE.finditer(text, start):
        if found["unclosed"]:
            return None
        if found["brace"]:
            depth += 1 if found["brace"] == "{" else -1
            if depth == 0:
                return found.start()
    return None
