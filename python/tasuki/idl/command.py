"""The work of `tasuki idl`: checks interface files, and shows what they describe."""

from pathlib import Path

from tasuki.idl.argument_table import print_arguments
from tasuki.idl.errors import IdlError, Place, Problem, SourceError
from tasuki.idl.interface import module_to_json
from tasuki.idl.model import CBody, Module, RemoteClass, Routine
from tasuki.idl.parser import parse_file
from tasuki.idl.source import read_text
from tasuki.output.report import print_json, print_table


def check_files(files: list[Path], long_bits: int) -> None:
    """Prints a line for each file that is right; raises an IdlError with all that is wrong."""
    faults: list[IdlError] = []
    for file in files:
        try:
            module = parse_file(file, long_bits)
            _require_something(file, module)
            print(f"{file}: {_summary(module)}")
        except IdlError as fault:
            faults.append(fault)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        of_sources = [fault for fault in faults if isinstance(fault, SourceError)]
        if len(of_sources) == len(faults):
            raise SourceError([one for fault in of_sources for one in fault.problems])
        raise IdlError("\n".join(map(str, faults)))


def _require_something(file: Path, module: Module) -> None:
    """Raises SourceError if the file describes nothing that could be served."""
    if not module.routines and not module.classes:
        place = Place(str(file), 1, 1, next(iter(read_text(file).splitlines()), ""))
        raise SourceError([Problem(place, "the file describes no routine: write Define")])


def _summary(module: Module) -> str:
    counts = [(len(module.routines), "routine", "s"), (len(module.classes), "class", "es")]
    said = [f"{count} {one if count == 1 else one + many}" for count, one, many in counts if count]
    return ", ".join(said) or "nothing to call"


def show(file: Path, long_bits: int, as_json: bool) -> None:
    """Prints what the file describes: tables, or the JSON of docs/formats/interface.md."""
    module = parse_file(file, long_bits)
    if as_json:
        print_json(module_to_json(module))
        return
    name = f"Module {module.name}" if module.name else "No module name"
    title = f"{name}: {_summary(module)}"
    if not any(module.all_routines):
        print(title)
        return
    print_table(
        title,
        ("routine", "what it does", "runs"),
        [(called, one.text, _runs(one)) for called, one in module.all_routines],
    )
    for remote_class in module.classes:
        _show_class(remote_class)
    for called, routine in module.all_routines:
        if routine.parameters:
            print_arguments(called, routine)


def _show_class(remote_class: RemoteClass) -> None:
    text = f": {remote_class.text}" if remote_class.text else ""
    state = "with state" if remote_class.states else "without state"
    print(f"Class {remote_class.name}, {state}{text}\n")


def _runs(routine: Routine) -> str:
    implementation = routine.implementation
    if isinstance(implementation, CBody):
        return f"{routine.options.language.value} in line {implementation.line}"
    arguments = ", ".join(one.name for one in implementation.arguments)
    return f"{implementation.language.value}: {implementation.target}({arguments})"
