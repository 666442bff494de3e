"""The page of a server that serves only users whom it knows by their tokens."""

import contextlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tasuki
from conftest import Command, wait_for
from demo_server import connect_to, needs_server
from page_browser import needs_browser, see, started_browser  # noqa: F401
from tasuki.rpc.errors import CallCancelledError, LostArrayError
from web_server import WebServer

pytestmark = needs_server
PROTECTED = (
    "/api/status", "/api/routines", "/api/calls", "/api/ranks", "/api/arrays", "/metrics",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("routines")


def made_token(folder: Path, name: str) -> str:
    made = Command()("token", name, "--users", folder / "users.json").stdout.strip()
    assert made
    return made


@pytest.fixture(scope="module")
def token(folder) -> str:
    return made_token(folder, "ann")


@pytest.fixture(scope="module")
def other_token(folder) -> str:
    return made_token(folder, "bob")


@pytest.fixture(scope="module")
def server(folder, token, other_token) -> Iterator[WebServer]:
    assert token != other_token
    with WebServer(folder, "--users", folder / "users.json") as started:
        yield started


@pytest.mark.parametrize("path", PROTECTED)
def test_nothing_is_told_without_a_token(server, path):
    answer, text = server.request(path)
    assert (answer.status, text) == (401, "This server asks for a token.\n")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    for wrong in ("Bearer wrong", "Bearer ", "Basic YTpi"):
        assert server.request(path, Authorization=wrong)[0].status == 401


@pytest.mark.parametrize("path", PROTECTED)
def test_a_token_opens_everything(server, token, path):
    assert server.request(path, Authorization=f"Bearer {token}")[0].status == 200


def test_a_cookie_stands_for_the_token_until_one_logs_out(server, token):
    answer, _ = server.request("/login", "POST", f"token={token}")
    cookie, *attributes = answer.headers["Set-Cookie"].split("; ")
    assert answer.status == 204
    assert set(attributes) == {"Path=/", "HttpOnly", "SameSite=Strict"}
    _, text = server.request("/api/status", Cookie=f"other=1; {cookie}")
    assert json.loads(text)["user"] == "ann" and json.loads(text)["needs_token"]
    assert token not in cookie  # Browsers send it to other servers of the same host.
    answer, _ = server.request("/logout", "POST", Cookie=cookie)
    assert "Max-Age=0" in answer.headers["Set-Cookie"]
    assert server.request("/api/status", Cookie=cookie)[0].status == 401


def test_strangers_hold_no_user_up(server, token):
    strangers = [connect_to(server.port) for _ in range(200)]
    try:
        for one in strangers:
            one.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert server.request("/api/status", Authorization=f"Bearer {token}")[0].status == 200
        # The first ones have been ended: the page has room for fewer.
        assert ends(strangers[0])
    finally:
        for one in strangers:
            one.close()


def ends(connection: socket.socket) -> bool:
    """Whether the peer has ended the connection, after what it has sent."""
    connection.settimeout(60)
    with contextlib.suppress(ConnectionError):
        while connection.recv(65536):
            pass
    return True


@pytest.mark.parametrize("path", ["/api/calls/1", "/api/arrays/a"])
def test_nothing_is_changed_without_a_token(server, path):
    assert server.request(path, "DELETE")[0].status == 401
    assert server.request(path, "DELETE", Authorization="Bearer wrong")[0].status == 401


def test_users_see_and_free_their_own_arrays(server, token, other_token):
    client = tasuki.connect(server.url, token=token)
    kept = client.put(np.eye(5), like=client.linpack.solve.A)
    path = f"/api/arrays/{kept.kept}"
    ann, bob = ({"Authorization": f"Bearer {one}"} for one in (token, other_token))
    [listed] = wait_for(lambda: server.ask("/api/arrays", **ann)["arrays"])
    assert (listed["name"], listed["user"]) == (kept.kept, "ann")
    assert server.ask("/api/arrays", **bob)["arrays"] == []
    assert server.request(path, "DELETE", **bob)[0].status == 404
    client.linpack.solve(kept, np.ones(5))
    assert server.request(path, "DELETE", **ann)[0].status == 202
    wait_for(lambda: not server.ask("/api/arrays", **ann)["arrays"])
    with pytest.raises(LostArrayError, match=r"it was freed by ann at 127\.0\.0\.1"):
        client.linpack.solve(kept, np.ones(5))


def test_users_cancel_their_own_calls(server, token, other_token):
    ann, bob = ({"Authorization": f"Bearer {one}"} for one in (token, other_token))
    server.gate.unlink()
    try:
        job = tasuki.connect(server.url, token=token).gates.double_it.submit(np.ones(5))
        [call] = wait_for(lambda: server.ask("/api/calls", **bob)["current"])
        path = f"/api/calls/{call['number']}"
        answer, text = server.request(path, "DELETE", **bob)
        assert (answer.status, text) == (403, "The call is another user's.\n")
        assert server.request(path, "DELETE", **ann)[0].status == 204
        with pytest.raises(CallCancelledError, match=r"it was cancelled by ann at 127\.0\.0\.1"):
            job.result(60)
    finally:
        server.gate.touch()


@pytest.mark.parametrize("body", ["", "token=", "token=wrong", "token=a%0d%0aSet-Cookie:%20x=y"])
def test_wrong_tokens_make_no_cookie(server, body):
    answer, _ = server.request("/login", "POST", body)
    assert answer.status == 401 and "Set-Cookie" not in answer.headers


def test_logins_and_wrong_tokens_are_written_down(folder, token, tmp_path):
    log = tmp_path / "calls.log"
    with WebServer(folder, "--users", folder / "users.json", "--log", log) as server:
        server.request("/login", "POST", "token=wrong")
        server.request("/api/status", Authorization="Bearer wrong")
        server.request("/api/status")  # A browser that has still to ask for the token.
        answer, _ = server.request("/login", "POST", f"token={token}")
        server.request("/logout", "POST", Cookie=answer.headers["Set-Cookie"].split("; ")[0])
    refused = ("refusal", None, "the server does not know the token")
    events = [json.loads(line) for line in log.read_text().splitlines()]
    assert all(one["client"] == {"host": "127.0.0.1"} for one in events)
    assert [(one["event"], one.get("user"), one.get("happened")) for one in events] == [
        refused, refused, ("login", "ann", None), ("logout", "ann", None),
    ]  # fmt: skip


@needs_browser
def test_a_person_logs_in_and_out(browser, server, token):
    browser.get(server.page)
    field = see(browser, "#token")
    field.send_keys("wrong\n")
    see(browser, "#log-in-error", "The server does not know the token.")
    field.clear()
    field.send_keys(f"{token}\n")
    see(browser, "#state.good")
    see(browser, "#user", "ann")
    assert browser.execute_script("return document.cookie") == ""
    see(browser, "#log-out").click()
    see(browser, "#token")
