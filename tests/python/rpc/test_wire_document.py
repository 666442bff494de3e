"""docs/formats/wire.md has each message that client, front end and ranks send, with each field."""

import contextlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack
import pytest
import tasuki
from conftest import REPOSITORY, Command, wait_for
from demo_server import CAN_SHARE_MEMORY, needs_server
from serving import ServeCommand

HERE = Path(__file__).parent
FORMATS = REPOSITORY / "docs" / "formats"
PAGE = (FORMATS / "wire.md").read_text()
MODES = ("hand-off", "call-back", "relay", "buffering", "original")
KINDS = {
    "text": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "map": lambda value: isinstance(value, dict),
    "texts": lambda value: all(isinstance(one, str) for one in value),
    "integers": lambda value: all(isinstance(one, int) for one in value),
}


@dataclass
class Field:
    """A row of a table."""

    path: str
    kind: str  # Of its value; a link leads to what describes the value.
    is_always: bool

    def matches(self, path: str) -> bool:
        pattern = re.escape(self.path).replace("NAME", r"\w+")
        return re.fullmatch(pattern, path) is not None

    def has_good(self, value: Any) -> bool:
        return self.kind.startswith("[") or KINDS[self.kind](value)


@dataclass
class Message:
    """A heading of the page, and the table below it."""

    name: str
    sender: str
    receiver: str
    fields: list[Field]

    @property
    def senders(self) -> set[str]:
        """Between client and ranks the front end may stand in the place of either."""
        ends = {self.sender, self.receiver}
        if self.name == "ticket":  # Whoever has opened the connection says it.
            return {*ends, "front end"}
        return {self.sender} if "front end" in ends else {self.sender, "front end"}

    def field(self, path: str) -> Field | None:
        return next((one for one in self.fields if one.matches(path)), None)


def messages() -> list[Message]:
    found = []
    heading = r"^### (?:`(\w+)`|A ticket), (client|rank|front end) to (client|rank|front end)\n"
    parts = re.split(heading, PAGE, flags=re.MULTILINE)[1:]
    for name, sender, receiver, body in zip(*(parts[i::4] for i in range(4)), strict=True):
        table = re.split(r"^#", body, flags=re.MULTILINE)[0]
        rows = re.findall(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|", table, re.MULTILINE)
        fields = [Field(path, kind, when == "always") for path, kind, when in rows]
        found.append(Message(name or "ticket", sender, receiver, fields))
    return found


MESSAGES = messages()


@pytest.fixture(scope="module")
def tap(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("library") / "message_tap.so"
    source = HERE / "message_tap.c"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", source, "-o", made, "-ldl"], check=True)
    return made


@pytest.fixture(scope="module")
def recorded(tap: Path, tmp_path_factory) -> dict[str, Path]:
    """Folders of what a server's processes and its clients have sent, in all modes."""
    folder = tmp_path_factory.mktemp("wire")
    for suffix in ("idl", "py"):
        shutil.copy(HERE / "routines" / f"messages.{suffix}", folder)
    users = folder / "users.json"
    token = Command()("token", "ann", "--users", users).stdout.strip()
    described = json.loads(users.read_text())
    described["ann"]["kept_memory_bytes"] = 1 << 30
    users.write_text(json.dumps(described))
    folders = {end: tmp_path_factory.mktemp(end) for end in ("server", "client")}
    taps = {
        end: {"LD_PRELOAD": str(tap), "MESSAGE_TAP": str(made)} for end, made in folders.items()
    }
    arguments = (folder / "messages.idl", "-n", 2, "--users", users, "--rank-timeout", "5s")
    with contextlib.ExitStack() as stack:
        serving = ServeCommand(*arguments, stderr=None, **taps["server"])
        stack.push(serving)
        modes = ("memory", *MODES) if CAN_SHARE_MEMORY else MODES
        settings = {"TASUKI_TOKEN": token, "PYTHONPATH": str(REPOSITORY / "python")}
        subprocess.run(
            [sys.executable, HERE / "exchange_messages.py", serving.url, *modes],
            env=os.environ | taps["client"] | settings,
            check=True,
            timeout=300,
        )
        # Ranks that are leased, and say nothing for some time, are asked.
        with tasuki.connect(serving.url, token=token) as client:
            client.messages.Total()
            of_ranks = "[!t]*"  # The front end's file begins with tasuki_server.
            sent = folders["server"].glob
            wait_for(lambda: any(b"\xa4here" in one.read_bytes() for one in sent(of_ranks)), 120)
    return folders


def sent_frames(file: Path) -> Iterator[dict[str, Any]]:
    """The messages among what a process has sent: each begins what went out by one call."""
    data = file.read_bytes()
    while data:
        (count,) = struct.unpack_from("=I", data)
        sent, data = data[4 : 4 + count], data[4 + count :]
        if len(sent) <= 4:
            continue
        (length,) = struct.unpack_from(">I", sent)
        if not 1 < length <= len(sent) - 4:
            continue
        try:
            message = msgpack.unpackb(sent[4 : 4 + length])
        except ValueError:
            continue  # Part of an array.
        if isinstance(message, dict) and {"message", "ticket"} & set(message):
            yield message


@pytest.fixture(scope="module")
def seen(recorded: dict[str, Path]) -> list[tuple[str, dict[str, Any]]]:
    """Who has sent what."""
    found = []
    for end, folder in recorded.items():
        for file in folder.iterdir():
            is_front_end = file.name.startswith("tasuki_server.")
            sender = "client" if end == "client" else "front end" if is_front_end else "rank"
            found += [(sender, message) for message in sent_frames(file)]
    return found


def leaves(value: Any, path: str, message: Message) -> Iterator[tuple[str, Any]]:
    """Paths and values of all that a row may describe, and no row divides further."""
    field = message.field(path)
    if field is not None and field.kind not in ("array", "map"):
        yield path, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, f"{path}.{name}" if path else name, message)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, f"{path}[]", message)
    else:
        yield path, value


def meant(sender: str, content: dict[str, Any]) -> Message:
    """The page's message: of the same name and sender, and with the fields that it has."""
    name = content.get("message", "ticket")
    told = set(content) - {"message"}
    for one in MESSAGES:
        known = {re.split(r"[.\[]", field.path)[0] for field in one.fields}
        if one.name == name and sender in one.senders and told <= known:
            return one
    raise AssertionError(f"{sender} has sent {content}, which is not in the page")


@needs_server
def test_all_that_is_sent_is_in_the_page(seen) -> None:
    for sender, content in seen:
        message = meant(sender, content)
        fields = {name: value for name, value in content.items() if name != "message"}
        for path, value in leaves(fields, "", message):
            field = message.field(path)
            assert field, f"{message.name} of {sender} has {path}, and the page does not"
            assert field.has_good(value), f"{message.name}: {path} = {value!r} is no {field.kind}"


@needs_server
def test_what_is_always_there_is_there(seen) -> None:
    for sender, content in seen:
        message = meant(sender, content)
        present = set(content)
        for field in message.fields:
            if field.is_always and not re.search(r"[.\[]|NAME", field.path):
                assert field.path in present, f"{message.name} of {sender} lacks {field.path}"


@needs_server
def test_the_page_has_no_message_that_nobody_sends(seen) -> None:
    sent = {(content.get("message", "ticket"), sender) for sender, content in seen}
    for message in MESSAGES:
        if message.name in ("welcome", "taken") and not CAN_SHARE_MEMORY:
            continue
        assert {(message.name, one) for one in message.senders} & sent, message


# What `tasuki serve` tells its front end by a pipe: both are of one build.
OF_THE_PIPE = ("server_options.cpp", "served_module.cpp", "server_program.cpp")
SOURCES = [
    file
    for room in ("wire", "links", "client", "rank", "server")
    for file in sorted((REPOSITORY / "src" / "rpc" / room).glob("*.[ch]pp"))
    if file.name not in OF_THE_PIPE
]
FIELD_PATTERNS = (
    r'field_o[fr](?:<[^"]*?>)?\([^"]*?"(\w+)"',
    r'(?:contains|at|value|find)\("(\w+)"',
    r'\{"(\w+)",',
    r'\["(\w+)"\]',
)


def test_each_message_in_the_code_is_in_the_page() -> None:
    known = {one.name for one in MESSAGES}
    for file in SOURCES:
        for name in re.findall(r'\{"message", "(\w+)"\}', file.read_text()):
            assert name in known, f"{file.name}: {name}"


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_each_field_in_the_code_is_in_a_page(file: Path) -> None:
    pages = "".join(page.read_text() for page in FORMATS.glob("*.md"))
    known = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", pages))))
    not_fields = {"do", "Allow"}  # Of the same pipe, and a header of HTTP.
    for pattern in FIELD_PATTERNS:
        named = set(re.findall(pattern, file.read_text())) - not_fields
        assert named <= known, named - known


def test_kinds_of_errors_are_those_of_the_code() -> None:
    code = "".join(file.read_text() for file in SOURCES)
    kinds = set(re.findall(r'char\* \w+_kind = "([\w-]+)"', code))
    kinds |= set(re.findall(r': Lost\("([\w-]+)"', code))
    table = PAGE.partition("| kind |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE)) == kinds


def test_the_page_says_version_and_limits_of_the_code() -> None:
    wire = REPOSITORY / "src" / "rpc" / "wire"
    code = (wire / "protocol.hpp").read_text() + (wire / "frame.hpp").read_text()
    version = re.search(r"protocol_version = (\d+);", code)[1]
    assert PAGE.count(f"version of the protocol: {version} |") == 2
    assert f"version of the protocol, which is {version}." in PAGE
    depth = re.search(r"frame_depth_most = (\d+);", code)[1]
    assert f"at most {depth} deep" in PAGE
    for name, unit, shift in (
        ("frame_most_bytes", "MiB", 20),
        ("first_frame_most_bytes", "KiB", 10),
    ):
        count = re.search(rf" {name} = std::size_t{{(\d+)}} << {shift};", code)[1]
        assert f"at most {count} {unit}" in PAGE
