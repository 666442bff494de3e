"""The command with a library that does nothing, and programs that write made-up events."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import InstalledCommand

PROGRAM = Path(__file__).parent / "written_program.py"
COMPILER = shutil.which("cc")


class ProfileCommand(InstalledCommand):
    """`tasuki profile` of a package whose library is empty."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.library = self.package / "lib" / "tasuki" / "libtasuki_mpi.so"
        self.library.parent.mkdir(parents=True)
        compile_library(self.library, "")
        self.environment["TMPDIR"] = str(folder)
        self.folder = folder

    def profile(self, case: str, *more: str, options: tuple[str, ...] = (), **asked):
        command = (sys.executable, PROGRAM, case, *more)
        return self("profile", *options, "--", *command, **asked)

    def left_over(self) -> list[Path]:
        return list(self.folder.glob("tasuki-profile-*"))


def compile_library(path: Path, text: str, *options: str) -> None:
    command = [COMPILER, "-shared", "-fPIC", "-xc", "-", "-o", path, *options]
    subprocess.run(command, input=text, text=True, check=True)


@pytest.fixture(name="profiled")
def made_command(tmp_path) -> ProfileCommand:
    return ProfileCommand(tmp_path / "site")


def folder_in(stdout: str) -> Path:
    """The folder in which the program says that it has written its events."""
    return Path(re.search("written to ([^,]*),", stdout)[1])
