"""Type stubs of a server's routines, by which editors and type checkers know them."""

import keyword
from collections.abc import Mapping, Sequence

from tasuki.idl.model import (
    FIRST_METHOD,
    LAST_METHOD,
    ONE,
    Callback,
    Module,
    Parameter,
    RemoteClass,
    Routine,
)
from tasuki.rpc.call_form import by_place_count, call_form, python_name

STUB_NAME = "tasuki_routines"
_HEAD = '''"""{title}

For type checkers and editors alone:

    from typing import TYPE_CHECKING
    if TYPE_CHECKING:
        from {module} import Server
    server: "Server" = tasuki.connect("{url}")
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, SupportsComplex, SupportsFloat, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from tasuki.rpc.client import Server as AnyServer
from tasuki.rpc.job import Job
from tasuki.rpc.progress_bar import Wish
from tasuki.rpc.remote_array import RemoteArray
from tasuki.rpc.remote_module import RemoteModule
from tasuki.rpc.remote_object import RemoteClass, RemoteMethod, RemoteObject
from tasuki.rpc.remote_routine import RemoteParameter, RemoteRoutine
'''
# Attributes of RemoteRoutine that arrays of the same name cannot hide.
_TAKEN = (
    "description",
    "expected_s",
    "interface",
    "report",
    "signature",
    "submit",
    "python_example",
    "shell_example",
)


def stub_of(url: str, title: str, modules: Mapping[str, Module]) -> str:
    """The stub of a server with these modules, by the names that it serves them by.

    Routines that Python cannot write as attributes, because they have the name of a keyword, are
    left out.
    """
    parts = [_HEAD.format(title=title, module=STUB_NAME, url=url)]
    attributes: list[str] = []
    for name, module in modules.items():
        if _can_write(name):
            owner = _class_name(name)
            parts.append(_module(owner, module))
            attributes.append(f"    {name}: {owner}")
    parts.append("\n".join(["class Server(AnyServer):", *(attributes or ["    ..."])]))
    return "\n\n".join(parts) + "\n"


def _can_write(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


def _class_name(*names: str) -> str:
    """In the manner of classes: `_class_name("linpack", "solve")` is "LinpackSolve"."""
    return "".join(part[:1].upper() + part[1:] for name in names for part in name.split("_"))


def _module(owner: str, module: Module) -> str:
    routines = [one for one in module.routines if _can_write(one.name)]
    classes = [one for one in module.classes if _can_write(one.name)]
    parts = [_routine(_class_name(owner, one.name), "RemoteRoutine", one) for one in routines]
    parts += [_remote_class(owner, one) for one in classes]
    attributes = [
        f"    {name}: {_class_name(owner, one.name)}"
        for one in routines
        for name in (one.name, *one.aliases)
        if _can_write(name)
    ]
    attributes += [f"    {one.name}: {_class_name(owner, one.name)}Class" for one in classes]
    parts.append("\n".join([f"class {owner}(RemoteModule):", *(attributes or ["    ..."])]))
    return "\n\n".join(parts)


def _remote_class(owner: str, remote_class: RemoteClass) -> str:
    name = _class_name(owner, remote_class.name)
    methods = [
        one
        for one in remote_class.methods
        if _can_write(one.name) and one.name not in (FIRST_METHOD, LAST_METHOD)
    ]
    parts = [_routine(_class_name(name, one.name), "RemoteMethod", one) for one in methods]
    attributes = [f"    {one.name}: {_class_name(name, one.name)}" for one in methods]
    parts.append("\n".join([f"class {name}(RemoteObject):", *(attributes or ["    ..."])]))
    first = remote_class.method(FIRST_METHOD)
    given = [] if first is None else _parameters(call_form(first).needed)
    parts.append(
        f"class {name}Class(RemoteClass):\n{_text(remote_class.text)}"
        f"    def __call__({', '.join(['self', *given])}) -> {name}: ..."
    )
    return "\n\n".join(parts)


def _routine(name: str, base: str, routine: Routine) -> str:
    form = call_form(routine)
    lines = [f"class {name}({base}):", _text(routine.text).rstrip("\n")]
    lines += [
        f"    {one.name}: RemoteParameter"
        for one in routine.numbers
        if not one.is_scalar and _can_write(one.name) and one.name not in _TAKEN
    ]
    results = [_result(one) for one in form.results]
    given = results[0] if len(results) == 1 else f"tuple[{', '.join(results) or '()'}]"
    out = "out: Any = None" if len(results) == 1 else "out: Mapping[str, Any] | None = None"
    ways = [(form.needed, form.told)]
    if form.told:
        ways.append((form.sent, ()))
    for method, options, returned in (
        ("__call__", [out, "progress: Wish = None"], given),
        ("submit", [out], f"Job[{given}]"),
    ):
        ignored = "  # type: ignore[override]"  # A routine of any arguments takes more.
        for by_place, by_name in ways:
            sizes = [
                f"{one.name}: {_argument(one)} = ..." for one in by_name if _can_write(one.name)
            ]
            parameters = ["self", *_parameters(by_place), "*", *sizes, *options]
            if len(ways) > 1:
                lines.append(f"    @overload{ignored}")
                ignored = ""
            lines.append(f"    def {method}({ignored}")
            lines += [f"        {one}," for one in parameters]
            lines.append(f"    ) -> {returned}: ...")
    return "\n".join(line for line in lines if line)


def _parameters(parameters: Sequence[Parameter | Callback]) -> list[str]:
    texts = [f"{python_name(one)}: {_argument(one)}" for one in parameters]
    by_place = by_place_count(tuple(parameters))
    return [*texts[:by_place], "/", *texts[by_place:]] if by_place else texts


def _argument(parameter: Parameter | Callback) -> str:
    if isinstance(parameter, Callback):
        return "Callable[..., Any]"
    if not parameter.type.is_number:
        return "Sequence[str]" if parameter.dimensions else "str"
    if not parameter.is_scalar:
        return "ArrayLike | RemoteArray"
    if parameter.type.is_integer:
        return "SupportsIndex"
    if parameter.type.wire.startswith("complex"):
        return "SupportsComplex | SupportsFloat"
    return "SupportsFloat"


def _result(parameter: Parameter) -> str:
    if parameter.type.wire == "text":
        return "str" if [one.size for one in parameter.dimensions] == [ONE] else "list[str]"
    return f"NDArray[np.{parameter.type.wire}]"


def _text(text: str) -> str:
    """The docstring of a class; what would end it is left out."""
    plain = " ".join(text.replace("\\", "/").replace('"', "'").split())
    return f'    """{plain}"""\n' if plain else ""
