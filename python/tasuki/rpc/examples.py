"""Examples of a call that can be copied: lines of Python, and a line for a shell."""

import itertools
import keyword
import math
import shlex

import numpy as np

from tasuki.idl.errors import EvaluationError
from tasuki.idl.expression import evaluate
from tasuki.idl.model import Callback, Parameter, Routine
from tasuki.idl.shapes import shape_of
from tasuki.rpc.call_form import call_form

_TRIED_SIZES = (4, 1, 2, 8, 0)
_TAKEN_NAMES = ("np", "server", "tasuki")
_TRIED_NAMES_MOST = 4  # Of sizes that are tried one by one.


def python_example(url: str, module: str, routine: Routine) -> str:
    """Lines that connect and call the routine with arrays that have the right shapes.

    Returns: "" if no small sizes make shapes of all arrays.
    """
    called = f"{_module(module)}.{routine.name}"
    if not _is_attribute(routine.name):
        called = f'{_module(module)}.routines["{routine.name}"]'
    return _example(url, [], called, routine)


def method_example(url: str, module: str, owner: str, method: Routine) -> str:
    """The same for a method, with a line that makes an object."""
    variable = _free(owner.lower())
    made = f"{variable} = {_attribute(_module(module), owner)}()"
    return _example(url, [made], _attribute(variable, method.name), method)


def _module(name: str) -> str:
    return f"server.{name}" if _is_attribute(name) else f'server.modules["{name}"]'


def _attribute(owner: str, name: str) -> str:
    return f"{owner}.{name}" if _is_attribute(name) else f'getattr({owner}, "{name}")'


def _is_attribute(name: str) -> bool:
    """Can Python write it behind a dot? Names of files need not be such."""
    return name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("__")


def _example(url: str, before: list[str], called: str, routine: Routine) -> str:
    sizes = example_sizes(routine)
    if sizes is None:
        return ""
    lines = ["import numpy as np, tasuki", f'server = tasuki.connect("{url}")', *before]
    shapes = shape_of(routine, sizes)
    given = call_form(routine).needed
    for one in given:
        if isinstance(one, Callback):
            lines += _function(one)
        elif one.type.is_number and not one.is_scalar:
            lines.append(f"{_variable(one)} = {_array(one, shapes[one.name].sizes)}")
    texts = [_argument(one, sizes) for one in given]
    results = ", ".join(_variable(one) for one in call_form(routine).results)
    assignment = f"{results} = " if results else ""
    lines.append(f"{assignment}{called}({', '.join(texts)})")
    return "\n".join(lines)


def shell_example(url: str, module: str, routine: Routine) -> str:
    """A line that calls the routine with arrays of files, and writes its results to files."""
    sizes = example_sizes(routine) or {}
    form = call_form(routine)
    if any(isinstance(one, Callback) for one in form.needed):
        return ""  # A shell has no functions that a routine could call.
    words = [
        shlex.quote(f"{one.name}=@{one.name}.npy")
        if one.type.is_number and not one.is_scalar
        else f"{shlex.quote(one.name)}={_argument(one, sizes)}"
        for one in form.needed
        if isinstance(one, Parameter)
    ]
    arrays = [one for one in form.results if one.type.is_number]
    outputs = [f"-o {shlex.quote(f'{one.name}={one.name}.npy')}" for one in arrays]
    called = shlex.quote(f"{module}.{routine.name}")
    return " ".join(["tasuki call", url, called, *words, *outputs])


def example_sizes(routine: Routine) -> dict[str, int] | None:
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


def _argument(parameter: Parameter | Callback, sizes: dict[str, int]) -> str:
    if isinstance(parameter, Callback) or (parameter.type.is_number and not parameter.is_scalar):
        return _variable(parameter)
    if not parameter.type.is_number:
        text = f"{parameter.name}.txt" if parameter.type.wire == "file" else "text"
        counts = (evaluate(one.size, sizes, parameter.name) for one in parameter.dimensions)
        return f'["{text}"] * {math.prod(counts)}' if parameter.dimensions else f'"{text}"'
    return example_scalar(parameter, sizes)


def _function(callback: Callback) -> list[str]:
    """Lines of a function that gives back the first element of what it gets."""
    names = ", ".join(map(_variable, callback.parameters))
    sent = [_variable(one) for one in callback.parameters if one.mode.travels_to_server]
    returned = [_variable(one) for one in callback.parameters if one.mode.travels_to_client]
    value = f"{sent[0]}.flat[0]" if sent else "1"
    lines = [f"    {one}[...] = {value}" for one in returned] or ["    pass"]
    return [f"def {_variable(callback)}({names}):", *lines]


def _variable(parameter: Parameter | Callback) -> str:
    return _free(parameter.name)


def _free(name: str) -> str:
    """The name, or a similar one if the example uses it otherwise, or Python has no such names."""
    name = name.replace("$", "_")
    return f"{name}_" if keyword.iskeyword(name) or name in _TAKEN_NAMES else name


def example_scalar(parameter: Parameter, sizes: dict[str, int]) -> str:
    """A value for a scalar, as Python and C write it."""
    if parameter.type.is_integer:
        return str(sizes.get(parameter.name, _TRIED_SIZES[0]))
    return "1.0"


def _array(parameter: Parameter, shape: tuple[int, ...]) -> str:
    dtype = np.dtype(parameter.type.wire)
    if dtype.kind == "f":
        random = f"np.random.rand({', '.join(map(str, shape))})"
        return random if dtype == np.float64 else f'{random}.astype("{dtype}")'
    return f'np.ones({shape}, "{dtype}")'
