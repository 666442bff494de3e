"""Shells complete the command line of `tasuki` by the files that are installed for them."""

import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest
from conftest import REPOSITORY

FILES = REPOSITORY / "tools" / "completion"
# What calls the function that bash calls on Tab, with the words of the line in "$@".
BASH = """
source {file}
read -r _ _ _ _ function _ < <(complete -p tasuki)
COMP_WORDS=(tasuki "$@") COMP_CWORD=$#
$function tasuki
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(autouse=True)
def command_in_path(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(sys.executable).parent
    assert (folder / "tasuki").exists(), "./dev test installs it"
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


def completed_by_bash(*words: str) -> list[str]:
    """What may stand in place of the last word."""
    script = BASH.format(file=FILES / "tasuki.bash")
    shell = ["bash", "--norc", "-c", script, "bash", *words]
    return subprocess.run(shell, check=True, capture_output=True, text=True).stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["re"], ["reproduce"]),
        (["bench", "np"], ["npb"]),
        (["bench", "npb", "--impl", ""], ["tasuki", "mpi", "both"]),
        # Of `tasuki run`, whose options are argparse's.
        (["run", "--tran"], ["--transport"]),
        (["run", "--transport", ""], ["shm", "mpi", "ucx"]),
        (["run", "--policy", "d"], ["default"]),
        (["run", "--bind", ""], ["core", "none"]),
        # Bash goes on with the names of files.
        (["run", "-n", "2", "./prog"], []),
        # Options behind the program are its own.
        (["run", "-n", "2", "./prog", "--"], []),
        (["run", "-n", "2", "./prog", "--transport", ""], []),
        (["run", "-n", "2", "--", "./prog", "--transport", ""], []),
        (["profile", "mpirun", "-n", "2", "./prog", "--tr"], []),
        (["profile", "--tr"], ["--trace"]),
    ],
)
def test_bash(words: list[str], expected: list[str]) -> None:
    assert completed_by_bash(*words) == expected


def test_fish() -> None:
    script = f"source {FILES / 'tasuki.fish'}; complete -C 'tasuki run --transport '"
    result = subprocess.run(["fish", "-c", script], capture_output=True, text=True)
    assert result.stdout.split() == ["mpi", "shm", "ucx"], result.stderr


def test_zsh(tmp_path: Path) -> None:
    (tmp_path / "_tasuki").symlink_to(FILES / "tasuki.zsh")
    shell = pexpect.spawn("zsh", ["-f", "-i"], encoding="utf8", timeout=60)
    shell.sendline(
        f"fpath=({tmp_path} $fpath); autoload -Uz compinit; compinit -u -D; echo rea''dy"
    )
    shell.expect_exact("ready")
    shell.send("tasuki run --tran\t")
    shell.expect_exact("--transport")
    shell.send(" \t\t")
    shell.expect("mpi +shm +ucx")
    shell.terminate(force=True)
