"""Options that several commands have in common, as one parameter of each: a NamedTuple."""

import functools
import inspect
from collections.abc import Callable
from enum import Enum
from typing import Any, get_type_hints

import typer


def command(app: typer.Typer, **settings: Any) -> Callable[[Callable[..., None]], None]:
    """As `app.command(**settings)`, but a parameter whose type is a NamedTuple stands for an option
    of each field, with the default that the parameter's default has there.

    A choice, an Enum to typer, reaches the function as its value.
    """

    def register(function: Callable[..., None]) -> None:
        hints = get_type_hints(function, include_extras=True)
        groups = {name: hint for name, hint in hints.items() if hasattr(hint, "_fields")}
        options: list[inspect.Parameter] = []
        for parameter in inspect.signature(function).parameters.values():
            hint = hints[parameter.name]
            if parameter.name not in groups:
                options.append(parameter.replace(annotation=hint))
                continue
            for field, annotation in get_type_hints(hint, include_extras=True).items():
                default = getattr(parameter.default, field)
                options.append(
                    parameter.replace(name=field, annotation=annotation, default=default)
                )

        @functools.wraps(function)
        def run(**values: Any) -> None:
            values = {name: _plain(value) for name, value in values.items()}
            for name, group in groups.items():
                values[name] = group(*(values.pop(field) for field in group._fields))
            function(**values)

        run.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
        run.__annotations__ = {option.name: option.annotation for option in options}
        app.command(**settings)(run)

    return register


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(map(_plain, value))
    return value.value if isinstance(value, Enum) else value
