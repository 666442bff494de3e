"""The work of `tasuki idl stubs` and `tasuki idl doc`, for interface files and running servers."""

import sys
from pathlib import Path

from tasuki.base.errors import CommandError
from tasuki.idl.model import Module
from tasuki.idl.parser import parse_file
from tasuki.rpc.address import DEFAULT_PORT, url_of
from tasuki.rpc.client import connect
from tasuki.rpc.documentation import entries_of, html_of, markdown_of
from tasuki.rpc.errors import CallError
from tasuki.rpc.stubs import STUB_NAME, stub_of


def write_stub(source: str, folder: Path, long_bits: int) -> None:
    """Writes the stub of all modules of `source` into the folder, and prints its name.

    Errors: CommandError if it cannot be written, or the server does not answer; IdlError.
    """
    url, modules = _modules_of(source, long_bits)
    file = folder / f"{STUB_NAME}.pyi"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise CommandError("idl stubs", f"{folder}: {fault.strerror}", "give a folder") from None
    _write("idl stubs", file, stub_of(url, f"Routines of {source}.", modules))
    print(file)


def write_documentation(source: str, file: Path | None, long_bits: int) -> None:
    """Writes what the routines of `source` take, give and do, or prints it if there is no file.

    Errors: as of `write_stub`.
    """
    url, modules = _modules_of(source, long_bits)
    entries = [one for name, module in modules.items() for one in entries_of(url, name, module)]
    title = f"Routines of {source}" if len(modules) != 1 else f"Module {next(iter(modules))}"
    if file is None:
        sys.stdout.write(markdown_of(title, entries))
        return
    make = html_of if file.suffix in (".html", ".htm") else markdown_of
    _write("idl doc", file, make(title, entries))


def _write(operation: str, file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as fault:
        raise CommandError(
            operation, f"{file}: {fault.strerror}", "give a place that can be written"
        ) from None


def _modules_of(source: str, long_bits: int) -> tuple[str, dict[str, Module]]:
    """The address of a server, and its modules by their names there."""
    if "://" not in source:
        file = Path(source)
        module = parse_file(file, long_bits)
        return url_of("localhost", DEFAULT_PORT), {module.name or file.stem: module}
    try:
        with connect(source) as server:
            return source, {name: one.interface for name, one in server.modules.items()}
    except CallError as fault:
        raise CommandError(fault.operation, fault.happened, fault.remedy) from None
