"""Which variables the C of a DefState declares.

Only their names are found here: their types are for the compiler.
"""

import re
from collections.abc import Iterator

from tasuki.idl.errors import IdlError
from tasuki.idl.model import CBody

_TOKEN = re.compile(
    r"""(?P<gap>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)
      |"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_$][\w$]*|\d[\w.]*|::|.""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_TAGS = ("struct", "union", "enum", "class")
_QUALIFIERS = ("const", "volatile", "restrict", "static", "extern")
_ATTRIBUTES = ("__attribute__", "_Alignas", "alignas")


class UnclearDeclarationError(IdlError):
    """What stands in a DefState and declares no variable; `line` is that of the user's file."""

    def __init__(self, line: int, tokens: list[str]) -> None:
        self.line = line
        super().__init__(
            f'expected declarations of variables in DefState, found "{" ".join(tokens)}":'
            " put functions into Globals"
        )


def variables_of(body: CBody) -> tuple[str, ...]:
    """The names of the variables, in order. Errors: UnclearDeclarationError.

    Example: `variables_of(CBody("int n, *p[2]; double (*f)(int);", 1))` is ("n", "p", "f").
    """
    names: list[str] = []
    for line, tokens in _declarations(body):
        if tokens[0] == "typedef" or _declares_a_tag_only(tokens):
            continue
        for index, declarator in enumerate(_declarators(tokens)):
            name = _name_in(declarator, is_first=index == 0)
            if name is None:
                raise UnclearDeclarationError(line, tokens)
            names.append(name)
    return tuple(dict.fromkeys(names))


def _declarations(body: CBody) -> Iterator[tuple[int, list[str]]]:
    """Each with the line where it begins."""
    tokens: list[str] = []
    line = first = body.line
    depth = 0
    for found in _TOKEN.finditer(body.code):
        here, line = line, line + found[0].count("\n")
        if found.lastgroup == "gap":
            continue
        if not tokens:
            first = here
        depth += (found[0] == "{") - (found[0] == "}")
        if found[0] != ";" or depth > 0:
            tokens.append(found[0])
        elif tokens:
            yield first, tokens
            tokens = []
    if tokens:
        raise UnclearDeclarationError(first, tokens)


def _declares_a_tag_only(tokens: list[str]) -> bool:
    """As in `struct node { int value; };`."""
    words = _outline(tokens)
    return words[0] in _TAGS and (words[-1] == "{" or len(words) == 2)


def _outline(tokens: list[str]) -> list[str]:
    """Without qualifiers, and of what is in brackets only the opening one."""
    kept: list[str] = []
    closing: list[str] = []
    for token in tokens:
        if closing and token == closing[-1]:
            closing.pop()
        elif token in _CLOSING:
            if not closing and not (token == "(" and kept and kept[-1] in _ATTRIBUTES):
                kept.append(token)
            closing.append(_CLOSING[token])
        elif not closing and token not in _QUALIFIERS:
            kept.append(token)
    return [token for token in kept if token not in _ATTRIBUTES]


def _declarators(tokens: list[str]) -> Iterator[list[str]]:
    """Those of a declaration, the first with the type, without their initial values."""
    declarator: list[str] = []
    depth = 0
    is_value = False
    for token in tokens:
        depth += (token in _CLOSING) - (token in _CLOSING.values())
        if depth == 0 and token == ",":
            yield declarator
            declarator, is_value = [], False
            continue
        is_value = is_value or (depth == 0 and token == "=")
        if not is_value:
            declarator.append(token)
    yield declarator


def _name_in(declarator: list[str], is_first: bool) -> str | None:
    outline = _outline(declarator)
    if "(" in outline:  # Of a pointer to a function or an array: double (*f)(int).
        inner = declarator[declarator.index("(") + 1 :]
        words = [one for one in inner if _is_word(one) and one not in _QUALIFIERS]
        return words[0] if inner and inner[0] == "*" and words else None
    has_type = not is_first
    if is_first and outline[0] in _TAGS and len(outline) > 2:
        has_type = True
        outline = outline[2:] if _is_word(outline[1]) else outline[1:]
        outline = outline[1:] if outline[0] == "{" else outline
    name = None
    for token in outline:
        if token in ("[", "{"):  # A size, or a value.
            break
        if _is_word(token):
            has_type = has_type or name is not None
            name = token
    return name if has_type else None


def _is_word(token: str) -> bool:
    return token[0].isalpha() or token[0] == "_"
