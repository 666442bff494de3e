"""The compiled extension module, loaded from where the compiled programs are.

`extension.pyi` beside it has its types. Imported by `tasuki.ranks` alone.
"""

import importlib.util
import platform
import sys
from importlib.machinery import ExtensionFileLoader
from types import ModuleType

from tasuki.base.programs import find_extension

NAME = "tasuki_ranks"


# Python 3.14.0 compares the stack pointer with the bounds of its thread's own stack, and takes each
# fiber of a rank for an overflow. Later versions let stacks outside of these bounds be (CPython's
# issue 139653). No system that Tasuki is tested on has one of them.
FIRST_REFUSED = (3, 14)


def _load() -> ModuleType:
    if sys.version_info >= FIRST_REFUSED:
        raise ImportError(
            "tasuki: import tasuki.ranks: it is not tested with Python"
            f" {platform.python_version()}; 3.14.0 allows no stacks but those of its own threads,"
            " and called functions run on others. Remedy: run the ranks with Python 3.10 to 3.13"
        )
    path = find_extension(NAME)
    if path is None:
        raise ImportError(
            "tasuki: import tasuki.ranks: its extension module is not part of this build for"
            f" Python {platform.python_version()}. Remedy: install the headers of Python"
            " (apt install python3-dev) and nanobind (pip install nanobind), then build with:"
            " ./dev build, or: pip install ."
        )
    loader = ExtensionFileLoader(NAME, str(path))
    spec = importlib.util.spec_from_file_location(NAME, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


_module = _load()
globals().update({name: getattr(_module, name) for name in dir(_module) if name[0] != "_"})
