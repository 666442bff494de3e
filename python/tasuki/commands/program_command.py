"""Commands whose last words are a program with its arguments, as of `tasuki run` and `profile`."""

from typing import Any

from typer.core import TyperCommand


class ProgramCommand(TyperCommand):
    """Its argument `command` is the program. Behind it shells complete no options, which would be
    the program's own."""

    def get_params(self, ctx: Any) -> list[Any]:
        params = super().get_params(ctx)
        is_completed = ctx.resilient_parsing and ctx.params.get("command")
        return [one for one in params if not is_completed or one.param_type_name == "argument"]


# Of `app.command`. Options behind the first word are those of the program.
SETTINGS = {"cls": ProgramCommand, "context_settings": {"allow_interspersed_args": False}}
