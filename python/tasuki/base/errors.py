"""Expected failures of the command: what happened and what to do about it.

Raised by the first function that knows, printed once by `tasuki.cli.main`, which ends with
`exit_code`: 2 for a wrong command line, 1 for what went wrong later.
"""

from collections.abc import Iterable


class CommandError(Exception):
    """An expected failure; reads like the errors of the C++ library.

    `str()` is "tasuki: OPERATION: HAPPENED. Remedy: REMEDY."
    """

    def __init__(self, operation: str, happened: str, remedy: str, exit_code: int = 1) -> None:
        super().__init__(f"tasuki: {operation}: {happened}. Remedy: {remedy}.")
        self.exit_code = exit_code


class ProgramError(CommandError):
    """The failure of a compiled program that has said why on its standard error: `text`."""

    def __init__(self, text: str, exit_code: int) -> None:
        Exception.__init__(self, text.strip())
        self.exit_code = exit_code


def require_known(
    operation: str, option: str, given: Iterable[str], known: Iterable[str], happened: str
) -> None:
    """Raises CommandError if `option` has a value that is not `known`; `happened` says so, with
    "{}" for the values."""
    unknown = set(given) - set(known)
    if unknown:
        raise usage_error(
            operation,
            happened.format(", ".join(sorted(unknown))),
            f"{option} is one of {', '.join(known)}",
        )


def usage_error(operation: str, happened: str, remedy: str) -> CommandError:
    """A CommandError for a wrong command line: exit code 2."""
    return CommandError(operation, happened, remedy, exit_code=2)
