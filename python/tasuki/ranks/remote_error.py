"""What a function of Python or C++ raised on another rank: what is said of it here."""

import traceback
from typing import NamedTuple

from tasuki.ranks import extension
from tasuki.ranks.extension import Error

_HEADER = "Traceback (most recent call last):\n"
_REMEDY = ". Remedy: "


class RemoteError(Error):
    """What a function raised on another rank: its `text` is the traceback there, or of C++ what the
    exception says. Where that is an `Error`, `remedy` is its own.

    Raised by itself where the exception cannot be pickled, and for functions called by name.
    """

    def __init__(self, remote_rank: int, function: str, text: str, line: str = "") -> None:
        """`line` is that of the exception, as `line_of` makes it on its rank; of C++ there is none,
        as `text` is the exception alone."""
        has_traceback = line != "" and _HEADER in text
        said = _said_in(line or text.strip(), has_traceback)
        operation = f"remote call of {function} on rank {remote_rank}"
        message = f"tasuki: rank {extension.rank()}: {operation}: {said.happened}"
        message += f"{_REMEDY}{said.remedy}."
        if has_traceback:
            message += f"\n{_title(remote_rank)}\n{text.rstrip()}"
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


def line_of(failure: BaseException) -> str:
    """The type and the first line of what it says. A text that has it may have others like it: of
    causes, or within what the exception says."""
    parts = traceback.format_exception_only(failure)
    # Before it stand lines of code that is wrong, after it notes.
    own = next((part for part in parts if not part[0].isspace()), type(failure).__name__)
    return own.splitlines()[0]


def text_with_line(failure: BaseException) -> str:
    """Of both, where one text travels."""
    text = text_of(failure)
    return f"{line_of(failure)}\n{_title(extension.rank())}\n{text}" if _HEADER in text else text


def from_one_text(remote_rank: int, function: str, text: str) -> RemoteError:
    """The other way round. The text may also be one of C++."""
    line, title, traceback_there = text.partition(f"\n{_title(remote_rank)}\n")
    if title and "\n" not in line:
        return RemoteError(remote_rank, function, traceback_there, line)
    return RemoteError(remote_rank, function, text)


def _title(rank: int) -> str:
    return f"The traceback of rank {rank}:"


class _Said(NamedTuple):
    happened: str
    remedy: str


def _said_in(happened: str, has_traceback: bool) -> _Said:
    """An error of Tasuki has a remedy of its own."""
    if "tasuki: " in happened and _REMEDY in happened:
        happened, _, remedy = happened.partition("tasuki: ")[2].rpartition(_REMEDY)
    elif has_traceback:
        remedy = "see the traceback of that rank"
    else:
        remedy = "check what that function does on that rank; it threw this exception"
    return _Said(happened.removesuffix("."), remedy.removesuffix("."))
