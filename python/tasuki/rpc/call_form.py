"""How a routine is called from Python: what a caller gives, may leave out, and gets back."""

import inspect
import keyword
from dataclasses import dataclass
from typing import Any

from tasuki.idl.model import Callback, Parameter, Routine

_OF_CALLS = ("out", "progress", "self")  # Names that mean something else to a call.


@dataclass(frozen=True)
class CallForm:
    """`needed` in the order in which they are given by place; `told` are sizes that the arrays
    tell; `sent` are both, in the order of the interface."""

    sent: tuple[Parameter | Callback, ...]
    needed: tuple[Parameter | Callback, ...]
    told: tuple[Parameter, ...]
    results: tuple[Parameter, ...]


def call_form(routine: Routine) -> CallForm:
    """Of the routine.

    Example: `solve(IN int64_t n, IN double A[n][n], IN double b[n], OUT double x[n])` needs A and
    b, is told n, and results in x.
    """
    sent, told = routine.given, routine.told_sizes
    return CallForm(
        sent,
        tuple(one for one in sent if one.name not in told),
        tuple(one for one in sent if isinstance(one, Parameter) and one.name in told),
        routine.results,
    )


def type_text(parameter: Parameter | Callback) -> str:
    """Its type and shape: "float64[n, n]"; of a callback what it takes."""
    if isinstance(parameter, Callback):
        return f"function({', '.join(one.name for one in parameter.parameters)})"
    if parameter.is_scalar:
        return parameter.type.wire
    sizes = ", ".join(str(dimension.size) for dimension in parameter.dimensions)
    return f"{parameter.type.wire}[{sizes}]"


def python_name(parameter: Parameter | Callback) -> str:
    """The name as Python can write it: if it is no name there, `_` follows it and replaces `$`."""
    return parameter.name if _is_name(parameter) else f"{parameter.name.replace('$', '_')}_"


def by_place_count(parameters: tuple[Parameter | Callback, ...]) -> int:
    """How many of them, from the first on, can only be given by place: names that Python
    cannot write or that mean something else to a call, and all before them."""
    others = (index for index, one in enumerate(parameters) if not _is_name(one))
    return 1 + max(others, default=-1)


def _is_name(parameter: Parameter | Callback) -> bool:
    name = parameter.name
    return name.isidentifier() and not keyword.iskeyword(name) and name not in _OF_CALLS


class _Text:
    """What `inspect` shows as it is, without the quotation marks of a string."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Text) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


TOLD = _Text("<as the arrays tell>")


def signature_of(routine: Routine) -> inspect.Signature:
    """What editors and `inspect.signature` show.

    Example: (A: float64[n, n], b: float64[n], *, n: int64 = <as the arrays tell>, out=None,
    progress=None) -> float64[n]
    """
    form = call_form(routine)
    by_place = by_place_count(form.needed)
    kinds: list[Any] = [inspect.Parameter.POSITIONAL_ONLY] * by_place
    kinds += [inspect.Parameter.POSITIONAL_OR_KEYWORD] * (len(form.needed) - by_place)
    parameters = [
        inspect.Parameter(python_name(one), kind, annotation=_Text(type_text(one)))
        for one, kind in zip(form.needed, kinds, strict=True)
    ]
    keyword_only: Any = inspect.Parameter.KEYWORD_ONLY
    parameters += [
        inspect.Parameter(one.name, keyword_only, default=TOLD, annotation=_Text(type_text(one)))
        for one in form.told
        if _is_name(one)
    ]
    parameters += [
        inspect.Parameter(name, keyword_only, default=None) for name in ("out", "progress")
    ]
    results = [type_text(one) for one in form.results]
    given = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return inspect.Signature(parameters, return_annotation=_Text(given))
