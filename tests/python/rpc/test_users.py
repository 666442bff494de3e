"""Servers that serve only users whom they know by their tokens."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tasuki
from conftest import Command, wait_for
from demo_server import DemoServer, connect_to, needs_server
from tasuki.base.errors import CommandError
from tasuki.base.programs import BUILD_TREE
from tasuki.rpc.errors import AccessError, CallError, LostArrayError
from tasuki.rpc.users import read_users

pytestmark = needs_server
A, B = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([5.0, 10.0])


def made_token(folder: Path, name: str) -> str:
    """A new token for a user of `folder`/users.json; it is in NAME.token, too."""
    token = run("token", name, "--users", folder / "users.json").stdout.strip()
    file = folder / f"{name}.token"
    file.touch(0o600)
    file.write_text(token + "\n")
    return token


def run(*words: object, **settings: str) -> subprocess.CompletedProcess[str]:
    command = Command()
    command.environment.update(settings)
    return command(*words)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("users")
    for name in ("ann", "bob"):
        made_token(made, name)
    return made


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[DemoServer]:
    with DemoServer(1, "--users", folder / "users.json") as started:
        yield started


def token_of(folder: Path, name: str) -> str:
    return (folder / f"{name}.token").read_text().strip()


@pytest.mark.parametrize("name", ["ann", "bob"])
def test_a_user_calls(serving: DemoServer, folder: Path, name: str) -> None:
    for who in ({"token": token_of(folder, name)}, {"token_file": folder / f"{name}.token"}):
        server = tasuki.connect(serving.url, **who)
        np.testing.assert_allclose(server.linpack.solve(A, B), [1, 3])


def test_settings_say_who_calls(
    serving: DemoServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TASUKI_TOKEN_FILE", str(folder / "ann.token"))
    assert serving.connect().linpack
    monkeypatch.setenv("TASUKI_TOKEN", "nobody's, although there is a file")
    with pytest.raises(AccessError):
        serving.connect()


def test_without_a_token_or_with_a_wrong_one_nothing_is_said(
    serving: DemoServer, folder: Path
) -> None:
    with pytest.raises(AccessError, match=r"asks for a token.*TASUKI_TOKEN"):
        serving.connect()
    wrong = token_of(folder, "ann")[:-1] + "~"
    with pytest.raises(AccessError, match=r"does not know the token.*ask the server's operator"):
        tasuki.connect(serving.url, token=wrong)
    digest = json.loads((folder / "users.json").read_text())["ann"]["token_sha256"]
    with pytest.raises(AccessError, match="does not know the token"):
        tasuki.connect(serving.url, token=digest)


def frame(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


def test_a_client_that_says_no_hello_is_told_so(serving: DemoServer) -> None:
    with connect_to(serving.port) as stranger:
        stranger.sendall(frame(b"\x81\xa7message\xaainterfaces"))
        assert b"version 1 of the protocol" in stranger.recv(4096)
        assert stranger.recv(1) == b""


def test_a_first_message_is_short(serving: DemoServer) -> None:
    with connect_to(serving.port) as stranger:
        stranger.sendall((1 << 20).to_bytes(4, "big"))
        assert stranger.recv(1) == b""


def test_strangers_hold_nobody_up(serving: DemoServer, folder: Path) -> None:
    """Half-open, slow and wrong ones: a user gets in all the same, and they are ended."""
    token = token_of(folder, "ann")
    wrong = frame(b"\x83\xa7message\xa5hello\xa8protocol\x01\xa5token\xa5wrong")
    strangers = [connect_to(serving.port) for _ in range(200)]
    for i, one in enumerate(strangers):
        one.sendall((b"", wrong[:7], wrong)[i % 3])
    for _ in range(3):
        assert tasuki.connect(serving.url, token=token).linpack
    for one in strangers:
        one.close()
    assert tasuki.connect(serving.url, token=token).linpack


def test_a_byte_now_and_then_is_not_enough(serving: DemoServer) -> None:
    with connect_to(serving.port) as slow:
        slow.settimeout(0.5)
        slow.sendall(b"\x00\x00\x10")
        start = time.monotonic()
        with contextlib.suppress(ConnectionError):
            while True:
                with contextlib.suppress(socket.timeout):
                    if slow.recv(1) == b"":
                        break
                slow.sendall(b"\x00")
                assert time.monotonic() - start < 60
        assert time.monotonic() - start > 2  # Honest clients may be as slow.


def test_the_shell_shows_a_token_file(serving: DemoServer, folder: Path) -> None:
    words = ("info", serving.url, "linpack.solve")
    refused = run(*words)
    assert refused.returncode == 1
    assert "asks for a token" in refused.stderr
    told = run(*words, "--token-file", folder / "bob.token")
    assert told.returncode == 0 and "linpack.solve" in told.stdout
    call = ("call", serving.url, "linpack.solve", "A=[[2,1],[1,3]]", "b=[5,10]")
    called = run(*call, "--token-file", folder / "bob.token")
    assert called.returncode == 0, called.stderr


def test_grid_rpc_is_refused_without_a_token(serving: DemoServer, folder: Path) -> None:
    def said(**settings: str) -> str:
        environment = {**os.environ, "TASUKI_SERVER": serving.url, **settings}
        program = BUILD_TREE / "bin" / "example_grid_product"
        done = subprocess.run(
            [program], capture_output=True, text=True, timeout=60, env=environment
        )
        return done.stderr

    assert said().startswith("GRPC_RPC_REFUSED: ")
    # The demo has no such routine, but says so to those whom it knows.
    assert said(TASUKI_TOKEN=token_of(folder, "ann")).startswith("GRPC_FUNCTION_NOT_FOUND: ")


def test_the_example_in_c_shows_a_token_file(serving: DemoServer, folder: Path) -> None:
    program = BUILD_TREE / "bin" / "example_token"

    def said(file: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [program, serving.url, file], capture_output=True, text=True, timeout=60
        )

    assert said(folder / "ann.token").stdout.startswith("[{")
    wrong = folder / "wrong.token"
    wrong.touch(0o600)
    wrong.write_text("wrong")
    assert "does not know the token" in said(wrong).stderr
    wrong.chmod(0o644)
    assert f"chmod 600 {wrong}" in said(wrong).stderr


def test_one_token_needs_no_file_of_users() -> None:
    token = run("token", "me").stdout.split()[1]
    with DemoServer(1, TASUKI_TOKEN=token) as serving:
        server = tasuki.connect(serving.url, token=token)
        np.testing.assert_allclose(server.linpack.solve(A, B), [1, 3])
        others = set(serving.command.processes()) - {serving.process.pid}
        assert others
        for pid in others:  # The routines of a server do not see what lets its users in.
            assert token.encode() not in Path(f"/proc/{pid}/environ").read_bytes()
        with pytest.raises(AccessError):
            serving.connect()


def test_a_token_does_not_change_what_is_said_of_a_user(tmp_path: Path) -> None:
    file = tmp_path / "users.json"
    first = made_token(tmp_path, "ann")
    assert file.stat().st_mode & 0o777 == 0o600
    described = json.loads(file.read_text())
    described["ann"]["calls_at_once"] = 3
    file.write_text(json.dumps(described))
    made_token(tmp_path, "bob")
    assert made_token(tmp_path, "ann") != first
    ann, bob = read_users(file)
    assert (ann.name, ann.calls_at_once, bob.calls_at_once) == ("ann", 3, None)
    assert ann.token_sha256 != described["ann"]["token_sha256"]
    assert first not in file.read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "it is not JSON"),
        ("[]", "it is no object"),
        ("{}", "there is nobody in"),
        ('{"a b": {}}', "'a b' is no name"),
        ('{"ann": 1}', "what is said of ann is no object"),
        ('{"ann": {}}', "does not have token_sha256"),
        ('{"ann": {"token_sha256": "ab"}}', "64 hexadecimal digits"),
        (f'{{"ann": {{"token_sha256": "{"0" * 64}", "call": 1}}}}', "or more than"),
        (f'{{"ann": {{"token_sha256": "{"0" * 64}", "calls_at_once": -1}}}}', "no number from 0"),
        (f'{{"ann": {{"token_sha256": "{"0" * 64}", "calls_at_once": 1.5}}}}', "no number from 0"),
    ],
)
def test_a_file_of_users_that_is_none_is_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "users.json"
    file.touch(0o600)
    file.write_text(text)
    with pytest.raises(CommandError, match=said):
        read_users(file)


def test_serve_takes_no_file_that_others_may_read_and_no_short_token(tmp_path: Path) -> None:
    made_token(tmp_path, "ann")
    for option, file in (("--users", "users.json"), ("--token-file", "ann.token")):
        (tmp_path / file).chmod(0o604)
        refused = run("serve", "--demo", option, tmp_path / file)
        assert refused.returncode == 1
        assert f"chmod 600 {tmp_path / file}" in refused.stderr
    refused = run("serve", "--demo", TASUKI_TOKEN="secret")
    assert "less than 32 characters" in refused.stderr


def test_a_folder_is_no_file_of_a_secret(tmp_path: Path) -> None:
    for options in (("--users",), ("--token-file",), ("--tls-certificate", "c.pem", "--tls-key")):
        refused = run("serve", "--demo", *options, tmp_path)
        assert refused.returncode == 1
        assert "is a folder, not a file" in refused.stderr.replace("\n", " ")


def test_a_file_of_users_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "none" / "users.json"
    refused = run("token", "ann", "--users", file)
    assert refused.returncode == 1
    expected = (
        f"{file} cannot be written: No such file or directory. Remedy: give a file in a folder"
    )
    assert expected in refused.stderr.replace("\n", " ")


def test_a_name_is_one(tmp_path: Path) -> None:
    refused = run("token", "a b", "--users", tmp_path / "users.json")
    assert refused.returncode == 1
    assert "use letters, digits" in refused.stderr


def test_tokens_are_not_shown() -> None:
    shown = run("info", TASUKI_TOKEN="a-secret-that-is-not-shown").stdout
    assert "TASUKI_TOKEN" in shown
    assert "a-secret" not in shown


def test_a_server_ends_beside_strangers(folder: Path) -> None:
    with DemoServer(1, "--users", folder / "users.json") as serving:
        with connect_to(serving.port) as stranger:
            stranger.sendall(b"\x00")
            serving.process.send_signal(signal.SIGINT)
            serving.process.wait(timeout=60)
        wait_for(lambda: not serving.command.processes())
    with pytest.raises(CallError, match="does not answer"):
        serving.connect()


def test_a_user_reaches_no_array_of_another(serving: DemoServer, folder: Path) -> None:
    ann, bob = (
        tasuki.connect(serving.url, token=token_of(folder, name)) for name in ("ann", "bob")
    )
    a = ann.put(A, like=ann.linpack.solve.a)
    own = bob.put(A, like=bob.linpack.solve.a)
    own.kept = a.kept  # As if Bob had overheard its name.
    with pytest.raises(LostArrayError, match="the array is not there"):
        bob.linpack.solve(own, B)
    own.free()
    np.testing.assert_allclose(ann.linpack.solve(a, B), [1, 3])
    assert [one.name for one in ann.kept] == [a.kept]
