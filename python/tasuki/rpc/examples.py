"""Examples of a call that can be copied: lines of Python, and a line for a shell."""

import itertools
import keyword

import numpy as np

from tasuki.idl.errors import EvaluationError
from tasuki.idl.model import Parameter, Routine
from tasuki.idl.shapes import shape_of
from tasuki.rpc.arguments import RETURNED
from tasuki.rpc.call_form import call_form

_TRIED_SIZES = (4, 1, 2, 8, 0)
_TRIED_NAMES_MOST = 4  # Of sizes that are tried one by one.


def python_example(url: str, module: str, routine: Routine) -> str:
    """Lines that connect and call the routine with arrays that have the right shapes.

    Returns: "" if no small sizes make shapes of all arrays.
    """
    return _example(url, [], f"server.{module}", routine)


def method_example(url: str, module: str, owner: str, method: Routine) -> str:
    """The same for a method, with a line that makes an object."""
    variable = owner.lower() if owner.lower() not in ("server", "np", "tasuki") else "one"
    return _example(url, [f"{variable} = server.{module}.{owner}()"], variable, method)


def _example(url: str, before: list[str], called_on: str, routine: Routine) -> str:
    sizes = _sizes(routine)
    if sizes is None:
        return ""
    lines = ["import numpy as np, tasuki", f'server = tasuki.connect("{url}")', *before]
    shapes = shape_of(routine, sizes)
    given = call_form(routine).needed
    for one in given:
        if not one.is_scalar:
            lines.append(f"{_variable(one)} = {_array(one, shapes[one.name].sizes)}")
    texts = [_scalar(one, sizes) if one.is_scalar else _variable(one) for one in given]
    results = ", ".join(_variable(one) for one in routine.values if one.mode in RETURNED)
    assignment = f"{results} = " if results else ""
    lines.append(f"{assignment}{called_on}.{routine.name}({', '.join(texts)})")
    return "\n".join(lines)


def shell_example(url: str, module: str, routine: Routine) -> str:
    """A line that calls the routine with arrays of files, and writes its results to files."""
    sizes = _sizes(routine) or {}
    words = [
        f"{one.name}={_scalar(one, sizes)}" if one.is_scalar else f"{one.name}=@{one.name}.npy"
        for one in call_form(routine).needed
    ]
    outputs = [f"-o {one.name}={one.name}.npy" for one in routine.values if one.mode in RETURNED]
    return " ".join(["tasuki call", url, f"{module}.{routine.name}", *words, *outputs])


def _sizes(routine: Routine) -> dict[str, int] | None:
    """Small values of all integers with which each array has a shape, or None."""
    names = [one.name for one in routine.values if one.is_scalar and one.type.is_integer]
    alike = ((size,) * len(names) for size in _TRIED_SIZES)
    is_few = len(names) <= _TRIED_NAMES_MOST
    different = itertools.product(_TRIED_SIZES, repeat=len(names)) if is_few else ()
    for values in itertools.chain(alike, different):
        sizes = dict(zip(names, values, strict=True))
        try:
            shape_of(routine, sizes)
        except EvaluationError:
            continue
        return sizes
    return None


def _variable(parameter: Parameter) -> str:
    return f"{parameter.name}_" if keyword.iskeyword(parameter.name) else parameter.name


def _scalar(parameter: Parameter, sizes: dict[str, int]) -> str:
    if parameter.type.is_integer:
        return str(sizes.get(parameter.name, _TRIED_SIZES[0]))
    return "1.0"


def _array(parameter: Parameter, shape: tuple[int, ...]) -> str:
    dtype = np.dtype(parameter.type.wire)
    if dtype.kind == "f":
        random = f"np.random.rand({', '.join(map(str, shape))})"
        return random if dtype == np.float64 else f'{random}.astype("{dtype}")'
    return f'np.ones({shape}, "{dtype}")'
