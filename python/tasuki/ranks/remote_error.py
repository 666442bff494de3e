"""What a function of Python or C++ raised on another rank: what is said of it here."""

import traceback
from typing import NamedTuple

from tasuki.ranks import extension
from tasuki.ranks.extension import Error

_HEADERS = (
    "Traceback (most recent call last):",
    "  + Exception Group Traceback (most recent call last):",
)
_MARGIN_OF_GROUP = "  | "
_REMEDY = ". Remedy: "


class RemoteError(Error):
    """What a function raised on another rank: its `text` is the traceback there, or of C++ what the
    exception says. Where that is an `Error`, `remedy` is its own.

    Raised by itself where the exception cannot be pickled, and for functions called by name.
    """

    def __init__(self, remote_rank: int, function: str, text: str) -> None:
        said = _said_in(text)
        operation = f"remote call of {function} on rank {remote_rank}"
        message = f"tasuki: rank {extension.rank()}: {operation}: {said.happened}"
        message += f"{_REMEDY}{said.remedy}."
        if said.has_traceback:
            message += f"\nThe traceback of rank {remote_rank}:\n{text.rstrip()}"
        super().__init__(message)
        self.rank = extension.rank()
        self.operation = operation
        self.happened = said.happened
        self.remedy = said.remedy
        self.remote_rank = remote_rank
        self.function = function
        self.text = text


def text_of(failure: BaseException) -> str:
    """The traceback without the frame that has caught it."""
    own = failure.__traceback__
    frames = own.tb_next if own is not None else None
    return "".join(traceback.format_exception(type(failure), failure, frames))


class _Said(NamedTuple):
    happened: str
    remedy: str
    has_traceback: bool


def _said_in(text: str) -> _Said:
    """The exception of a text that is a traceback, as `text_of` makes it, or the exception alone:
    of C++, or of a function of Python that has no frames."""
    lines = text.splitlines()
    headers = [number for number, line in enumerate(lines) if line in _HEADERS]
    if headers:
        # The last one is of the exception itself, those before are of its causes.
        happened = _first_of_exception(lines[headers[-1] + 1 :])
        remedy = "see the traceback of that rank"
    else:
        happened = text.strip().removesuffix(".")
        remedy = "check what that function does on that rank; it threw this exception"
    if "tasuki: " in happened and _REMEDY in happened:
        own, _, remedy = happened.partition("tasuki: ")[2].rpartition(_REMEDY)
        happened, remedy = own, remedy.removesuffix(".")
    return _Said(happened, remedy, bool(headers))


def _first_of_exception(lines: list[str]) -> str:
    """The line that has its type, after those of the frames, which are indented."""
    within = (line.removeprefix(_MARGIN_OF_GROUP) for line in lines)
    return next((line for line in within if line and not line[0].isspace()), "an exception")
