"""A file that a profile is written to: whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from tasuki.base.errors import CommandError, usage_error


@contextmanager
def written_file(path: Path) -> Iterator[TextIO]:
    """The text file that takes the place of `path` at the end of the block. What is no regular
    file, as a pipe, is written to at once.

    Raises CommandError if it cannot be written; `path` is as before then.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("w") as file:
                yield file
        else:
            yield from _replaced(path.resolve())
    except OSError as failure:
        raise CommandError(
            "profile",
            f"{path} cannot be written: {failure.strerror}",
            "name a file in a folder that can be written and has room",
        ) from failure


def _replaced(path: Path) -> Iterator[TextIO]:
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=f".{path.name}.", delete=False
    ) as file:
        try:
            yield file
            os.fchmod(file.fileno(), 0o666 & ~_umask())
            file.close()
            os.replace(file.name, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(file.name)
            raise


def check_writable(path: Path) -> None:
    """Raises CommandError (exit code 2) if the folder is not one in which a file can be made.

    Before the program runs, because its profile would be lost.
    """
    is_there = path.exists() and not path.is_file()
    if not is_there and not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
        raise usage_error(
            "profile",
            f"{path} cannot be written: {path.parent} is no folder that can be written",
            "name a file in another folder",
        )


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
