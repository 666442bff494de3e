"""What a server's page tells of routines: text, arguments, and examples of calls."""

from typing import Any

from tasuki.idl.argument_table import ARGUMENT_COLUMNS, argument_rows
from tasuki.idl.model import Module
from tasuki.rpc.c_example import c_example
from tasuki.rpc.documentation import Entry, entries_of

# The front end puts its address in place of it, as the browser knows it.
URL_PLACE = "{url}"


def page_routines(module: Module, name: str) -> list[dict[str, Any]]:
    """An object for each routine and method of the module that clients call `name`.

    docs/formats/server-api.md says what is in it. Examples name URL_PLACE for the server.
    """
    return [_described(one, name) for one in entries_of(URL_PLACE, name, module)]


def _described(entry: Entry, module: str) -> dict[str, Any]:
    name = entry.name.removeprefix(f"{module}.")
    rows = argument_rows(entry.routine)
    is_method = "." in name
    return {
        "name": name,
        "text": entry.routine.text,
        "signature": entry.signature,
        "arguments": [dict(zip(ARGUMENT_COLUMNS, row, strict=True)) for row in rows],
        "examples": {
            "python": entry.python_example,
            "c": "" if is_method else c_example(URL_PLACE, module, entry.routine),
            "shell": entry.shell_example,
        },
    }
