"""Python objects as bytes: by pickle where it can, else by cloudpickle.

Every rank runs the same program. So a function that the program or a module has under a name
travels as that name, also one of `__main__`. Any other, such as a lambda, travels as its code and
what it has captured; the globals that it names are those of the rank where it runs.
"""

import importlib
import io
import marshal
import pickle
import sys
from types import CellType, FunctionType
from typing import Any

import cloudpickle  # type: ignore[import-untyped]

from tasuki.ranks import extension

PROTOCOL = 5
# What travels by name if it has one; functions of the extension module are of a type of their own.
_NAMED = (FunctionType, type, type(extension.rank))
# Stands for the content of a cell that a function has before the variable is assigned.
_EMPTY = "tasuki: an empty cell"


def dumps(value: object) -> bytes:
    """The bytes of `value`. Raises what pickling raises."""
    try:
        return pickle.dumps(value, PROTOCOL)
    except (pickle.PicklingError, AttributeError, TypeError):
        buffer = io.BytesIO()
        _Pickler(buffer, PROTOCOL).dump(value)
        return buffer.getvalue()


loads = pickle.loads


class _Pickler(cloudpickle.CloudPickler):  # type: ignore[misc]
    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, _NAMED) and _has_name(obj):
            return obj.__qualname__
        if isinstance(obj, FunctionType) and _is_of_module(obj):
            return _reduced(obj)
        return super().reducer_override(obj)


def _has_name(obj: Any) -> bool:
    """Is it found under its name in its module?"""
    found: Any = sys.modules.get(obj.__module__)
    for part in obj.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is obj


def _is_of_module(function: FunctionType) -> bool:
    module = sys.modules.get(function.__module__)
    return module is not None and function.__globals__ is module.__dict__


def _reduced(function: FunctionType) -> tuple[Any, ...]:
    """The function without its captures, which may refer to it, and what `_fill` needs."""
    cells = function.__closure__ or ()
    shell = (marshal.dumps(function.__code__), function.__module__, len(cells))
    state = (
        function.__name__,
        function.__qualname__,
        function.__defaults__,
        function.__kwdefaults__,
        function.__dict__,
        [_content(cell) for cell in cells],
    )
    return _shell, shell, state, None, None, _fill


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _EMPTY


def _shell(code: bytes, module: str, cell_count: int) -> FunctionType:
    cells = tuple(CellType() for _ in range(cell_count))
    return FunctionType(
        marshal.loads(code), importlib.import_module(module).__dict__, closure=cells
    )


def _fill(function: FunctionType, state: tuple[Any, ...]) -> None:
    name, qualified_name, defaults, keyword_defaults, attributes, contents = state
    function.__name__ = name
    function.__qualname__ = qualified_name
    function.__defaults__ = defaults
    function.__kwdefaults__ = keyword_defaults
    function.__dict__.update(attributes)
    for cell, content in zip(function.__closure__ or (), contents, strict=True):
        if not (isinstance(content, str) and content == _EMPTY):
            cell.cell_contents = content
