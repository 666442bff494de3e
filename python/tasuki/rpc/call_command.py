"""The work of `tasuki call`: texts to arguments, a call, and its results to tables or files."""

import functools
import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tasuki.base.errors import CommandError, usage_error
from tasuki.idl.model import Callback, Parameter, Routine
from tasuki.output.report import Row, envelope, print_json, print_table, result
from tasuki.rpc.arguments import arguments_by_name
from tasuki.rpc.client import connect, find_routine
from tasuki.rpc.errors import ArgumentError, CallError
from tasuki.rpc.remote_object import RemoteMethod
from tasuki.rpc.remote_routine import RemoteRoutine

_SHOWN_ROWS = 20  # Of a table; of more, the middle is left out.
_SHOWN_COLUMNS = 6
_DIGITS = 6  # Of a number in a table with several columns.
_ALL_DIGITS = 16
_NOT_FINITE = re.compile(r'(?<!["\w])(-?inf|nan)(?!["\w])')
_NAMED = re.compile(r"([A-Za-z_$][\w$]*)=(.*)", re.DOTALL)


def call(
    url: str,
    name: str,
    texts: Sequence[str],
    outputs: Sequence[str],
    as_json: bool = False,
    token_file: Path | None = None,
    ca_file: Path | None = None,
    mode: str | None = None,
    wire: str | None = None,
) -> None:
    """Calls routine `name` ("linpack.solve") and shows what it gives back.

    Each text is a value or `@FILE.npy`, by its place or as `NAME=...`; outputs are `NAME=FILE.npy`.
    `mode` and `wire` are those of `tasuki.connect`.
    Errors: CommandError, with exit code 2 if the command line is wrong.
    """
    try:
        server = connect(url, mode, wire, token_file=token_file, ca_file=ca_file)
        routine = find_routine(server, name)
        _require_callable(name, routine)
        files = _files(routine, outputs)
        positional, named = _arguments(routine.interface, texts)
        results = _by_name(routine, routine(*positional, **named))
    except ArgumentError as fault:
        raise usage_error(fault.operation, fault.happened, fault.remedy) from None
    except CallError as fault:
        raise CommandError(fault.operation, fault.happened, fault.remedy) from None
    for result_name, file in files.items():
        _write(file, results[result_name])
    if as_json:
        rows = [_row(one, array, files.get(one)) for one, array in results.items()]
        rows.append(result("report", None, "", kind="report", report=routine.report))
        print_json(envelope("call", rows, ranks=None, transport=None))
    else:
        _show({one: array for one, array in results.items() if one not in files})


def _require_callable(name: str, routine: RemoteRoutine) -> None:
    """Errors: CommandError if a shell cannot give what it needs."""
    functions = [one.name for one in routine.interface.parameters if isinstance(one, Callback)]
    if functions:
        raise usage_error(
            f"call {name}",
            f"{' and '.join(functions)} is a function of the client, which a shell has not",
            "call it from a program, in Python, C or C++",
        )
    if isinstance(routine, RemoteMethod):
        raise usage_error(
            f"call {name}", "it is a method, and a shell has no object of its class",
            "call it from a program, in Python, C or C++",
        )  # fmt: skip


def _arguments(routine: Routine, texts: Sequence[str]) -> tuple[list[Any], dict[str, Any]]:
    """The positional arguments, and those with names, as their types say."""
    positional: list[str] = []
    named: dict[str, str] = {}
    for text in texts:
        found = _NAMED.fullmatch(text)
        if found is None:
            positional.append(text)
        elif found[1] in named:
            raise usage_error("call", f"{found[1]} is given twice", "give it once")
        else:
            named[found[1]] = found[2]
    by_name = arguments_by_name(routine, positional, named)
    kinds = {one.name: one for one in routine.values}
    values = {name: _argument(kinds[name], text) for name, text in by_name.items()}
    with_names = {name: values.pop(name) for name in named}
    return list(values.values()), with_names


def _argument(parameter: Parameter, text: str) -> Any:
    if parameter.type.is_number:
        return _value(parameter.name, text)
    if not parameter.dimensions:
        return text
    try:
        texts = json.loads(text)
    except ValueError as fault:
        happened = f"{parameter.name}: {text} is no list: {fault}"
        raise usage_error("call", happened, 'as in ["a", "b"]') from None
    return texts


def _value(name: str, text: str) -> Any:
    """A number, a list of numbers, or the array of a file, for the argument `name`."""
    if text.startswith("@"):
        return _load(Path(text[1:]))
    number = functools.partial(_float, name)
    if text.startswith("["):
        try:
            return _with_numbers(json.loads(_NOT_FINITE.sub(r'"\1"', text), parse_float=number))
        except ValueError as fault:
            raise usage_error(
                "call", f"{name}: {text} is no list: {fault}", "as in [[1, 2], [3, 4]]"
            ) from None
    for kind in (int, number, complex):
        try:
            return kind(text)
        except ValueError:
            continue
    raise usage_error(
        "call", f"{name}: {text!r} is no number", "give a number, a list as in [1, 2], or @FILE.npy"
    )


def _float(name: str, text: str) -> float:
    value = float(text)
    if math.isinf(value) and any(one.isdigit() for one in text):
        raise usage_error(
            "call", f"{name}: no float64 is as large as {text}", "give a smaller number"
        )
    return value


def _with_numbers(value: Any) -> Any:
    """The list with numbers for "nan", "inf" and "-inf", as --json prints those."""
    if isinstance(value, list):
        return [_with_numbers(one) for one in value]
    return float(value) if value in ("nan", "inf", "-inf") else value


def _load(file: Path) -> np.ndarray:
    """The array of the file, which is read only as it is sent."""
    try:
        try:
            array = np.load(file, mmap_mode="r", allow_pickle=False)
        except ValueError:  # Nothing of no bytes can be mapped.
            array = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError) as fault:
        happened = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
        raise usage_error(
            "call", f"{file} is no array: {happened}", "write it with numpy.save"
        ) from None
    if not isinstance(array, np.ndarray):
        raise usage_error("call", f"{file} has several arrays", "write each with numpy.save")
    return array


def _files(routine: RemoteRoutine, outputs: Sequence[str]) -> dict[str, Path]:
    """Where results are to be written, which is possible as far as can be known before the call."""
    results = _result_names(routine)
    files: dict[str, Path] = {}
    for text in outputs:
        name, _, path = text.partition("=")
        if name not in results or not path:
            raise usage_error(
                "call",
                f"-o {text} names no result and its file",
                f"as in {', '.join(f'-o {one}={one}.npy' for one in results) or 'a call without'}",
            )
        files[name] = Path(path)
        if not os.access(files[name].parent, os.W_OK) or files[name].is_dir():
            raise usage_error("call", f"{path} cannot be written", "give a file in your folders")
    return files


def _write(file: Path, array: np.ndarray) -> None:
    with file.open("wb") as stream:
        np.save(stream, array, allow_pickle=False)


def _result_names(routine: RemoteRoutine) -> list[str]:
    return [one.name for one in routine.interface.results]


def _by_name(routine: RemoteRoutine, returned: Any) -> dict[str, np.ndarray]:
    names = _result_names(routine)
    arrays = (returned,) if len(names) == 1 else returned
    # Texts are shown like arrays of them.
    return {name: np.asarray(one) for name, one in zip(names, arrays, strict=True)}


def _row(name: str, array: np.ndarray, file: Path | None) -> Row:
    """The result in JSON: its elements, unless they are in a file."""
    elements = None if file is not None else _as_json(array.tolist())
    value = _as_json(array.item()) if array.size == 1 and array.dtype.kind != "c" else None
    return result(
        name,
        value,
        "",
        kind="result",
        dtype=str(array.dtype),
        shape=list(array.shape),
        elements=elements,
        file=None if file is None else str(file),
    )


def _as_json(value: Any) -> Any:
    """Complex numbers are two numbers; those that are not finite are texts."""
    if isinstance(value, list):
        return [_as_json(one) for one in value]
    if isinstance(value, complex):
        return [_as_json(value.real), _as_json(value.imag)]
    return value if not isinstance(value, float) or np.isfinite(value) else str(value)


def _show(results: Mapping[str, np.ndarray]) -> None:
    single = {name: array for name, array in results.items() if array.size == 1}
    if single:
        rows = [(name, _text(array.item(), _ALL_DIGITS)) for name, array in single.items()]
        print_table("Results", ("name", "value"), rows)
    for name, array in results.items():
        if name in single:
            continue
        title = f"{name}: {array.dtype} of shape {array.shape}"
        if array.size == 0 or array.ndim > 2:
            print(title)
            print(np.array2string(array, max_line_width=100, threshold=_SHOWN_ROWS**2))
        elif array.ndim == 1:
            indices = _shown(len(array), _SHOWN_ROWS)
            lines = [(_index(i), _element(array, i)) for i in indices]
            print_table(title, ("index", "value"), lines)
        else:
            _show_matrix(title, array)


def _show_matrix(title: str, matrix: np.ndarray) -> None:
    columns = _shown(matrix.shape[1], _SHOWN_COLUMNS)
    lines = [
        (_index(i), *(_element(matrix, i, j) for j in columns))
        for i in _shown(len(matrix), _SHOWN_ROWS)
    ]
    print_table(title, ("index", *map(_index, columns)), lines)


def _shown(count: int, most: int) -> list[int | None]:
    """The indices to be shown; None stands for those that are left out."""
    if count <= most:
        return list(range(count))
    return [*range(most // 2), None, *range(count - most // 2, count)]


def _index(index: int | None) -> str:
    return "..." if index is None else str(index)


def _element(array: np.ndarray, *indices: int | None) -> str:
    if None in indices:
        return "..."
    return _text(array[indices].item(), _DIGITS if len(indices) > 1 else _ALL_DIGITS)


def _text(value: Any, digits: int) -> str:
    return str(value) if isinstance(value, int | str) else f"{value:.{digits}g}"
