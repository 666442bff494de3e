"""The work of `tasuki info URL`: what the routines of a server take, give and do."""

from pathlib import Path

from tasuki.base.errors import CommandError
from tasuki.idl.argument_table import print_arguments
from tasuki.output.report import Row, envelope, print_json, print_table, result
from tasuki.rpc.client import connect, find_routine, routines_of
from tasuki.rpc.errors import CallError
from tasuki.rpc.remote_routine import RemoteRoutine


def show_routines(
    url: str, name: str, as_json: bool, token_file: Path | None = None, ca_file: Path | None = None
) -> None:
    """Shows all routines of the server or of the module `name`, or the routine `name` in detail.

    Errors: CommandError if the server does not answer, or has no such routine.
    """
    try:
        server = connect(url, token_file=token_file, ca_file=ca_file)
        routines = routines_of(server)
        if name in server.modules:
            routines = {one: routines[one] for one in routines if one.startswith(f"{name}.")}
        elif name:
            wanted = find_routine(server, name)
            routines = {one: found for one, found in routines.items() if found is wanted}
    except CallError as fault:
        raise CommandError(fault.operation, fault.happened, fault.remedy) from None
    if as_json:
        rows = [row for one, routine in routines.items() for row in _rows(one, routine)]
        print_json(envelope("info", rows, ranks=None, transport=None))
    elif name and name not in server.modules:
        for one, routine in routines.items():
            _show(one, routine)
    else:
        print_table(
            f"Routines of {url}" if not name else f"Routines of module {name}",
            ("routine", "arguments", "what it does"),
            [(one, routine.signature, routine.interface.text) for one, routine in routines.items()],
        )


def _show(name: str, routine: RemoteRoutine) -> None:
    print_arguments(f"{name}: {routine.interface.text}", routine.interface)
    examples = {
        "From Python": routine.python_example,
        "From C": routine.c_example,
        "From a shell": routine.shell_example,
    }
    print("\n\n".join(f"{title}:\n\n{text}" for title, text in examples.items() if text))


def _rows(name: str, routine: RemoteRoutine) -> list[Row]:
    """One for the routine, and one for each of its arguments."""
    first = result(
        name,
        None,
        "",
        kind="routine",
        text=routine.interface.text,
        python_example=routine.python_example,
        c_example=routine.c_example,
        shell_example=routine.shell_example,
    )
    arguments = [
        result(
            f"{name}.{one.name}",
            None,
            "",
            kind="argument",
            mode=one.mode.value,
            type=one.type.name,
            dtype=one.type.wire,
            shape=[str(dimension.size) for dimension in one.dimensions],
            distribution=str(one.distribution),
        )
        for one in routine.interface.values
    ]
    return [first, *arguments]
