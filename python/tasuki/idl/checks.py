"""What must hold between the parts of a module, and no grammar can say."""

from collections.abc import Iterable
from dataclasses import replace

from tasuki.idl.errors import EvaluationError, Report
from tasuki.idl.expression import Expression, names_in
from tasuki.idl.model import (
    Callback,
    Calls,
    Dimension,
    Language,
    Mode,
    Module,
    Parameter,
    Placement,
    RemoteClass,
    Routine,
)
from tasuki.idl.shapes import shape_of_array


def is_python(calls: Calls) -> bool:
    """Does a function of Python run?"""
    return calls.language is Language.PYTHON


def check(module: Module, report: Report) -> None:
    """Reports what is wrong with the module, each with its place in the source."""
    own: list[Routine | RemoteClass] = [*module.routines, *module.classes]
    _check_names(
        [
            *((one.name, one.at) for one in own),
            *((alias, one.at) for one in module.routines for alias in one.aliases),
        ],
        "routine or class",
        report,
    )
    for routine in module.routines:
        _check_routine(routine, report)
    for remote_class in module.classes:
        _check_class(remote_class, report)


def _check_names(named: Iterable[tuple[str, int]], what: str, report: Report) -> None:
    seen: set[str] = set()
    for name, at in named:
        if name in seen:
            report(at, f"there is another {what} {name}")
        seen.add(name)


def _check_class(remote_class: RemoteClass, report: Report) -> None:
    if not remote_class.methods:
        report(remote_class.at, f"{remote_class.name} has no method")
    if len(remote_class.states) > 1:
        report(remote_class.at, f"{remote_class.name} has more than one DefState")
    methods = remote_class.methods
    aliases = ((alias, one.at) for one in methods for alias in one.aliases)
    _check_names([*((one.name, one.at) for one in methods), *aliases], "method", report)
    for method in remote_class.complete_methods:
        _check_routine(method, report)
    _check_python_class(remote_class, report)


def _check_python_class(remote_class: RemoteClass, report: Report) -> None:
    """All methods are those of one class of Python, or none is."""
    calls = [one.implementation for one in remote_class.methods]
    in_python = [one for one in calls if isinstance(one, Calls) and is_python(one)]
    if not in_python:
        return
    if len(in_python) < len(calls):
        report(remote_class.at, f"some methods of {remote_class.name} are in Python: write all so")
    if remote_class.states:
        report(
            remote_class.at,
            f"{remote_class.name} has a DefState: in Python attributes of the object are its state",
        )
    owner = in_python[0].target.rpartition(".")[0]
    for one in in_python:
        before, _, _ = one.target.rpartition(".")
        if ":" not in before or before != owner:
            report(
                one.at, f'"{one.target}" names no method of the class: write "module:Class.name"'
            )


def _check_routine(routine: Routine, report: Report) -> None:
    _check_names(((one.name, one.at) for one in routine.parameters), "argument", report)
    known = {one.name: one for one in routine.parameters}
    for parameter in routine.parameters:
        if isinstance(parameter, Callback):
            _check_callback(parameter, known, report)
            continue
        _check_parameter(parameter, report)
        for expression in parameter.expressions:
            _check_expression(expression, known, report)
    if routine.calc_order is not None:
        _check_expression(routine.calc_order, known, report)
    if isinstance(routine.implementation, Calls):
        _check_calls(routine.implementation, known, report)
    elif (language := routine.options.language) in (Language.PYTHON, Language.FORTRAN):
        report(
            routine.at,
            f"{routine.name} has a body of C: functions of {language.value.capitalize()} need"
            f' Calls "{language.value}"',
        )


def _check_callback(
    callback: Callback, known: dict[str, Parameter | Callback], report: Report
) -> None:
    _check_names(((one.name, one.at) for one in callback.parameters), "argument", report)
    for parameter in callback.parameters:
        if parameter.is_scalar:
            report(
                parameter.at,
                f"{parameter.name} is a scalar, and callbacks take arrays: write"
                f" {parameter.name}[1]",
            )
        if not parameter.type.is_number:
            report(parameter.at, f"{parameter.name} belongs to a callback: it must hold numbers")
        if parameter.distribution.divisions:
            report(parameter.at, f"{parameter.name} belongs to a callback: it is not distributed")
        _check_parameter(parameter, report)
        for expression in parameter.expressions:
            _check_expression(expression, known, report)


def _check_parameter(parameter: Parameter, report: Report) -> None:
    name, mode = parameter.name, parameter.mode
    if parameter.is_scalar and mode is not Mode.IN and parameter.type.wire != "file":
        report(
            parameter.at,
            f"{name} is {mode.value.upper()} and a scalar, through which nothing comes back:"
            f" write *{name} or {name}[1]",
        )
    if parameter.type.wire == "file" and parameter.dimensions:
        report(parameter.at, f"{name} is an array of files: write an argument for each")
    if not parameter.type.is_number and any(
        one != Dimension.whole(one.size) for one in parameter.dimensions
    ):
        report(parameter.at, f"{name} holds {parameter.type.name}s: all of them travel")
    if parameter.placement is Placement.BROADCAST and not mode.travels_to_server:
        report(parameter.at, f"{name} is {mode.value.upper()}: there is nothing to broadcast")
    _check_constant_shape(parameter, report)
    distribution = parameter.distribution
    if not distribution.divisions:
        return
    if parameter.is_scalar:
        report(parameter.at, f"{name} is a scalar: only arrays can be distributed")
    elif len(distribution.divisions) != len(parameter.dimensions):
        report(
            parameter.at,
            f"{name} has {_count(len(parameter.dimensions), 'dimension')} and is distributed by"
            f" {len(distribution.divisions)}: {distribution}",
        )
    if not parameter.type.is_number:
        report(parameter.at, f"{name} holds {parameter.type.name}s: it cannot be distributed")
    if distribution.divided_count == 0:
        report(parameter.at, f"{name} has a distribution that divides no dimension")
    elif distribution.grid and len(distribution.grid) != distribution.divided_count:
        report(
            parameter.at,
            f"{name} is divided in {_count(distribution.divided_count, 'dimension')}, and the"
            f" grid has {len(distribution.grid)}",
        )
    if parameter.placement is not Placement.USUAL:
        report(parameter.at, f"{name} is distributed: {parameter.placement.value} contradicts that")


def _check_constant_shape(parameter: Parameter, report: Report) -> None:
    """Each dimension that depends on no argument is possible."""
    for dimension in parameter.dimensions:
        if any(True for size in dimension.expressions for _ in names_in(size)):
            continue
        try:
            shape_of_array(replace(parameter, dimensions=(dimension,)), {})
        except EvaluationError as fault:
            report(parameter.at, str(fault))


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _check_expression(
    expression: Expression, known: dict[str, Parameter | Callback], report: Report
) -> None:
    """Its names are integers that the server has before any array."""
    for name in names_in(expression):
        found = known.get(name.name)
        if found is None:
            report(name.at, f"{name.name} is no argument of this routine")
        elif isinstance(found, Callback) or not found.is_scalar:
            report(name.at, f"{name.name} is no scalar: sizes are made of IN integers")
        elif found.mode is not Mode.IN:
            report(name.at, f"{name.name} is {found.mode.value.upper()}: sizes must be known before"
                   " the call")  # fmt: skip
        elif not found.type.is_integer:
            report(name.at, f"{name.name} is a {found.type.name}: sizes are made of IN integers")


def _check_calls(calls: Calls, known: dict[str, Parameter | Callback], report: Report) -> None:
    for argument in calls.arguments:
        if argument.name not in known:
            report(argument.at, f"{argument.name} is no argument of this routine")
    if not is_python(calls):
        return
    module, colon, function = calls.target.partition(":")
    names = [*module.split("."), *function.split(".")]
    if not colon or not all(name.isidentifier() for name in names):
        report(calls.at, f'"{calls.target}" names no function: write "module:function"')
