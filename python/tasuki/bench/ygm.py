"""The programs of `tasuki bench kernels --ygm`: compiled against the headers of YGM, which is not
part of Tasuki."""

import shutil
import subprocess
from pathlib import Path

from tasuki.base.errors import CommandError, usage_error
from tasuki.base.programs import SOURCE_TREE

OPERATION = "bench kernels"
HEADER = Path("ygm/comm.hpp")
PROGRAM = SOURCE_TREE / "bench/kernels/ygm/main.cpp"
# As the programs of a release build; YGM's own build asks for no more.
OPTIONS = ("-std=c++20", "-O3", "-DNDEBUG")


def headers_of(folder: Path) -> Path:
    """What the compiler's -I wants, `folder` being that of YGM's sources or of its headers.

    Raises CommandError if it is neither.
    """
    for one in (folder, folder / "include"):
        if (one / HEADER).is_file():
            return one.resolve()
    raise usage_error(
        OPERATION,
        f"--ygm {folder} has no {HEADER}",
        "name the folder of YGM's sources or headers: git clone https://github.com/LLNL/ygm",
    )


def build_ygm(headers: Path, mpiexec: str, folder: Path) -> Path:
    """Compiles the kernels with the wrapper that belongs to `mpiexec`, in `folder`. Returns: the
    program. Raises CommandError: no sources, no wrapper, or what the compiler said."""
    if not PROGRAM.is_file():
        raise CommandError(
            OPERATION, "the sources of the kernels are not installed", "run it in Tasuki's sources"
        )
    path = Path(mpiexec)
    wrapper = path.with_name(path.name.replace("mpiexec", "mpicxx"))
    if shutil.which(wrapper) is None:
        raise CommandError(
            OPERATION, f"there is no {wrapper} to compile YGM's kernels with",
            "install it, as with: apt install libopenmpi-dev libmpich-dev",
        )  # fmt: skip
    program = folder / f"kernels_ygm_{wrapper.name}"
    includes = (SOURCE_TREE / "apps", PROGRAM.parents[1], headers)
    command = [str(wrapper), *OPTIONS, *(f"-I{one}" for one in includes), str(PROGRAM)]
    ended = subprocess.run([*command, "-o", str(program)], capture_output=True, text=True)
    if ended.returncode != 0:
        errors = (line for line in ended.stderr.splitlines() if "error" in line)
        raise CommandError(
            OPERATION, f"YGM's kernels do not compile: {next(errors, ended.stderr)}",
            "YGM needs cereal and Boost: apt install libcereal-dev libboost-dev",
        )  # fmt: skip
    return program
