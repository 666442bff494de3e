"""The page of a server that serves only users whom it knows by their tokens."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Command
from demo_server import needs_server
from page_browser import needs_browser, see, started_browser  # noqa: F401
from web_server import WebServer

pytestmark = needs_server
PROTECTED = ("/api/status", "/api/routines", "/api/calls", "/api/ranks", "/metrics")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("routines")


@pytest.fixture(scope="module")
def token(folder) -> str:
    return Command()("token", "ann", "--users", folder / "users.json").stdout.strip()


@pytest.fixture(scope="module")
def server(folder, token) -> Iterator[WebServer]:
    assert token
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
    answer, _ = server.request("/logout", "POST", Cookie=cookie)
    assert "Max-Age=0" in answer.headers["Set-Cookie"]


@pytest.mark.parametrize("body", ["", "token=", "token=wrong", "token=a%0d%0aSet-Cookie:%20x=y"])
def test_wrong_tokens_make_no_cookie(server, body):
    answer, _ = server.request("/login", "POST", body)
    assert answer.status == 401 and "Set-Cookie" not in answer.headers


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
