"""Reads interface files: `parse_file`, `parse_text`, `parse_expression`.

Statements are parsed one by one, so that a mistake in one hides none in the others.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lark import Lark, Tree, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from tasuki.idl.assembly import assemble
from tasuki.idl.builder import Builder, Context, Statement
from tasuki.idl.c_bodies import lift
from tasuki.idl.checks import check
from tasuki.idl.errors import PROBLEMS_MOST, Problem, Report, SourceError
from tasuki.idl.expectations import found_instead, in_words
from tasuki.idl.expression import DEPTH_MOST, Expression
from tasuki.idl.model import Module
from tasuki.idl.preprocessor import preprocess
from tasuki.idl.source import Source, read_text
from tasuki.idl.types import LONG_BITS

_GRAMMAR = Path(__file__).with_name("ninf.lark")
STATEMENT_KEYWORDS = frozenset(
    {
        "Module", "Library", "CompileOptions", "Compiler", "Linker", "FortranFormat",
        "FortranStringConvention", "Globals", "Define", "DefClass",
    }
)  # fmt: skip
_PART = re.compile(r'"(?:\\.|[^"\\])*"|[A-Za-z_$][\w$]*', re.DOTALL)
_NESTING = frozenset({"operation", "negation", "choice"})


def parse_file(path: Path, long_bits: int = LONG_BITS[0]) -> Module:
    """The module that the file describes; `long` travels with `long_bits`, 32 or 64.

    Errors: IdlError if it cannot be read; SourceError with all that is wrong in it.
    """
    return parse_text(read_text(path), str(path), long_bits)


def parse_text(text: str, file: str = "<text>", long_bits: int = LONG_BITS[0]) -> Module:
    """The module that the text describes; errors name `file`.

    Errors: SourceError with all that is wrong.
    Example: `parse_text("Define f(IN int n) { }").routines[0].name` is "f".
    """
    source = preprocess(file, text)
    lifted = lift(source.text)
    problems = {fault.at: Problem(source.place(fault.at), fault.message) for fault in lifted.faults}

    def report(at: int, message: str) -> None:
        problems.setdefault(at, Problem(source.place(at), message))  # The first is the cause.

    statements = []
    for part in _divide(lifted.text):
        if len(problems) > PROBLEMS_MOST:
            break
        if any(part.start <= fault.at < part.end for fault in lifted.faults):
            continue  # Its end is missing: whatever the parser said would follow from that.
        context = Context(part.start, lifted.bodies, source.line_of, long_bits, report)
        if (tree := _tree_of(part, lifted.text, report)) is not None:
            statements.append(Builder(context).transform(tree))
    module = assemble([one for one in statements if isinstance(one, Statement)], report)
    check(module, report)
    if problems:
        raise SourceError([problems[at] for at in sorted(problems)])
    return module


def parse_expression(text: str) -> Expression:
    """The expression that the text is; what it names need not be anywhere.

    Errors: SourceError.
    """
    problems: list[Problem] = []
    source = Source.of("<expression>", text, text)

    def report(at: int, message: str) -> None:
        problems.append(Problem(source.place(at), message))

    tree = _tree_of(_Part(0, text), text, report, start="expression")
    if tree is not None:
        context = Context(0, {}, source.line_of, LONG_BITS[0], report)
        expression = Builder(context).transform(tree)
        if not problems:
            return expression
    raise SourceError(problems)


@dataclass(frozen=True)
class _Part:
    """Text that should be one statement; it begins at `start` of the whole."""

    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def _divide(text: str) -> Iterator[_Part]:
    """Each part begins with a keyword of STATEMENT_KEYWORDS, or what stands before the first."""
    start = 0
    for found in _PART.finditer(text):
        if found[0] in STATEMENT_KEYWORDS:
            if text[start : found.start()].strip():
                yield _Part(start, text[start : found.start()])
            start = found.start()
    if text[start:].strip():
        yield _Part(start, text[start:])


@functools.cache
def _grammar() -> Lark:
    return Lark(
        _GRAMMAR.read_text(),
        parser="lalr",
        lexer="basic",
        start=["statement", "expression"],
        propagate_positions=True,
        maybe_placeholders=True,
    )


def _tree_of(part: _Part, whole: str, report: Report, start: str = "statement") -> Tree | None:
    """The syntax tree of the part, or None after a report of what is wrong."""
    try:
        tree = _grammar().parse(part.text, start=start)
    except UnexpectedInput as fault:
        _report_unexpected(fault, part, whole, report)
        return None
    depths: dict[int, int] = {}
    for node in tree.iter_subtrees():
        below = max((depths.get(id(child), 0) for child in node.children), default=0)
        depths[id(node)] = below + (node.data in _NESTING)
        if depths[id(node)] > DEPTH_MOST:
            report(
                part.start + node.meta.start_pos,
                f"this expression is nested more than {DEPTH_MOST} deep",
            )
            return None
    return tree


def _report_unexpected(fault: UnexpectedInput, part: _Part, whole: str, report: Report) -> None:
    if isinstance(fault, UnexpectedCharacters):
        at = part.start + (fault.pos_in_stream or 0)
        report(at, f"unexpected {found_instead(whole, at)}")
        return
    assert isinstance(fault, UnexpectedToken)
    is_end = fault.token.type == "$END"
    at = part.start + (len(part.text.rstrip()) if is_end else fault.token.start_pos or 0)
    try:
        expected = fault.accepts or fault.expected
    except RecursionError:  # Lark copies what it has parsed, which may be nested deeply.
        expected = fault.expected
    message = f"expected {in_words(set(expected))}"
    message += f", found {found_instead(whole, part.end if is_end else at)}"
    if fault.token.type == "NAME" and {"LBRACKET", "RPAR"} <= set(expected):
        (before,) = re.findall(r"([\w$]+)\s*\Z", whole[:at]) or [""]
        message += f"; '{before}' is no type" if before else ""
    report(at, message)
