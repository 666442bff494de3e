"""Tasuki: remote function calls, global pointers and measured collectives for clusters."""


def __getattr__(name: str) -> str:
    """Returns `__version__` as CMakeLists.txt declares it; looked up only when asked for."""
    if name == "__version__":
        from importlib.metadata import version

        return version("tasuki")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
