"""The reference of every public name, made from the users' headers by Doxygen."""

import subprocess
import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parents[1]


def write(folder: Path) -> None:
    """Writes HTML to `folder`, and XML to `folder`/xml. Raises SystemExit if Doxygen is not
    installed or fails. Its warnings are no failures: no version knows all of C++20."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = (_HERE / "Doxyfile").read_text() + (
        f'\nOUTPUT_DIRECTORY = "{folder}"\nLAYOUT_FILE = "{_HERE / "layout.xml"}"\n'
        f'INPUT_FILTER = "\\"{sys.executable}\\" \\"{_HERE / "header_filter.py"}\\""\n'
    )
    try:
        ended = subprocess.run(
            ["doxygen", "-"], input=settings, cwd=_ROOT, capture_output=True, text=True
        )
    except FileNotFoundError:
        sys.exit("there is no doxygen. Remedy: apt install doxygen, or ./dev docs")
    if ended.returncode != 0:
        sys.exit(f"doxygen: {ended.stderr}")
