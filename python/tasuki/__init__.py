"""Tasuki: remote function calls, global pointers and measured collectives for clusters."""

from typing import Any


def __getattr__(name: str) -> Any:
    """Returns `__version__`, as CMakeLists.txt declares it, or `connect`, which calls the routines
    of a server; looked up only when asked for."""
    if name == "connect":
        from tasuki.rpc.client import connect

        return connect
    if name == "__version__":
        from importlib.metadata import version

        return version("tasuki")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
