"""The arguments of a call: what the caller gives, completed and checked against the interface."""

import math
import operator
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tasuki.idl.errors import EvaluationError
from tasuki.idl.expression import Name, names_in
from tasuki.idl.model import Callback, Dimension, Mode, Parameter, Routine
from tasuki.idl.shapes import integers_of, require_shape, shape_of_array
from tasuki.rpc.errors import ArgumentError
from tasuki.rpc.given_array import Wanted, array_to_fill, array_to_send
from tasuki.rpc.named_values import (
    Function,
    TextResult,
    functions_of,
    text_arrays_of,
    texts_of,
)
from tasuki.rpc.remote_array import RemoteArray

CallArray = np.ndarray | RemoteArray

_TOO_HARD = getattr(np, "exceptions", np).TooHardError  # NumPy 2 has moved it.
# What it may take to find out whether arrays overlap. NumPy's annotations allow two values alone.
_WORK_MOST: Any = 10_000


@dataclass(frozen=True)
class Arguments:
    """All scalars with texts and names of files, one array for each array parameter in order, what
    the call returns (arrays among these, what the caller has given for them, or a TextResult), and
    the functions for callbacks."""

    scalars: dict[str, Any]
    arrays: tuple[CallArray, ...]
    results: tuple[Any, ...]
    functions: Mapping[str, Function]

    @property
    def has_texts(self) -> bool:
        """Are there texts among the results?"""
        return any(isinstance(one, TextResult) for one in self.results)

    def complete_results(self, texts: Mapping[str, list[str]]) -> tuple[Any, ...]:
        """The results, with the texts that have come back."""
        return tuple(
            one.among(texts) if isinstance(one, TextResult) else one for one in self.results
        )


def arguments_of(
    routine: Routine,
    positional: Sequence[Any],
    named: Mapping[str, Any],
    out: Any,
) -> Arguments:
    """The call's arguments, from those of the caller.

    A scalar that is the size of a given array may be left out; then positional arguments are the
    others. Results go to the arrays of `out`, by name, or to new ones; `out` may be the array
    itself where there is but one result.
    Errors: ArgumentError names the argument, and the shape that it must have.
    """
    given = arguments_by_name(routine, positional, named)
    out = _results_by_name(routine, out)
    arrays = {
        one.name: _as_array(routine, one, given[one.name])
        for one in routine.arrays
        if one.name in given
    }
    told_by = {**arrays, **text_arrays_of(routine, given)}
    scalars = {one.name: _scalar(routine, one, given, told_by) for one in routine.scalars}
    integers = _integers(routine, scalars)
    complete: list[CallArray] = []
    for one in routine.arrays:
        try:
            array = _complete(routine, one, arrays.get(one.name), out.get(one.name), integers)
        except EvaluationError as fault:
            remedy = _remedy(routine, one, given, integers)
            raise _refusal(routine, str(fault), remedy) from None
        complete.append(array)
    _require_apart(routine, complete)
    by_parameter = {one.name: array for one, array in zip(routine.arrays, complete, strict=True)}
    results = (
        TextResult(one) if one.type.wire == "text" else out.get(one.name, by_parameter[one.name])
        for one in routine.results
    )
    named_values = {**_as_json(routine, scalars), **texts_of(routine, given)}
    functions = functions_of(routine, given)
    return Arguments(named_values, tuple(complete), tuple(results), functions)


def scalars_of_one(routine: Routine, parameter: Parameter, array: np.ndarray) -> dict[str, Any]:
    """Scalars by which the parameter has the shape of the array; zeros where it does not matter.

    Errors: ArgumentError if no scalars make such a shape.
    """
    arrays = {parameter.name: array}
    values: dict[str, Any] = {}
    for one in routine.scalars:
        try:
            values[one.name] = _scalar(routine, one, {}, arrays)
        except ArgumentError:
            values[one.name] = 0
    whole = tuple(Dimension.whole(one.size) for one in parameter.dimensions)
    try:
        # Of an array that is put all elements travel.
        require_shape(
            replace(parameter, dimensions=whole), array.shape, integers_of(routine, values)
        )
    except EvaluationError as fault:
        raise _refusal(routine, str(fault), "give an array of that shape") from None
    return _as_json(routine, values)


def array_for(routine: Routine, parameter: Parameter, value: Any) -> np.ndarray:
    """The value as an array of the parameter's type; no copy if it is one.

    Errors: ArgumentError if that would change values.
    """
    return array_to_send(value, _wanted(routine, parameter.name, parameter))


def _wanted(routine: Routine, name: str, parameter: Parameter) -> Wanted:
    return Wanted(routine.name, name, np.dtype(parameter.type.wire))


def _refusal(routine: Routine, happened: str, remedy: str) -> ArgumentError:
    return ArgumentError(f"call {routine.name}", happened, remedy)


def _results_by_name(routine: Routine, out: Any) -> Mapping[str, Any]:
    names = [one.name for one in routine.numbers if one.mode.travels_to_client]
    if out is None:
        return {}
    if not isinstance(out, Mapping):
        if len(names) == 1:
            return {names[0]: out}
        raise _refusal(
            routine, f"out is no dictionary, and there are {len(names)} results",
            f"give out={{{', '.join(f'{name!r}: array' for name in names)}}}",
        )  # fmt: skip
    for name in out:
        if name not in names:
            known = ", ".join(names) or "none"
            raise _refusal(routine, f"there is no result {name}", f"its results are: {known}")
    return out


def _require_apart(routine: Routine, arrays: Sequence[CallArray]) -> None:
    """What comes back may overwrite nothing that is still to be sent, nor another result."""
    local = [
        (one, array)
        for one, array in zip(routine.arrays, arrays, strict=True)
        if isinstance(array, np.ndarray)
    ]
    for one, array in local:
        for other, another in local:
            if not one.mode.travels_to_client or other is one:
                continue
            overlaps = _overlap(array, another)
            if overlaps:
                raise _refusal(
                    routine,
                    f"the array for {one.name} {overlaps} that of {other.name}",
                    "give another array, or a copy",
                )


def _overlap(array: np.ndarray, other: np.ndarray) -> str:
    """What one does to the other; "" if they are apart. It may take too long to find out."""
    if not np.may_share_memory(array, other):
        return ""
    try:
        return "overlaps" if np.shares_memory(array, other, max_work=_WORK_MOST) else ""
    except _TOO_HARD:
        return "may overlap"


def arguments_by_name(
    routine: Routine, positional: Sequence[Any], named: Mapping[str, Any]
) -> dict[str, Any]:
    """What is given, by the names of the arguments. Errors: ArgumentError if it is too little, too
    much or misnamed."""
    for name in named:
        if all(one.name != name for one in routine.given):
            known = ", ".join(one.name for one in routine.given) or "none"
            raise _refusal(routine, f"there is no argument {name}", f"it has {known}")
    unnamed = [one for one in routine.given if one.name not in named]
    needed = [one for one in unnamed if one.name not in routine.told_sizes]
    for parameters in (unnamed, needed):
        if len(parameters) == len(positional):
            pairs = zip(parameters, positional, strict=True)
            return {**{one.name: value for one, value in pairs}, **named}
    raise _refusal(routine, *_wrong_count(len(positional), unnamed, needed, len(named)))


def _wrong_count(
    given_count: int,
    unnamed: Sequence[Parameter | Callback],
    needed: Sequence[Parameter | Callback],
    named_count: int,
) -> tuple[str, str]:
    """What happened, and the remedy, where arguments by position are too few or too many."""
    names = [one.name for one in needed]
    if given_count < len(names):
        missing = names[given_count:]
        return f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing", (
            f"give {', '.join(names)}"
        )
    sizes = [one.name for one in unnamed if one.name not in names]
    besides = " besides those with names" if named_count else ""
    takes = ", ".join(names) or "no arguments"
    with_sizes = f", or with {', '.join(sizes)} in the order of the interface" if sizes else ""
    return f"{given_count} arguments were given{besides}", (
        f"give {takes}{with_sizes}; results come back, or go to the arrays of out="
    )


def _as_array(routine: Routine, parameter: Parameter, value: Any) -> CallArray:
    return value if isinstance(value, RemoteArray) else array_for(routine, parameter, value)


def _scalar(
    routine: Routine,
    parameter: Parameter,
    given: Mapping[str, Any],
    arrays: Mapping[str, CallArray],
) -> Any:
    if parameter.name in given:
        return given[parameter.name]
    for one in routine.values:
        array = arrays.get(one.name)
        if array is None or len(array.shape) != len(one.dimensions):
            continue
        for dimension, extent in zip(one.dimensions, array.shape, strict=True):
            if dimension.size == Name(parameter.name):
                return extent
    for one in routine.numbers:
        if one.name in arrays and any(size.size == Name(parameter.name) for size in one.dimensions):
            sizes = ", ".join(str(dimension.size) for dimension in one.dimensions)
            raise _refusal(
                routine,
                f"{one.name} must have {len(one.dimensions)} dimensions of sizes {sizes}, and has"
                f" shape {tuple(arrays[one.name].shape)}",
                "give an array of that shape",
            )
    raise _refusal(routine, f"{parameter.name} is missing", f"give {parameter.name}=...")


def _complete(
    routine: Routine,
    parameter: Parameter,
    given: CallArray | None,
    out: CallArray | None,
    integers: Mapping[str, int],
) -> CallArray:
    """The array that the call uses: checked, or made for what only comes back."""
    if isinstance(given, RemoteArray) and out is not None:
        raise _refusal(
            routine, f"{parameter.name} is on the ranks and stays there", "leave out its out="
        )
    for one in (given, out):
        if isinstance(one, RemoteArray):
            if one.dtype != np.dtype(parameter.type.wire):
                raise _refusal(
                    routine,
                    f"{parameter.name} must be of {parameter.type.wire}, and is {one}",
                    "put an array of that type",
                )
            require_shape(parameter, one.shape, integers)
            return one
    if parameter.mode.travels_to_server and given is not None:
        require_shape(parameter, given.shape, integers)
        if parameter.mode is Mode.IN:
            return given
    assert not isinstance(given, RemoteArray)
    wanted = _wanted(routine, f"out {parameter.name}", parameter)
    if out is None:
        return _made(routine, parameter, given, integers)
    result = array_to_fill(out, wanted)
    require_shape(parameter, result.shape, integers)
    if given is not None:
        result[...] = given
    return result


def _remedy(
    routine: Routine,
    parameter: Parameter,
    given: Mapping[str, Any],
    integers: Mapping[str, int],
) -> str:
    """What to do about an array whose shape is wrong, or impossible with these integers."""
    try:
        shape_of_array(parameter, integers)
        return "give arrays of that shape"
    except EvaluationError:
        return _other_sizes(routine, parameter, given, integers)


def _other_sizes(
    routine: Routine,
    parameter: Parameter,
    given: Mapping[str, Any],
    integers: Mapping[str, int],
) -> str:
    """Which arguments to change so that the parameter has a shape."""
    written = [size for one in parameter.dimensions for size in one.expressions]
    for size in written:
        if isinstance(size, Name) and size.name in given and integers[size.name] < 0:
            return f"give {size.name} of at least 0"
    names = dict.fromkeys(name.name for size in written for name in names_in(size))
    changed = [one if one in given else _told_by(routine, one, given) for one in names]
    return f"give another {' or '.join(changed)}" if changed else "correct the interface file"


def _told_by(routine: Routine, name: str, given: Mapping[str, Any]) -> str:
    """The array whose shape tells a scalar that is not given."""
    array = next(
        one.name
        for one in routine.values
        if one.name in given and any(size.size == Name(name) for size in one.dimensions)
    )
    return f"{array}, whose shape tells {name}"


def _made(
    routine: Routine,
    parameter: Parameter,
    given: np.ndarray | None,
    integers: Mapping[str, int],
) -> np.ndarray:
    """A new array for what comes back; of what is given, a copy, as the caller's stays as it is."""
    sizes = shape_of_array(parameter, integers).sizes
    dtype = np.dtype(parameter.type.wire)
    try:
        return np.zeros(sizes, dtype) if given is None else np.array(given, dtype, order="C")
    except (MemoryError, ValueError):  # NumPy says ValueError if no address reaches so far.
        names = dict.fromkeys(
            name.name for one in parameter.dimensions for name in names_in(one.size)
        )
        raise _refusal(
            routine,
            f"there is no memory for {parameter.name} of shape {sizes}:"
            f" {math.prod(sizes) * dtype.itemsize} bytes",
            f"give a smaller {' or '.join(names)}, or an array of a file by out=numpy.memmap(...)",
        ) from None


def _integers(routine: Routine, scalars: Mapping[str, Any]) -> dict[str, int]:
    try:
        return integers_of(routine, scalars)
    except EvaluationError as fault:
        raise _refusal(routine, str(fault), "give an integer that its type holds") from None


def _as_json(routine: Routine, scalars: Mapping[str, Any]) -> dict[str, Any]:
    return {one.name: _scalar_as_json(routine, one, scalars[one.name]) for one in routine.scalars}


def _scalar_as_json(routine: Routine, parameter: Parameter, value: Any) -> Any:
    if parameter.type.is_integer:
        return operator.index(value)
    is_complex = parameter.type.wire.startswith("complex")
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        number = complex(value if is_complex else float(value))
    except (TypeError, ValueError, OverflowError):
        kind = "complex number" if is_complex else "number"
        raise _refusal(
            routine, f"{parameter.name} must be a {kind}, not {reprlib.repr(value)}", "give one"
        ) from None
    return [_real(number.real), _real(number.imag)] if is_complex else _real(number.real)


def _real(number: float) -> float | str:
    """JSON has no numbers that are not finite: their names stand for them."""
    return number if math.isfinite(number) else str(number)
