"""The shapes of a call's arrays, from its integers."""

import math
import operator
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tasuki.idl.errors import EvaluationError
from tasuki.idl.expression import INTEGER_MOST, evaluate
from tasuki.idl.model import Parameter, Routine
from tasuki.idl.types import ScalarType


@dataclass(frozen=True)
class ArrayShape:
    """`sizes` of an array in C's order, and which elements of each dimension travel."""

    sizes: tuple[int, ...]
    travelling: tuple[range, ...]

    @property
    def travelling_count(self) -> int:
        """How many elements travel."""
        return math.prod(map(len, self.travelling))


def shape_of(routine: Routine, scalars: Mapping[str, Any]) -> dict[str, ArrayShape]:
    """The shape of every array of the routine, by its name.

    `scalars` has the values of IN scalars; those that are no integers are not needed.
    Errors: EvaluationError names the array and what is wrong with its shape.
    Example: with `double A[n][n]`, `shape_of(routine, {"n": 3})["A"].sizes` is (3, 3).
    """
    values = integers_of(routine, scalars)
    return {one.name: shape_of_array(one, values) for one in routine.numbers if not one.is_scalar}


def integers_of(routine: Routine, scalars: Mapping[str, Any]) -> dict[str, int]:
    """Those of the routine's IN integers that are given, as Python's.

    Errors: EvaluationError if one is no integer, or none that its type holds.
    """
    wanted = (one for one in routine.values if one.is_scalar and one.type.is_integer)
    return {
        one.name: _integer(one.name, one.type, scalars[one.name])
        for one in wanted
        if one.name in scalars
    }


def _integer(name: str, scalar_type: ScalarType, value: Any) -> int:
    try:
        integer = operator.index(value)
    except TypeError:
        shown = getattr(value, "shape", None) or reprlib.repr(value)
        what = f"an array of shape {shown}" if isinstance(shown, tuple) else shown
        raise EvaluationError(f"{name} must be an integer, not {what}") from None
    bits = 8 * scalar_type.wire_bytes
    is_signed = scalar_type.wire.startswith("int")
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    if not least <= integer <= most:
        raise EvaluationError(
            f"{name} = {integer} does not fit into {scalar_type.name}, which travels as"
            f" {scalar_type.wire}: {least} to {most}"
        )
    return integer


def shape_of_array(parameter: Parameter, values: Mapping[str, int]) -> ArrayShape:
    """The shape of one array, which may belong to a callback; `values` as of `integers_of`.

    Errors: EvaluationError if a size is negative, a range lies outside its dimension, or the array
    has more bytes than 64 bits can count.
    """
    name = parameter.name
    sizes = tuple(evaluate(one.size, values, name) for one in parameter.dimensions)
    bytes_in_all = math.prod(sizes) * max(parameter.type.wire_bytes, 1)
    if any(size < 0 for size in sizes):
        raise EvaluationError(f"{_required(parameter, sizes)}, and no size may be negative")
    if bytes_in_all > INTEGER_MOST:
        raise EvaluationError(f"{_required(parameter, sizes)}, which no memory can hold")
    travelling = []
    for dimension, size in zip(parameter.dimensions, sizes, strict=True):
        lower, upper, step = (
            evaluate(one, values, name)
            for one in (dimension.lower, dimension.upper, dimension.step)
        )
        if not (0 <= lower <= upper <= size and step > 0):
            raise EvaluationError(
                f"{name}{dimension} is [{size}:{lower},{upper},{step}]: a range needs"
                " 0 <= lower <= upper <= size, and step > 0"
            )
        travelling.append(range(lower, upper, step))
    return ArrayShape(sizes, tuple(travelling))


def require_shape(
    parameter: Parameter, given: tuple[int, ...], values: Mapping[str, int]
) -> ArrayShape:
    """The array's shape; raises EvaluationError if `given`, that of the caller's, is another.

    Example of the error: "A must have shape (n, n) = (3, 3), and has (3, 4)".
    """
    shape = shape_of_array(parameter, values)
    if tuple(given) != shape.sizes:
        raise EvaluationError(f"{_required(parameter, shape.sizes)}, and has {tuple(given)}")
    return shape


def _required(parameter: Parameter, sizes: tuple[int, ...]) -> str:
    written = ", ".join(str(one.size) for one in parameter.dimensions)
    written = f"({written},)" if len(sizes) == 1 else f"({written})"
    equals = "" if written == str(sizes) else f" = {sizes}"
    return f"{parameter.name} must have shape {written}{equals}"
