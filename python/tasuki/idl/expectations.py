"""Says what the parser expected and found in the words of the language, not of the grammar."""

import re

_OPERATORS = frozenset({"PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "POWER", "RELATION", "QMARK"})
_OPERAND = frozenset({"NAME", "NUMBER", "LPAR", "MINUS"})
_SPECIFIERS = frozenset({"MODE", "TYPE_WORD", "PLACEMENT", "DISTRIBUTE"})
_OPTIONS = frozenset({"REQUIRED", "BACKEND", "SHRINK", "LANGUAGE", "CALCORDER", "ALIAS"})
_STATEMENTS = frozenset(
    {
        "MODULE", "LIBRARY", "COMPILEOPTIONS", "COMPILER", "LINKER", "FORTRANFORMAT",
        "FORTRANSTRINGCONVENTION", "GLOBALS", "DEFINE", "DEFCLASS",
    }
)  # fmt: skip
# What one sees together, and how it is said; the first that is wholly expected goes first.
_GROUPS: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = (
    (_STATEMENTS, ("a statement such as Module or Define",)),
    (_SPECIFIERS | {"NAME", "STAR"}, ("a type", "a mode", "the name of the argument")),
    (_SPECIFIERS | {"NAME"}, ("a type", "a mode")),
    (_SPECIFIERS, ("a type", "a mode")),
    (_OPTIONS, ("an option",)),
    (_OPERATORS, ("an operator",)),
    (_OPERAND, ("an expression",)),
)
_WORDS = {
    "NAME": "a name",
    "STRING": "a text in quotes",
    "NUMBER": "a number",
    "MODE": "a mode",
    "TYPE_WORD": "a type",
    "ONTO_GRID": "onto grid(...)",
    "CALLS": "Calls",
    "DEFMETHOD": "DefMethod",
    "DEFSTATE": "DefState",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "LPAR": "'('",
    "RPAR": "')'",
    "LBRACKET": "'['",
    "RSQB": "']'",
    "COMMA": "','",
    "COLON": "':'",
    "SEMICOLON": "';'",
    "STAR": "'*'",
    "$END": "another statement",
}
_LEAST = ("COMMA", "$END")  # Said last: they are seldom what the user forgot.
_FOUND = re.compile(r"[\w$]+|\"(?:\\.|[^\"\\\n])*\"?|\S")


def in_words(terminals: set[str]) -> str:
    """ "a type or a mode" for the grammar's MODE, TYPE_WORD, ...: one of them was expected."""
    left = set(terminals)
    said: list[str] = []
    for group, words in _GROUPS:
        if group <= left:
            said += words
            left -= group
            if group >= _SPECIFIERS:
                # A callback or a parenthesis may stand there, too; who wants one knows it.
                left -= {"NAME", "LPAR", "STAR"}
    order = [*_WORDS, *sorted(left - set(_WORDS))]
    single = sorted(left, key=lambda one: (one in _LEAST, order.index(one)))
    said += [_WORDS.get(one, one.capitalize()) for one in single]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} or {said[-1]}"


def found_instead(text: str, at: int) -> str:
    """What stands at `at` of the text, or after the space there."""
    match = _FOUND.search(text, at)
    if match is None:
        return "the end of the file"
    word = match[0] if len(match[0]) <= 30 else f"{match[0][:30]}..."
    return f"'{word}'" if word.isprintable() else ascii(word)
