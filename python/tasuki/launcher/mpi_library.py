"""Which MPI library a program loads: that of the mpiexec which starts it.

A program that was linked with one version of an MPI runs with another one whose binary interface is
the same: Open MPI 4 and 5; MPICH 3 and newer and all that keep to its ABI initiative.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from tasuki.base.errors import usage_error

# The file that has the interface, and other names under which programs ask for it.
_LIBRARIES = {
    "ompi": ("libmpi.so.40", ()),
    "mpich": ("libmpi.so.12", ("libmpich.so.12", "libmpi.so.12")),
}


def library_path(kind: str, mpiexec: str, environment: Mapping[str, str]) -> str | None:
    """LD_LIBRARY_PATH with which programs load the library installed beside `mpiexec`.

    None if none lies in its `lib`: then the system's own is the one. `kind` is ompi or mpich.
    """
    folder = Path(mpiexec).resolve().parent.parent / "lib"
    file, names = _LIBRARIES[kind]
    if not (folder / file).is_file():
        folder = Path(mpiexec).parent.parent / "lib"
    if not (folder / file).is_file():
        return None
    missing = [name for name in names if not (folder / name).exists()]
    found = _with_names(folder, file, missing) if missing else folder
    before = environment.get("LD_LIBRARY_PATH")
    return f"{found}:{before}" if before else str(found)


def _with_names(folder: Path, file: str, names: list[str]) -> Path:
    """A folder of links to all there is in `folder`, where `file` has the other names too.

    All, because a library looks beside itself for those it needs.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    mark = hashlib.sha256(str(folder).encode()).hexdigest()[:16]
    links = cache / "tasuki" / f"mpi-library-{mark}"
    try:
        _link(links, folder, file, names)
    except OSError as failure:
        raise usage_error(
            "run",
            f"the names under which programs ask for {folder / file} cannot be made: {failure}",
            "set XDG_CACHE_HOME to a folder that can be written, on all nodes of the job",
        ) from failure
    return links


def _link(links: Path, folder: Path, file: str, names: list[str]) -> None:
    links.mkdir(parents=True, exist_ok=True)
    wanted = {entry.name: entry for entry in folder.iterdir()}
    wanted |= {name: folder / file for name in names}
    for name, target in wanted.items():
        link = links / name
        if link.is_symlink() and os.readlink(link) == str(target):
            continue
        fresh = links / f".{name}.{os.getpid()}"
        fresh.symlink_to(target)
        fresh.replace(link)  # At once, since another job may just load it.
