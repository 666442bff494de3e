"""Finding the program to run."""

import os

from tasuki.base.errors import usage_error


def find_program(name: str) -> str | None:
    """The path of `name` as a shell would find it, or None if it is not there or not executable."""
    if "/" in name:
        return name if _is_executable(name) else None
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder or ".", name)
        if _is_executable(path):
            return path
    return None


def require_program(name: str) -> str:
    """The path of `name`; raises CommandError (exit code 2) saying why there is none."""
    path = find_program(name)
    if path is not None:
        return path
    if os.path.isdir(name):
        raise usage_error("run", f"{name} is a folder", "give the program itself")
    if os.path.exists(name):
        if "/" in name:
            raise usage_error("run", f"{name} is not executable", f"chmod +x {name}")
        raise usage_error(
            "run", f"{name} is not in the PATH", f"to run the one in this folder give ./{name}"
        )
    raise usage_error(
        "run", f"program {name} not found", "check the spelling and the PATH, or give its path"
    )


def _is_executable(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)
