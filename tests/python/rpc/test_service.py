"""The unit of systemd among the examples."""

import configparser
import shutil
import subprocess
from pathlib import Path

from tasuki.commands.app import app
from typer.testing import CliRunner

UNIT = Path(__file__).resolve().parents[3] / "examples" / "tasuki.service"


def test_the_unit_has_what_it_needs() -> None:
    unit = configparser.ConfigParser(strict=True, interpolation=None)
    unit.optionxform = str
    unit.read_string(UNIT.read_text())
    service = unit["Service"]
    assert service["Type"] == "exec"
    assert service["ExecReload"].endswith("-HUP $MAINPID")
    assert service["KillMode"] == "mixed"
    assert service["NoNewPrivileges"] == "yes" and service["ProtectSystem"] == "strict"
    assert unit["Install"]["WantedBy"] == "multi-user.target"


def test_its_options_are_those_of_the_command() -> None:
    command = next(line for line in UNIT.read_text().splitlines() if line.startswith("ExecStart="))
    options = [word for word in command.split() if word.startswith("--")]
    help_text = CliRunner().invoke(app, ["serve", "--help"], env={"COLUMNS": "200"}).stdout
    assert options and all(option in help_text for option in options)


def test_systemd_takes_it_where_it_is() -> None:
    if shutil.which("systemd-analyze") is None:
        return  # The tests above have read it; no machine without systemd starts it.
    result = subprocess.run(
        ["systemd-analyze", "verify", UNIT], capture_output=True, text=True, timeout=60
    )
    assert result.returncode == 0, result.stderr
