"""What a call takes besides numbers: texts, names of files, and functions."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tasuki.idl.model import ONE, Callback, Parameter, Routine
from tasuki.rpc.errors import ArgumentError

Function = Callable[..., Any]


@dataclass(frozen=True)
class TextResult:
    """Stands for texts that come back with the report of the call."""

    parameter: Parameter

    def among(self, texts: Mapping[str, list[str]]) -> str | list[str]:
        """The text, or the list of texts."""
        found = texts[self.parameter.name]
        return found[0] if [one.size for one in self.parameter.dimensions] == [ONE] else found


def texts_of(routine: Routine, given: Mapping[str, Any]) -> dict[str, Any]:
    """Texts and names of files among what is given. Errors: ArgumentError names the argument."""
    found: dict[str, Any] = {}
    for one in routine.values:
        if one.type.is_number or one.name not in given:
            continue
        value = given[one.name]
        if one.type.wire == "file":
            found[one.name] = _file_name(routine, one, value)
        elif not one.dimensions:
            found[one.name] = _text(routine, one, value)
        else:
            values = [value] if isinstance(value, str) else list(value)
            found[one.name] = [_text(routine, one, each) for each in values]
    return found


def text_arrays_of(routine: Routine, given: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Texts that are given for arrays of them, for what their number tells."""
    return {
        one.name: np.array(
            [given[one.name]] if isinstance(given[one.name], str) else given[one.name]
        )
        for one in routine.values
        if one.type.wire == "text" and one.dimensions and one.name in given
    }


def _text(routine: Routine, parameter: Parameter, value: Any) -> str:
    if not isinstance(value, str):
        raise ArgumentError(
            f"call {routine.name}", f"{parameter.name} must be a text, not {type(value).__name__}",
            "give a str",
        )  # fmt: skip
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ArgumentError(
            f"call {routine.name}", f"{parameter.name} is no text that UTF-8 can hold",
            "give a str without surrogates",
        ) from None  # fmt: skip
    return value


def _file_name(routine: Routine, parameter: Parameter, value: Any) -> str:
    try:
        return os.fsdecode(value)
    except TypeError:
        raise ArgumentError(
            f"call {routine.name}",
            f"{parameter.name} must be the name of a file, not {type(value).__name__}",
            "give a str or a path",
        ) from None


def functions_of(routine: Routine, given: Mapping[str, Any]) -> dict[str, Function]:
    """The functions for the routine's callbacks. Errors: ArgumentError if one cannot be called."""
    functions = {}
    for one in routine.parameters:
        if not isinstance(one, Callback):
            continue
        function = given[one.name]
        if not callable(function):
            raise ArgumentError(
                f"call {routine.name}",
                f"{one.name} must be a function, not {type(function).__name__}", "give one",
            )  # fmt: skip
        functions[one.name] = function
    return functions
