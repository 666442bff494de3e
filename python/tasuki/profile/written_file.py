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
    """The text file that takes the place of `path` at the end of the block.

    Raises CommandError if it cannot be written; `path` is as before then.
    """
    try:
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
    except OSError as failure:
        raise CommandError(
            "profile",
            f"{path} cannot be written: {failure.strerror}",
            "name a file in a folder that can be written and has room",
        ) from failure


def check_writable(path: Path) -> None:
    """Raises CommandError (exit code 2) if the folder is not one in which a file can be made.

    Before the program runs, because its profile would be lost.
    """
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise usage_error(
            "profile",
            f"{path} cannot be written: {path.parent} is no folder that can be written",
            "name a file in another folder",
        )


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
