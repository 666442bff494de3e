"""The compiled extension module, loaded from where the compiled programs are.

`extension.pyi` beside it has its types. Imported by `tasuki.ranks` alone.
"""

import importlib.util
import platform
from importlib.machinery import ExtensionFileLoader
from types import ModuleType

from tasuki.base.programs import find_extension

NAME = "tasuki_ranks"


def _load() -> ModuleType:
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
