"""The unit of systemd among the examples: read here, and by systemd itself where that is."""

import configparser
import re
import shlex
import subprocess
from pathlib import Path

import pytest
import typer
from tasuki.commands.app import app

UNIT = Path(__file__).resolve().parents[3] / "examples" / "tasuki.service"
COMMAND = r"(/\S+)( .*)?"  # systemd looks a program up by its whole path.
SECONDS = r"[0-9]+"
YES_OR_NO = "yes|no"
# The directives of systemd.unit(5), systemd.service(5), systemd.kill(5) and systemd.exec(5) that a
# server needs, and what they may be: systemd itself ignores a name that it does not know.
DIRECTIVES = {
    "Unit": {"Description": ".+", "After": r"([\w.-]+\.(target|service) ?)+"},
    "Service": {
        "Type": "simple|exec|forking|oneshot|dbus|notify|notify-reload|idle",
        "ExecStart": COMMAND,
        "ExecReload": COMMAND,
        "KillMode": "control-group|mixed|process|none",
        "TimeoutStopSec": SECONDS,
        "Restart": "no|on-success|on-failure|on-abnormal|on-watchdog|on-abort|always",
        "User": r"[a-z_][a-z0-9_-]*",
        "CacheDirectory": r"[\w-]+(/[\w-]+)*",
        "LogsDirectory": r"[\w-]+(/[\w-]+)*",
        "TasksMax": "[0-9]+|infinity",
        "NoNewPrivileges": YES_OR_NO,
        "ProtectSystem": "yes|no|full|strict",
        "ProtectHome": "yes|no|read-only|tmpfs",
        "PrivateTmp": YES_OR_NO,
        "ProtectKernelTunables": YES_OR_NO,
        "ProtectKernelModules": YES_OR_NO,
        "ProtectControlGroups": YES_OR_NO,
        "RestrictAddressFamilies": r"none|~?(AF_[A-Z0-9]+ ?)+",
        "LockPersonality": YES_OR_NO,
    },
    "Install": {"WantedBy": r"[\w-]+\.target"},
}


def faults_of(text: str) -> list[str]:
    """What systemd would ignore or refuse."""
    unit = configparser.ConfigParser(strict=True, interpolation=None)
    unit.optionxform = str
    unit.read_string(text)
    faults = [f"[{section}] is missing" for section in DIRECTIVES if section not in unit]
    for section in unit.sections():
        known = DIRECTIVES.get(section, {})
        for name, value in unit[section].items():
            if name not in known:
                faults.append(f"[{section}] has no {name}")
            elif re.fullmatch(known[name], value) is None:
                faults.append(f"{name} may not be {value}")
    return faults


def service() -> dict[str, str]:
    lines = [line.partition("=") for line in UNIT.read_text().splitlines()]
    return {name: value for name, equals, value in lines if equals and not name.startswith("#")}


def test_the_unit_is_one_of_systemd() -> None:
    assert faults_of(UNIT.read_text()) == []


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ("Restart=on-failure", "Restart=sometimes", "Restart may not be sometimes"),
        ("KillMode=", "KillModus=", "[Service] has no KillModus"),
        ("ExecStart=/usr/bin/env tasuki", "ExecStart=tasuki", "ExecStart may not be tasuki serve "),
        ("[Install]", "[Installation]", "[Install] is missing"),
        ("Description=Numerical routines of Tasuki", "Description=", "Description may not be "),
    ],
)
def test_what_systemd_would_not_take_is_found(right: str, wrong: str, fault: str) -> None:
    text = UNIT.read_text()
    assert right in text
    assert any(one.startswith(fault) for one in faults_of(text.replace(right, wrong)))


def test_the_server_can_do_what_systemd_asks_of_it() -> None:
    unit = service()
    assert unit["ExecReload"].endswith("-HUP $MAINPID")
    assert unit["KillMode"] == "mixed"  # So that ranks go on until the server has drained.
    assert unit["NoNewPrivileges"] == "yes" and unit["ProtectSystem"] == "strict"
    assert unit["WantedBy"] == "multi-user.target"
    # Nothing else may be written.
    assert f"--log /var/log/{unit['LogsDirectory']}/" in unit["ExecStart"]
    assert f"--build-folder /var/cache/{unit['CacheDirectory']} " in unit["ExecStart"]
    drain_limit = re.search(r"--drain-limit ([0-9]+)s", unit["ExecStart"])
    assert drain_limit and int(drain_limit[1]) < int(unit["TimeoutStopSec"])


def test_the_command_takes_its_options() -> None:
    program, name, subcommand, *arguments = shlex.split(service()["ExecStart"])
    assert (program, name, subcommand) == ("/usr/bin/env", "tasuki", "serve")
    serve = typer.main.get_command(app).commands[subcommand]
    taken = serve.make_context(subcommand, arguments).params
    assert (taken["port"], str(taken["log"])) == (7777, "/var/log/tasuki/calls.log")
    assert str(taken["build_folder"]) == "/var/cache/tasuki"


@pytest.mark.takes_systemd
def test_systemd_takes_it() -> None:
    result = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", UNIT], capture_output=True, text=True, timeout=60
    )
    assert result.returncode == 0, result.stderr
    # It warns of what it ignores, and of other units of the machine.
    assert [line for line in result.stderr.splitlines() if UNIT.name in line] == []
