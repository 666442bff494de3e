"""Makes the model of one statement of its syntax tree.

What is wrong with a statement by itself is reported here; what needs its neighbours, in checks.py.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from lark import Token, Transformer_NonRecursive, Tree

from tasuki.idl.errors import Report
from tasuki.idl.expression import (
    INTEGER_MOST,
    Choice,
    Expression,
    Name,
    Negation,
    Number,
    Operation,
)
from tasuki.idl.model import (
    NOT_DISTRIBUTED,
    ONE,
    ZERO,
    Backend,
    Block,
    Callback,
    Calls,
    CBody,
    Cyclic,
    Dimension,
    Distribution,
    Division,
    Language,
    Mode,
    Options,
    Parameter,
    Placement,
    RemoteClass,
    Routine,
    StringConvention,
    Undivided,
)
from tasuki.idl.types import ScalarType, type_of_words

EnumType = TypeVar("EnumType", bound=Enum)

_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
_NUMBER = re.compile(r"(?:0[xX]([0-9a-fA-F]+)|(0[0-7]*)|([1-9][0-9]*))[uUlL]*")
_DIGITS_MOST = 100
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "\n": ""}
_ANY_TYPE = ScalarType("int", "int32", 4)  # Of an argument whose type is wrong, and reported.


@dataclass(frozen=True)
class Statement:
    """`kind` is the name of the grammar's rule, `value` what it says."""

    kind: str
    value: Any
    at: int


@dataclass(frozen=True)
class Context:
    """Where the text of the tree lies in the source, the C taken out of it, and who hears of
    problems."""

    base: int
    bodies: dict[int, str]
    line_of: Callable[[int], int]
    long_bits: int
    report: Report


@dataclass(frozen=True)
class _Declarator:
    name: str
    at: int
    dimensions: tuple[Dimension, ...] = ()
    is_pointer: bool = False


@dataclass(frozen=True)
class _About:
    """What stands between a signature and its body."""

    text: str
    options: Options
    language: Language | None  # What the option says, which `options` has only if there is one.
    aliases: tuple[str, ...]
    calc_order: Expression | None


@dataclass(frozen=True)
class _Called:
    """What stands behind Calls; without a list of arguments (None) the function takes all."""

    language: Language | None
    target: Token
    arguments: tuple[Name, ...] | None

    @property
    def is_text(self) -> bool:
        return self.target.type == "STRING"


def _shortened(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:30]}..."


class Builder(Transformer_NonRecursive):
    """One method for each rule of ninf.lark, which gets what the rule's parts became."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context

    def _at(self, token: Token) -> int:
        return self._context.base + (token.start_pos or 0)

    def _report(self, token: Token, message: str) -> None:
        self._context.report(self._at(token), message)

    # Expressions.

    def name(self, parts: list[Any]) -> Expression:
        return Name(str(parts[0]), self._at(parts[0]))

    def number(self, parts: list[Any]) -> Expression:
        """As in C, 0x begins a hexadecimal number, 0 an octal one, and L or U may end it."""
        written = _NUMBER.fullmatch(parts[0])
        if written is None:
            self._report(parts[0], f"{_shortened(parts[0])} is no whole number")
            return ZERO
        base = 16 if written[1] else 8 if written[2] else 10
        digits = written[1] or written[2] or written[3]
        # Beyond so many digits the value does not matter, and Python takes long for it.
        value = int(digits, base) if len(digits) <= _DIGITS_MOST else INTEGER_MOST + 1
        if value > INTEGER_MOST:
            self._report(parts[0], f"{_shortened(parts[0])} does not fit into 64 bits")
            return ZERO
        return Number(value)

    def negation(self, parts: list[Any]) -> Expression:
        return Negation(parts[1])

    def operation(self, parts: list[Any]) -> Expression:
        return Operation(str(parts[1]), parts[0], parts[2])

    def choice(self, parts: list[Any]) -> Expression:
        return Choice(*parts)

    # Arguments.

    def mode(self, parts: list[Any]) -> tuple[Token, Mode]:
        word = re.sub(r"mode_|mode\s+", "", parts[0]).lower()
        return parts[0], Mode(word)

    def placement(self, parts: list[Any]) -> tuple[Token, Placement]:
        return parts[0], Placement(parts[0])

    def type_word(self, parts: list[Any]) -> tuple[Token, str]:
        return parts[0], str(parts[0])

    def distribution(self, parts: list[Any]) -> tuple[Token, Distribution]:
        first, *divisions, grid = parts
        return first, Distribution(tuple(divisions), grid or ())

    def grid(self, parts: list[Any]) -> tuple[Expression, ...]:
        return tuple(parts[1:])

    def undivided(self, parts: list[Any]) -> Division:
        del parts
        return Undivided()

    def divided(self, parts: list[Any]) -> Division:
        word, width = parts
        if word == "BLOCK":
            return Block(width)
        if word != "CYCLIC":
            self._report(word, f"expected BLOCK, CYCLIC or *, found '{word}'")
        return Cyclic() if width is None else Cyclic(width)

    def declared(self, parts: list[Any]) -> _Declarator:
        return _Declarator(str(parts[0]), self._at(parts[0]))

    def pointer(self, parts: list[Any]) -> _Declarator:
        declarator = parts[1]
        if declarator.dimensions:
            self._report(
                parts[0],
                f"{declarator.name} has a * and another dimension: write each size in brackets",
            )
        one = Dimension.whole(ONE)
        return replace(declarator, dimensions=(one,), is_pointer=True)

    def array(self, parts: list[Any]) -> _Declarator:
        declarator, bracket, dimension = parts
        if declarator.is_pointer:
            self._report(
                bracket,
                f"{declarator.name} has a * and another dimension: write each size in brackets",
            )
        if dimension is None:
            if declarator.dimensions:
                self._report(bracket, "only the first dimension may be empty, which means [1]")
            dimension = Dimension.whole(ONE)
        return replace(declarator, dimensions=(*declarator.dimensions, dimension))

    def extent(self, parts: list[Any]) -> Dimension:
        size, travelling = parts
        if travelling is None:
            return Dimension.whole(size)
        lower, upper, step = travelling
        # As in Ninf-G a 0 for the upper limit or the step means that there is none.
        return Dimension(
            size,
            lower,
            size if upper == ZERO else upper,
            ONE if step == ZERO else step,
        )

    def range(self, parts: list[Any]) -> tuple[Expression, Expression, Expression]:
        first, second, step = parts
        if second is None:
            return ZERO, first, ONE
        return first, second, ONE if step is None else step

    def value(self, parts: list[Any]) -> Parameter:
        *specifiers, declarator = parts
        found: dict[type, list[tuple[Token, Any]]] = {
            kind: [one for one in specifiers if isinstance(one[1], kind)]
            for kind in (Mode, Placement, Distribution)
        }
        for kind, what in (
            (Mode, "mode"), (Placement, "allocate or broadcast"), (Distribution, "distribution")
        ):  # fmt: skip
            for token, _ in found[kind][1:]:
                self._report(token, f"{declarator.name} has more than one {what}")
        if not found[Mode]:
            self._context.report(
                declarator.at,
                f"{declarator.name} has no mode: write IN, OUT, INOUT or WORK before its type",
            )
        return Parameter(
            declarator.name,
            found[Mode][0][1] if found[Mode] else Mode.IN,
            self._type([one for one in specifiers if type(one[1]) is str], declarator),
            declarator.dimensions,
            found[Distribution][0][1] if found[Distribution] else NOT_DISTRIBUTED,
            found[Placement][0][1] if found[Placement] else Placement.USUAL,
            declarator.at,
        )

    def _type(self, words: list[tuple[Token, Any]], declarator: _Declarator) -> ScalarType:
        if not words:
            self._context.report(declarator.at, f"{declarator.name} has no type")
            return _ANY_TYPE
        text = [word for _, word in words]
        found = type_of_words(text, self._context.long_bits)
        if found is None:
            self._report(words[0][0], f"there is no type '{' '.join(text)}'")
        return found or _ANY_TYPE

    def parameters(self, parts: list[Any]) -> tuple[Parameter | Callback, ...]:
        return tuple(one for one in parts if one is not None)

    def callback(self, parts: list[Any]) -> Callback:
        name, parameters = parts
        values = tuple(one for one in parameters if isinstance(one, Parameter))
        for inner in parameters:
            if isinstance(inner, Callback):
                self._context.report(inner.at, f"{name} is a callback: it cannot take another one")
        return Callback(str(name), values, self._at(name))

    def bare(self, parts: list[Any]) -> Parameter:
        self._report(parts[0], f"{parts[0]} has no type and no mode, as in: IN int {parts[0]}")
        return Parameter(str(parts[0]), Mode.IN, _ANY_TYPE, at=self._at(parts[0]))

    def signature(self, parts: list[Any]) -> tuple[Token, tuple[Parameter | Callback, ...]]:
        return parts[0], parts[1]

    # What stands between the arguments and the body.

    def string(self, token: Token) -> str:
        """The text without quotes and escapes."""

        def plain(found: re.Match[str]) -> str:
            if found[1] or found[2]:
                return chr(int(found[1], 8) if found[1] else int(found[2], 16))
            return _ESCAPED.get(found[3], found[3])

        if any("\udc80" <= one <= "\udcff" for one in token):
            self._report(token, "this text is not UTF-8: only comments may be in another encoding")
            return ""
        return _ESCAPE.sub(plain, token[1:-1])

    def text(self, parts: list[Any]) -> str:
        return self.string(parts[0])

    def required(self, parts: list[Any]) -> tuple[str, str]:
        return "required", self.string(parts[0])

    def backend(self, parts: list[Any]) -> tuple[str, Backend]:
        return "backend", self._one_of(parts[0], Backend, Backend.NORMAL)

    def language(self, parts: list[Any]) -> tuple[str, Language]:
        return "language", self._one_of(parts[0], Language, Language.C)

    def shrink(self, parts: list[Any]) -> tuple[str, bool]:
        answer = self.string(parts[0]).lower()
        if answer not in ("yes", "no"):
            self._report(parts[0], 'expected "yes" or "no" after Shrink')
        return "shrink", answer == "yes"

    def calc_order(self, parts: list[Any]) -> tuple[str, Expression]:
        return "calc_order", parts[0]

    def alias(self, parts: list[Any]) -> tuple[str, tuple[str, ...]]:
        return "alias", tuple(map(str, parts))

    def _one_of(self, token: Token, kind: type[EnumType], otherwise: EnumType) -> EnumType:
        """The member that the text names, in capitals or not."""
        name = self.string(token).lower()
        for member in kind:
            if member.value.lower() == name:
                return member
        expected = ", ".join(f'"{member.value}"' for member in kind)
        self._report(token, f"expected one of {expected}")
        return otherwise

    def about(self, parts: list[Any]) -> _About:
        text, *options = parts
        said: dict[str, list[Any]] = {}
        for kind, value in options:
            said.setdefault(kind, []).append(value)

        def last(kind: str, default: Any) -> Any:
            return said.get(kind, [default])[-1]

        return _About(
            text or "",
            Options(
                tuple(said.get("required", ())),
                last("backend", Backend.NORMAL),
                shrink=last("shrink", False),
            ),
            last("language", None),
            tuple(name for names in said.get("alias", ()) for name in names),
            last("calc_order", None),
        )

    # Bodies and statements.

    def c_body(self, parts: list[Any]) -> CBody:
        at = self._at(parts[0])
        code = self._context.bodies.get(at, "")
        if any("\ud800" <= one <= "\udfff" for one in code):
            self._report(parts[0], "this C body is not UTF-8")
            code = ""
        return CBody(code, self._context.line_of(at))

    def implementation(self, parts: list[Any]) -> CBody:
        return parts[0]

    def arguments(self, parts: list[Any]) -> tuple[Name, ...]:
        return tuple(Name(str(one), self._at(one)) for one in parts if one is not None)

    def calls(self, parts: list[Any]) -> _Called:
        language, target, arguments = parts
        called = _Called(None, target, arguments)
        if language is None:
            return called
        otherwise = Language.PYTHON if called.is_text else Language.C
        return replace(called, language=self._one_of(language, Language, otherwise))

    def define(self, parts: list[Any]) -> Statement:
        routine = self._routine(parts, None)
        return Statement("define", routine, routine.at)

    def method(self, parts: list[Any]) -> list[Any]:
        return parts  # It waits for the options of its class.

    def _routine(self, parts: list[Any], of_class: Language | None) -> Routine:
        """As in Ninf-G, Language decides the language of what is called, and what Calls says holds
        without it; the Language of a class holds for methods of which neither is said."""
        (name, parameters), about, implementation = parts
        language = about.language or of_class or Language.C
        if isinstance(implementation, _Called):
            called = about.language or implementation.language or language
            implementation = self._calls(implementation, parameters, called)
        return Routine(
            str(name), parameters, implementation, about.text, about.aliases,
            replace(about.options, language=language), about.calc_order, self._at(name),
        )  # fmt: skip

    def _calls(
        self, called: _Called, parameters: tuple[Parameter | Callback, ...], language: Language
    ) -> Calls:
        target = called.target
        if called.is_text and language is not Language.PYTHON:
            self._report(target, f"expected the name of a function in {language.value}")
        if not called.is_text and language is Language.PYTHON:
            self._report(target, 'expected a text such as "module:function"')
        arguments = called.arguments
        if arguments is None:
            arguments = tuple(Name(one.name, one.at) for one in parameters)
        name = self.string(target) if called.is_text else str(target)
        return Calls(language, name, arguments, self._at(target))

    def state(self, parts: list[Any]) -> CBody:
        return parts[0]

    def remote_class(self, parts: list[Any]) -> Statement:
        name, about, *members = parts
        at = self._at(name)
        if about.calc_order is not None or about.aliases:
            self._report(name, f"{name} is a class: CalcOrder and Alias are for its methods")
        states = tuple(one for one in members if isinstance(one, CBody))
        methods = tuple(
            self._routine(one, about.language) for one in members if not isinstance(one, CBody)
        )
        options = replace(about.options, language=about.language or Language.C)
        value = RemoteClass(str(name), methods, states, about.text, options, at)
        return Statement("remote_class", value, at)

    def globals(self, parts: list[Any]) -> Statement:
        return Statement("globals", parts[0], self._context.base)

    def module(self, parts: list[Any]) -> Statement:
        return Statement("module", str(parts[0]), self._at(parts[0]))

    def fortran_string_convention(self, parts: list[Any]) -> Statement:
        name = parts[0]
        for one in StringConvention:
            if one.value.lower() == name.lower():
                return Statement("fortran_string_convention", one, self._at(name))
        self._report(name, f"expected one of {', '.join(one.value for one in StringConvention)}")
        return Statement("fortran_string_convention", StringConvention.LAST, self._at(name))

    def __default__(self, data: Any, children: list[Any], meta: Any) -> Any:
        """The statements that hold one text; what else has no method of its own stays a tree."""
        if len(children) == 1 and isinstance(children[0], Token):
            return Statement(str(data), self.string(children[0]), self._at(children[0]))
        return Tree(data, children, meta)
