"""The arguments of a call: what the caller gives, completed and checked against the interface."""

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tasuki.idl.errors import EvaluationError
from tasuki.idl.expression import Name
from tasuki.idl.model import Dimension, Mode, Parameter, Routine
from tasuki.idl.shapes import integers_of, require_shape, shape_of_array
from tasuki.rpc.errors import ArgumentError
from tasuki.rpc.remote_array import RemoteArray

CallArray = np.ndarray | RemoteArray

_TOO_HARD = getattr(np, "exceptions", np).TooHardError  # NumPy 2 has moved it.
SENT = (Mode.IN, Mode.INOUT)
RETURNED = (Mode.OUT, Mode.INOUT)


@dataclass(frozen=True)
class Arguments:
    """All scalars, one array for each array parameter in order, and those among them to return."""

    scalars: dict[str, Any]
    arrays: tuple[CallArray, ...]
    results: tuple[CallArray, ...]


def arguments_of(
    routine: Routine,
    positional: Sequence[Any],
    named: Mapping[str, Any],
    out: Mapping[str, CallArray],
) -> Arguments:
    """The call's arguments, from those of the caller.

    A scalar that is the size of a given array may be left out; then positional arguments are the
    others. Results go to the arrays of `out`, by name, or to new ones.
    Errors: ArgumentError names the argument, and the shape that it must have.
    """
    given = _by_name(routine, positional, named)
    _require_results(routine, out)
    arrays = {
        one.name: _as_array(routine, one, given[one.name])
        for one in routine.values
        if one.name in given and not one.is_scalar
    }
    scalars = {one.name: _scalar(routine, one, given, arrays) for one in _scalars(routine)}
    try:
        integers = integers_of(routine, scalars)
        complete = tuple(
            _complete(routine, one, arrays.get(one.name), out.get(one.name), integers)
            for one in routine.values
            if not one.is_scalar
        )
    except EvaluationError as fault:
        raise _refusal(routine, str(fault), "give arrays of that shape") from None
    parameters = [one for one in routine.values if not one.is_scalar]
    _require_apart(routine, parameters, complete)
    pairs = zip(parameters, complete, strict=True)
    results = (array for one, array in pairs if one.mode in RETURNED)
    return Arguments({k: _as_json(v) for k, v in scalars.items()}, complete, tuple(results))


def scalars_of_one(routine: Routine, parameter: Parameter, array: np.ndarray) -> dict[str, Any]:
    """Scalars by which the parameter has the shape of the array; zeros where it does not matter.

    Errors: ArgumentError if no scalars make such a shape.
    """
    arrays = {parameter.name: array}
    values: dict[str, Any] = {}
    for one in _scalars(routine):
        try:
            values[one.name] = _scalar(routine, one, {}, arrays)
        except ArgumentError:
            values[one.name] = 0j if one.type.wire.startswith("complex") else 0
    whole = tuple(Dimension.whole(one.size) for one in parameter.dimensions)
    try:
        # Of an array that is put all elements travel.
        require_shape(
            replace(parameter, dimensions=whole), array.shape, integers_of(routine, values)
        )
    except EvaluationError as fault:
        raise _refusal(routine, str(fault), "give an array of that shape") from None
    return {name: _as_json(value) for name, value in values.items()}


def array_for(routine: Routine, parameter: Parameter, value: Any) -> np.ndarray:
    """The value as an array of the parameter's type; no copy if it is one.

    Errors: ArgumentError if that would change values.
    """
    wanted = np.dtype(parameter.type.wire)
    try:
        array = np.asarray(value)
    except ValueError as fault:
        raise _refusal(routine, f"{parameter.name} is no array: {fault}", "give one") from None
    if array.dtype == wanted:
        return array
    if not np.can_cast(array.dtype, wanted, "same_kind" if array.dtype.kind != "f" else "safe"):
        raise _refusal(
            routine,
            f"{parameter.name} must be of {wanted}, and is of {array.dtype}",
            f"convert it: {parameter.name}.astype('{wanted}')",
        )
    return array.astype(wanted)


def _refusal(routine: Routine, happened: str, remedy: str) -> ArgumentError:
    return ArgumentError(f"call {routine.name}", happened, remedy)


def _require_results(routine: Routine, out: Any) -> None:
    if not isinstance(out, Mapping):
        raise _refusal(routine, "out is no dictionary", "give arrays by the names of results")
    names = [one.name for one in routine.values if one.mode in RETURNED]
    for name in out:
        if name not in names:
            raise _refusal(routine, f"there is no result {name}", f"it has {', '.join(names)}")


def _require_apart(
    routine: Routine, parameters: Sequence[Parameter], arrays: Sequence[CallArray]
) -> None:
    """What comes back may overwrite nothing that is still to be sent, nor another result."""
    local = [
        (one, array)
        for one, array in zip(parameters, arrays, strict=True)
        if isinstance(array, np.ndarray)
    ]
    for one, array in local:
        for other, another in local:
            if one.mode in RETURNED and other is not one and _overlap(array, another):
                raise _refusal(
                    routine,
                    f"the array for {one.name} overlaps that of {other.name}",
                    "give another array, or a copy",
                )


def _overlap(array: np.ndarray, other: np.ndarray) -> bool:
    if not np.may_share_memory(array, other):
        return False
    try:
        return np.shares_memory(array, other, max_work=10_000)
    except _TOO_HARD:
        return True


def _scalars(routine: Routine) -> list[Parameter]:
    return [one for one in routine.values if one.is_scalar]


def _by_name(
    routine: Routine, positional: Sequence[Any], named: Mapping[str, Any]
) -> dict[str, Any]:
    sent = [one for one in routine.values if one.mode in SENT]
    known = [one.name for one in sent]
    for name in named:
        if name not in known:
            raise _refusal(routine, f"there is no argument {name}", f"it has {', '.join(known)}")
    sizes = names_of_sizes(sent)
    unnamed = [one for one in sent if one.name not in named]
    candidates = [unnamed, [one for one in unnamed if one.name not in sizes]]
    for parameters in candidates:
        if len(parameters) == len(positional):
            pairs = zip(parameters, positional, strict=True)
            return {**{one.name: value for one, value in pairs}, **named}
    wanted = ", ".join(one.name for one in candidates[1])
    raise _refusal(routine, f"{len(positional)} arguments were given", f"give {wanted}")


def names_of_sizes(sent: Sequence[Parameter]) -> set[str]:
    """Of the scalars that the shape of a sent array tells."""
    sizes = (dimension.size for one in sent for dimension in one.dimensions)
    return {size.name for size in sizes if isinstance(size, Name)}


def _as_array(routine: Routine, parameter: Parameter, value: Any) -> CallArray:
    """The value as an array of the parameter's type; no copy if it is one and only read."""
    if isinstance(value, RemoteArray):
        return value
    array = array_for(routine, parameter, value)
    return array.copy() if array is value and parameter.mode is Mode.INOUT else array


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
    raise _refusal(
        routine, f"{parameter.name} is missing", "give it, or arrays with the right dimensions"
    )


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
            require_shape(parameter, one.shape, integers)
            return one
    if parameter.mode in SENT and given is not None:
        require_shape(parameter, given.shape, integers)
        if parameter.mode is Mode.IN or out is None:
            return given
    wanted = np.dtype(parameter.type.wire)
    if out is None:
        return np.zeros(shape_of_array(parameter, integers).sizes, wanted)
    if not isinstance(out, np.ndarray) or out.dtype != wanted or not out.flags.writeable:
        raise _refusal(
            routine, f"out {parameter.name} is no writable array of {wanted}", "give one"
        )
    require_shape(parameter, out.shape, integers)
    if given is not None:
        out[...] = given
    return out


def _as_json(value: Any) -> Any:
    if isinstance(value, complex | np.complexfloating):
        return [_real(value.real), _real(value.imag)]
    if isinstance(value, float | np.floating):
        return _real(value)
    return operator.index(value)


def _real(value: Any) -> float | str:
    """JSON has no numbers that are not finite: their names stand for them."""
    number = float(value)
    return number if math.isfinite(number) else str(number)
