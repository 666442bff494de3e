"""The page of a server that speaks TLS: the same, and nothing that is not encrypted."""

import http.client
import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tasuki
from certificates import Certificate, make_authority, make_certificate, needs_openssl
from conftest import Command, wait_for
from demo_server import needs_server
from page_browser import needs_browser, see, started_browser  # noqa: F401
from web_server import WebServer

pytestmark = [needs_server, needs_openssl]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("routines")


@pytest.fixture(scope="module")
def authority(folder) -> Certificate:
    return make_authority(folder, "authority")


@pytest.fixture(scope="module")
def token(folder) -> str:
    return Command()("token", "ann", "--users", folder / "users.json").stdout.strip()


@pytest.fixture(scope="module")
def server(folder, authority, token) -> Iterator[WebServer]:
    assert token
    own = make_certificate(folder, authority, "server", "DNS:localhost")
    tls = ("--tls-certificate", own.file, "--tls-key", own.key)
    with WebServer(folder, "--users", folder / "users.json", *tls) as started:
        yield started


@pytest.fixture(scope="module")
def url(server) -> str:
    return f"https://localhost:{server.port}"


Ask = Callable[..., http.client.HTTPResponse]


@pytest.fixture(scope="module")
def ask(url, authority, token) -> Ask:
    """Asks as ann, by TLS with a certificate of the authority."""
    context = ssl.create_default_context(cafile=authority.file)

    def asked(path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Any:
        named = {"Authorization": f"Bearer {token}"}
        named.update({name.replace("_", "-"): value for name, value in headers.items()})
        request = urllib.request.Request(url + path, body, named, method=method)
        return urllib.request.urlopen(request, context=context, timeout=60)

    return asked


def test_page_and_api_and_metrics_are_there(ask, server):
    assert ask("/").read().startswith(b"<!doctype html>")
    assert json.load(ask("/api/status"))["user"] == "ann"
    assert b"tasuki_uptime_seconds" in ask("/metrics").read()
    [first, *_] = json.load(ask("/api/routines"))["modules"]
    assert f"tasukis://localhost:{server.port}" in first["routines"][0]["examples"]["python"]


def test_the_certificate_is_of_the_authority(url):
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        urllib.request.urlopen(url, timeout=60)


def test_the_cookie_travels_encrypted_alone(ask, token):
    answer = ask("/login", "POST", f"token={token}".encode())
    cookie, *attributes = answer.headers["Set-Cookie"].split("; ")
    assert set(attributes) == {"Path=/", "HttpOnly", "SameSite=Strict", "Secure"}
    assert json.load(ask("/api/status", Authorization="", Cookie=cookie))["user"] == "ann"
    assert "Secure" in ask("/logout", "POST", Cookie=cookie).headers["Set-Cookie"]


def test_who_may_change_something(ask, server, url, token, authority):
    client = tasuki.connect(server.url, token=token, ca_file=authority.file)
    kept = client.put(np.eye(5), like=client.linpack.solve.A)
    path = f"/api/arrays/{kept.kept}"
    wait_for(lambda: json.load(ask("/api/arrays"))["arrays"])
    # Somebody between may have sent a page that came unencrypted.
    for origin in ("https://evil.example", url.replace("https", "http"), "null"):
        with pytest.raises(urllib.error.HTTPError, match="403"):
            ask(path, "DELETE", Origin=origin)
    assert ask(path, "DELETE", Origin=url).status == 202
    wait_for(lambda: not json.load(ask("/api/arrays"))["arrays"])


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/", "GET", 307), ("/api/status", "GET", 400), ("/login", "POST", 400)],
)
def test_who_does_not_encrypt_is_told(server, url, token, path, method, status):
    answer, text = server.request(path, method, Authorization=f"Bearer {token}")
    assert (answer.status, text) == (status, f"This server speaks TLS alone; ask {url}/\n")
    assert answer.headers["Location"] == (f"{url}/" if status == 307 else None)


@needs_browser
def test_a_person_uses_it(browser, server, token):
    browser.get(server.page)  # http:// leads there, too.
    see(browser, "#token").send_keys(f"{token}\n")
    see(browser, "#state.good")
    assert browser.current_url.startswith("https://")
    [cookie] = browser.get_cookies()
    assert cookie["secure"] and cookie["httpOnly"] and cookie["sameSite"] == "Strict"
    see(browser, "#user", "ann")
