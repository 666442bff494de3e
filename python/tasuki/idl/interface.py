"""The JSON description of modules and routines, which servers and clients exchange.

docs/formats/interface.md describes it. What is written is read back as an equal value; whatever
else is read is an InterfaceError.
"""

import hashlib
import json
from collections.abc import Callable
from enum import Enum
from typing import Any, TypeVar

from tasuki.idl.checks import check
from tasuki.idl.errors import InterfaceError
from tasuki.idl.expression import Expression, Name, from_prefix, is_name, to_prefix
from tasuki.idl.model import (
    Backend,
    Block,
    Callback,
    Calls,
    CBody,
    Cyclic,
    Dimension,
    Distribution,
    Division,
    Language,
    Mode,
    Module,
    Options,
    Parameter,
    Placement,
    RemoteClass,
    Routine,
    StringConvention,
    Undivided,
)
from tasuki.idl.types import ScalarType, type_of_name

VERSION = 1

Json = dict[str, Any]
Value = TypeVar("Value")
EnumType = TypeVar("EnumType", bound=Enum)


def module_to_json(module: Module) -> Json:
    """The module as values of JSON, with the version of the format."""
    return {
        "interface": VERSION,
        "module": module.name,
        "routines": [routine_to_json(one) for one in module.routines],
        "classes": [_class_to_json(one) for one in module.classes],
        "globals": [_body_to_json(one) for one in module.globals],
        "libraries": list(module.libraries),
        "compile_options": list(module.compile_options),
        "compiler": module.compiler,
        "linker": module.linker,
        "fortran_format": module.fortran_format,
        "fortran_string_convention": module.fortran_string_convention.value,
    }


def signature_of(module: Module) -> str:
    """What tells whether routines of the module take the arguments that those of another take."""
    taken = {
        name: [_parameter_to_json(one) for one in routine.parameters]
        for name, routine in module.all_routines
    }
    return hashlib.sha256(json.dumps(taken, sort_keys=True).encode()).hexdigest()


def routine_to_json(routine: Routine) -> Json:
    """The routine as values of JSON, as in the "routines" of a module."""
    implementation = routine.implementation
    return {
        "name": routine.name,
        "text": routine.text,
        "aliases": list(routine.aliases),
        **_options_to_json(routine.options),
        "calc_order": None if routine.calc_order is None else to_prefix(routine.calc_order),
        "parameters": [_parameter_to_json(one) for one in routine.parameters],
        "implementation": _body_to_json(implementation)
        if isinstance(implementation, CBody)
        else {
            "kind": "calls",
            "language": implementation.language.value,
            "target": implementation.target,
            "arguments": [one.name for one in implementation.arguments],
        },
    }


def _class_to_json(remote_class: RemoteClass) -> Json:
    return {
        "name": remote_class.name,
        "text": remote_class.text,
        **_options_to_json(remote_class.options),
        "states": [_body_to_json(one) for one in remote_class.states],
        "methods": [routine_to_json(one) for one in remote_class.methods],
    }


def _options_to_json(options: Options) -> Json:
    return {
        "required": list(options.required),
        "backend": options.backend.value,
        "language": options.language.value,
        "shrink": options.shrink,
    }


def _body_to_json(body: CBody) -> Json:
    return {"kind": "c", "code": body.code, "line": body.line}


def _parameter_to_json(parameter: Parameter | Callback) -> Json:
    if isinstance(parameter, Callback):
        return {
            "kind": "callback",
            "name": parameter.name,
            "parameters": [_parameter_to_json(one) for one in parameter.parameters],
        }
    return {
        "kind": "value",
        "name": parameter.name,
        "mode": parameter.mode.value,
        "type": parameter.type.name,
        "wire": parameter.type.wire,
        "dimensions": [
            {
                "size": to_prefix(one.size),
                "lower": to_prefix(one.lower),
                "upper": to_prefix(one.upper),
                "step": to_prefix(one.step),
            }
            for one in parameter.dimensions
        ],
        "distribution": {
            "divisions": [_division_to_json(one) for one in parameter.distribution.divisions],
            "grid": [to_prefix(one) for one in parameter.distribution.grid],
        },
        "placement": parameter.placement.value,
    }


def _division_to_json(division: Division) -> list[Any]:
    if isinstance(division, Undivided):
        return ["*"]
    if isinstance(division, Cyclic):
        return ["CYCLIC", to_prefix(division.width)]
    return ["BLOCK"] if division.width is None else ["BLOCK", to_prefix(division.width)]


def module_from_text(text: str) -> Module:
    """The module that the JSON text describes; raises InterfaceError if it describes none."""
    try:
        value = json.loads(text)
    except ValueError as fault:
        raise InterfaceError(f"interface: no JSON: {fault}") from None
    except RecursionError:
        raise InterfaceError("interface: the JSON is nested too deeply") from None
    return module_from_json(value)


def module_from_json(value: Any) -> Module:
    """The module that `module_to_json` described; raises InterfaceError for anything else."""
    fields = _Fields(value, "")
    version = fields.take("interface", int)
    if version != VERSION:
        raise InterfaceError(f"interface: version {version}, and this Tasuki knows {VERSION}")
    module = Module(
        name=fields.take("module", str),
        routines=fields.all_of("routines", _read_routine),
        classes=fields.all_of("classes", _read_class),
        globals=fields.all_of("globals", _read_body),
        libraries=fields.all_of("libraries", _read_text),
        compile_options=fields.all_of("compile_options", _read_text),
        compiler=fields.take("compiler", str),
        linker=fields.take("linker", str),
        fortran_format=fields.take("fortran_format", str),
        fortran_string_convention=fields.member("fortran_string_convention", StringConvention),
    )
    fields.end()
    _require_sound(module)
    return module


def routine_from_json(value: Any) -> Routine:
    """The routine that `routine_to_json` described; raises InterfaceError for anything else."""
    routine = _read_routine(value, "")
    _require_sound(Module(routines=(routine,)))
    return routine


def _require_sound(module: Module) -> None:
    """Raises InterfaceError for the first thing that would be wrong in a file, too."""

    def refuse(at: int, message: str) -> None:
        del at
        raise InterfaceError(f"interface: {message}")

    check(module, refuse)


class _Fields:
    """The fields of a JSON object, taken one by one; errors begin with the object's `path`."""

    def __init__(self, value: Any, path: str) -> None:
        if not isinstance(value, dict):
            raise InterfaceError(f"interface: {path or 'the whole'} must be an object")
        self._left = dict(value)
        self._path = path

    def path_of(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name

    def anything(self, name: str) -> Any:
        if name not in self._left:
            raise InterfaceError(f"interface: there is no {self.path_of(name)}")
        return self._left.pop(name)

    def take(self, name: str, kind: type[Value]) -> Value:
        value = self.anything(name)
        if type(value) is not kind:
            raise InterfaceError(f"interface: {self.path_of(name)} must be {_KINDS[kind]}")
        return value

    def name(self, name: str) -> str:
        return _read_name(self.anything(name), self.path_of(name))

    def member(self, name: str, kind: type[EnumType]) -> EnumType:
        value = self.take(name, str)
        for one in kind:
            if one.value == value:
                return one
        known = ", ".join(one.value for one in kind)
        raise InterfaceError(f"interface: {self.path_of(name)} must be one of {known}")

    def all_of(self, name: str, read: Callable[[Any, str], Value]) -> tuple[Value, ...]:
        values = self.take(name, list)
        path = self.path_of(name)
        return tuple(read(one, f"{path}[{index}]") for index, one in enumerate(values))

    def end(self) -> None:
        for name in self._left:
            raise InterfaceError(f"interface: there is an unknown {self.path_of(name)}")


_KINDS = {
    str: "a text", int: "a whole number", bool: "true or false", list: "an array", dict: "an object"
}  # fmt: skip


def _read_text(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise InterfaceError(f"interface: {path} must be a text")
    return value


def _read_name(value: Any, path: str) -> str:
    if not (isinstance(value, str) and is_name(value)):
        raise InterfaceError(f"interface: {path} must be a name")
    return value


def _read_expression(value: Any, path: str) -> Expression:
    del path
    return from_prefix(value)


def _read_argument(value: Any, path: str) -> Name:
    return Name(_read_name(value, path))


def _read_routine(value: Any, path: str) -> Routine:
    fields = _Fields(value, path)
    calc_order = fields.anything("calc_order")
    routine = Routine(
        name=fields.name("name"),
        parameters=fields.all_of("parameters", _read_parameter),
        implementation=_read_implementation(fields),
        text=fields.take("text", str),
        aliases=fields.all_of("aliases", _read_name),
        options=_read_options(fields),
        calc_order=None if calc_order is None else from_prefix(calc_order),
    )
    fields.end()
    return routine


def _read_class(value: Any, path: str) -> RemoteClass:
    fields = _Fields(value, path)
    remote_class = RemoteClass(
        name=fields.name("name"),
        methods=fields.all_of("methods", _read_routine),
        states=fields.all_of("states", _read_body),
        text=fields.take("text", str),
        options=_read_options(fields),
    )
    fields.end()
    return remote_class


def _read_options(fields: _Fields) -> Options:
    return Options(
        required=fields.all_of("required", _read_text),
        backend=fields.member("backend", Backend),
        language=fields.member("language", Language),
        shrink=fields.take("shrink", bool),
    )


def _read_implementation(routine: _Fields) -> CBody | Calls:
    value, path = routine.anything("implementation"), routine.path_of("implementation")
    fields = _Fields(value, path)
    kind = fields.take("kind", str)
    if kind == "c":
        return _read_body(value, path)
    if kind != "calls":
        raise InterfaceError(f'interface: {fields.path_of("kind")} must be "c" or "calls"')
    language = fields.member("language", Language)
    is_python = language is Language.PYTHON  # Whose "module:function" is checked with the rest.
    calls = Calls(
        language=language,
        target=fields.take("target", str) if is_python else fields.name("target"),
        arguments=fields.all_of("arguments", _read_argument),
    )
    fields.end()
    return calls


def _read_body(value: Any, path: str) -> CBody:
    fields = _Fields(value, path)
    if fields.take("kind", str) != "c":
        raise InterfaceError(f'interface: {fields.path_of("kind")} must be "c"')
    body = CBody(fields.take("code", str), fields.take("line", int))
    fields.end()
    return body


def _read_parameter(value: Any, path: str) -> Parameter | Callback:
    fields = _Fields(value, path)
    kind = fields.take("kind", str)
    if kind == "value":
        return _read_rest_of_value(fields)
    if kind != "callback":
        raise InterfaceError(f'interface: {fields.path_of("kind")} must be "value" or "callback"')
    callback = Callback(fields.name("name"), fields.all_of("parameters", _read_value))
    fields.end()
    return callback


def _read_value(value: Any, path: str) -> Parameter:
    fields = _Fields(value, path)
    if fields.take("kind", str) != "value":
        raise InterfaceError(f'interface: {fields.path_of("kind")} must be "value"')
    return _read_rest_of_value(fields)


def _read_rest_of_value(fields: _Fields) -> Parameter:
    parameter = Parameter(
        name=fields.name("name"),
        mode=fields.member("mode", Mode),
        type=_read_type(fields),
        dimensions=fields.all_of("dimensions", _read_dimension),
        distribution=_read_distribution(fields),
        placement=fields.member("placement", Placement),
    )
    fields.end()
    return parameter


def _read_type(fields: _Fields) -> ScalarType:
    name, wire = fields.take("type", str), fields.take("wire", str)
    found = type_of_name(name, wire)
    if found is None:
        path = fields.path_of("type")
        raise InterfaceError(f"interface: {path} is no known type: {name} as {wire}")
    return found


def _read_dimension(value: Any, path: str) -> Dimension:
    fields = _Fields(value, path)
    parts = (fields.anything(part) for part in ("size", "lower", "upper", "step"))
    dimension = Dimension(*map(from_prefix, parts))
    fields.end()
    return dimension


def _read_distribution(parameter: _Fields) -> Distribution:
    fields = _Fields(parameter.anything("distribution"), parameter.path_of("distribution"))
    divisions = fields.all_of("divisions", _read_division)
    grid = fields.all_of("grid", _read_expression)
    fields.end()
    return Distribution(divisions, grid)


def _read_division(value: Any, path: str) -> Division:
    if value == ["*"]:
        return Undivided()
    if value == ["BLOCK"]:
        return Block()
    if isinstance(value, list) and len(value) == 2 and value[0] in ("BLOCK", "CYCLIC"):
        width = from_prefix(value[1])
        return Block(width) if value[0] == "BLOCK" else Cyclic(width)
    raise InterfaceError(
        f'interface: {path} must be ["*"], ["BLOCK"], ["BLOCK", K] or ["CYCLIC", K]'
    )
