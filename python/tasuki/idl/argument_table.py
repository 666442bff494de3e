"""The arguments of a routine as a table, for people."""

from tasuki.idl.model import Backend, Callback, Mode, Parameter, Placement, Routine
from tasuki.output.report import print_table

ARGUMENT_COLUMNS = ("argument", "mode", "type", "shape", "distribution")
# What a server of several ranks does with an array that the file says nothing of.
_USUAL = {
    Mode.IN: "to all ranks",
    Mode.OUT: "from the first rank",
    Mode.INOUT: "to all ranks, from the first",
    Mode.WORK: "",
}


def print_arguments(title: str, routine: Routine) -> None:
    """Prints a line for each argument: its mode, type, shape, and where its parts are."""
    print_table(title, ARGUMENT_COLUMNS, argument_rows(routine))


def argument_rows(routine: Routine) -> list[tuple[str, ...]]:
    """A row of ARGUMENT_COLUMNS for each argument, and for those of callbacks."""
    is_parallel = routine.options.backend is not Backend.NORMAL or any(
        one.distribution.divisions for one in routine.values
    )
    rows: list[tuple[str, ...]] = []
    for parameter in routine.parameters:
        if isinstance(parameter, Callback):
            rows.append((parameter.name, "callback", "", "", ""))
            rows += (_row(one, f"{parameter.name}: ", False) for one in parameter.parameters)
        else:
            rows.append(_row(parameter, "", is_parallel))
    return rows


def _row(parameter: Parameter, before: str, is_parallel: bool) -> tuple[str, ...]:
    wire = parameter.type.wire
    travels_as = "" if wire in ("text", "file") else f" ({wire})"
    shape = "".join(map(str, parameter.dimensions)) or "scalar"
    where = str(parameter.distribution)
    if not where and is_parallel:
        is_usual = parameter.placement is Placement.USUAL
        where = _USUAL[parameter.mode] if is_usual else parameter.placement.value
    return (
        f"{before}{parameter.name}",
        parameter.mode.value,
        f"{parameter.type.name}{travels_as}",
        shape,
        where,
    )
