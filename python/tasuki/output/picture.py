"""Writes a picture into the file that the user has named."""

from pathlib import Path
from typing import TYPE_CHECKING

from tasuki.base.errors import CommandError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS_PER_INCH = 120


def write_png(operation: str, canvas: "Figure", path: Path) -> None:
    """Writes the canvas as PNG, whatever the name of the file ends with, and closes it.

    Raises CommandError if the file cannot be written."""
    from matplotlib import pyplot

    try:
        canvas.savefig(path, format="png", dpi=DOTS_PER_INCH)
    except OSError as failure:
        raise CommandError(
            operation,
            f"{path} cannot be written: {failure.strerror}",
            "name a file in a folder that can be written and has room: --plot",
        ) from failure
    finally:
        pyplot.close(canvas)
