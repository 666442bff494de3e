"""Servers that speak TLS: who may connect to whom, and what others see of it."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tasuki
from certificates import Certificate, make_authority, make_certificate, needs_openssl
from conftest import REPOSITORY, Command
from demo_server import CAN_SHARE_MEMORY, DemoServer, connect_to, needs_server
from tasuki.rpc.errors import AccessError, CallError

HERE = Path(__file__).parent
pytestmark = [needs_server, needs_openssl]

CONNECTED = ("hand-off", "sequential", "call-back", "relay", "buffering", "original")
WAYS = ("memory", *CONNECTED) if CAN_SHARE_MEMORY else CONNECTED


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return make_authority(tmp_path_factory.mktemp("authority"), "authority")


def options_of(certificate: Certificate) -> tuple[object, ...]:
    return ("--tls-certificate", certificate.file, "--tls-key", certificate.key)


@pytest.fixture(scope="module")
def serving(
    tmp_path_factory: pytest.TempPathFactory, authority: Certificate
) -> Iterator[DemoServer]:
    folder = tmp_path_factory.mktemp("server")
    certificate = make_certificate(folder, authority, "server", "DNS:localhost")
    with DemoServer(2, *options_of(certificate)) as started:
        yield started


def problem(n: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(n)
    return generator.standard_normal((n, n)) + n * np.eye(n), generator.standard_normal(n)


@pytest.mark.parametrize("wire", ["native", "xdr"])
@pytest.mark.parametrize("mode", WAYS)
def test_results_are_the_same_by_any_way(
    serving: DemoServer, authority: Certificate, mode: str, wire: str
) -> None:
    if (mode, wire) == ("memory", "xdr"):
        return  # There is no such way.
    assert serving.url.startswith("tasukis://")
    solve = tasuki.connect(serving.url, mode=mode, wire=wire, ca_file=authority.file).linpack.solve
    for n in (0, 1, 40, 700):
        matrix, right = problem(n)
        np.testing.assert_allclose(matrix @ solve(matrix, right), right, atol=1e-9)
        assert solve.report["mode"] == mode


def test_a_setting_names_the_authorities(
    serving: DemoServer, authority: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TASUKI_CA_FILE", str(authority.file))
    assert serving.connect().linpack


@pytest.fixture(scope="module")
def tap(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that writes what passes the connections of a process to a file."""
    made = tmp_path_factory.mktemp("library") / "connection_tap.so"
    source = HERE / "connection_tap.c"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", source, "-o", made, "-ldl"], check=True)
    return made


@pytest.mark.parametrize("is_encrypted", [False, True])
def test_arrays_are_seen_only_where_they_are_not_encrypted(
    authority: Certificate, tap: Path, tmp_path: Path, is_encrypted: bool
) -> None:
    certificate = make_certificate(tmp_path, authority, "server", "DNS:localhost")
    options = options_of(certificate) if is_encrypted else ()
    of_server, of_client = (
        {"LD_PRELOAD": str(tap), "CONNECTION_TAP": str(tmp_path / name)}
        for name in ("server", "client")
    )
    with DemoServer(2, *options, **of_server) as tapped:
        subprocess.run(
            [sys.executable, HERE / "call_tapped.py", tapped.url, authority.file, *CONNECTED],
            env=os.environ | of_client | {"PYTHONPATH": str(REPOSITORY / "python")},
            check=True, timeout=120,
        )  # fmt: skip
    for settings in (of_server, of_client):
        seen = Path(settings["CONNECTION_TAP"]).read_bytes().count(b"see me! " * 30)
        # The right-hand side goes to both ranks by each way.
        assert (seen == 0) if is_encrypted else (seen >= 2 * len(CONNECTED) - 2)


def test_a_client_that_goes_leaves_the_ranks_as_they_are(
    serving: DemoServer, authority: Certificate
) -> None:
    before = set(serving.command.processes())
    for _ in range(30):
        with tasuki.connect(serving.url, ca_file=authority.file, mode="hand-off") as server:
            np.testing.assert_allclose(server.linpack.solve(np.eye(2), [1.0, 2.0]), [1, 2])
    tasuki.connect(serving.url, ca_file=authority.file).linpack.solve(np.eye(2), [1.0, 2.0])
    assert set(serving.command.processes()) == before


def test_plain_clients_are_told_what_to_do(serving: DemoServer) -> None:
    with pytest.raises(CallError, match=r"speaks TLS alone.*give tasukis://"):
        tasuki.connect(f"tasuki://localhost:{serving.port}")


def test_clients_by_tls_of_a_plain_server_are_told_what_to_do() -> None:
    with DemoServer(1) as plain:
        with pytest.raises(CallError, match=r"does not speak TLS.*give tasuki://"):
            tasuki.connect(f"tasukis://localhost:{plain.port}")
        assert plain.connect().linpack


def test_another_authority_or_host_is_refused(
    serving: DemoServer, authority: Certificate, tmp_path: Path
) -> None:
    other = make_authority(tmp_path, "other")
    for ca_file in (other.file, None):  # None: those of the system.
        with pytest.raises(CallError, match=r"certificate of localhost.* is no good.*ca_file"):
            tasuki.connect(serving.url, ca_file=ca_file)
    with pytest.raises(CallError, match="mismatch"):
        tasuki.connect(f"tasukis://127.0.0.1:{serving.port}", ca_file=authority.file)
    with pytest.raises(CallError, match=r"nowhere.pem.*give a PEM file"):
        tasuki.connect(serving.url, ca_file=tmp_path / "nowhere.pem")


def test_an_expired_certificate_is_refused(authority: Certificate, tmp_path: Path) -> None:
    expired = make_certificate(tmp_path, authority, "expired", "DNS:localhost", days=0)
    time.sleep(1.1)  # It is good to the second in which it was made.
    with (
        DemoServer(1, *options_of(expired)) as serving,
        pytest.raises(CallError, match="expired"),
    ):
        tasuki.connect(serving.url, ca_file=authority.file)


def test_a_token_does_not_travel_without_tls_to_other_machines(
    authority: Certificate, tmp_path: Path
) -> None:
    host = _own_address()
    certificate = make_certificate(tmp_path, authority, "server", f"IP:{host}")
    token = Command()("token", "ann").stdout.split()[1]
    with DemoServer(
        2, *options_of(certificate), "--listen", "0.0.0.0", TASUKI_TOKEN=token
    ) as serving:
        with pytest.raises(AccessError, match=r"would travel to .* unencrypted.*give tasukis://"):
            tasuki.connect(f"tasuki://{host}:{serving.port}", token=token)
        url = f"tasukis://{host}:{serving.port}"
        server = tasuki.connect(url, token=token, ca_file=authority.file, mode="hand-off")
        matrix, right = problem(40)
        np.testing.assert_allclose(matrix @ server.linpack.solve(matrix, right), right, atol=1e-9)
        with pytest.raises(AccessError):
            tasuki.connect(url, ca_file=authority.file)


def _own_address() -> str:
    """An address of this machine that is not the loopback's."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        try:
            one.connect(("192.0.2.1", 9))  # Nothing is sent.
        except OSError:
            pytest.skip("needs another address than the loopback's")
        return one.getsockname()[0]


def test_serve_says_what_it_needs_for_other_machines(
    authority: Certificate, tmp_path: Path
) -> None:
    token = Command()("token", "ann").stdout.split()[1]
    certificate = make_certificate(tmp_path, authority, "server", "DNS:localhost")

    def refused(*options: object, **settings: str) -> str:
        command = Command()
        command.environment.update(settings)
        result = command("serve", "--demo", "--port", 0, *options)
        assert result.returncode == 1
        return result.stderr

    anywhere = ("--listen", "0.0.0.0")
    tls = "--tls-certificate and --tls-key"
    assert f"give {tls} and --users or --token-file" in refused(*anywhere)
    assert f"give {tls}, or leave" in refused(*anywhere, TASUKI_TOKEN=token)
    assert "give --users or --token-file" in refused(*anywhere, *options_of(certificate))
    assert "give --tls-certificate" in refused("--tls-key", certificate.key)
    certificate.key.chmod(0o644)
    assert f"chmod 600 {certificate.key}" in refused(*options_of(certificate))
    certificate.key.chmod(0o600)
    other = make_certificate(tmp_path, authority, "other", "DNS:localhost")
    mixed = Certificate(certificate.file, other.key)
    assert "mismatch" in refused(*options_of(mixed))


def test_slow_and_silent_beginnings_hold_nobody_up(
    serving: DemoServer, authority: Certificate
) -> None:
    strangers = [connect_to(serving.port) for _ in range(100)]
    for one in strangers[::2]:
        one.sendall(b"\x16\x03\x01\x02\x00")
    start = time.monotonic()
    for _ in range(3):
        assert tasuki.connect(serving.url, ca_file=authority.file).linpack
    assert time.monotonic() - start < 30
    strangers[-1].settimeout(60)
    with contextlib.suppress(ConnectionError):
        assert strangers[-1].recv(1) == b""
    for one in strangers:
        one.close()


def test_the_guide_leads_to_a_server_with_two_users(tmp_path: Path) -> None:
    """All snippets of docs/guide/security.md, but that the server takes a free port."""
    guide = (REPOSITORY / "docs/guide/security.md").read_text()
    shell = re.findall(r"```sh\n(.*?)```", guide, re.DOTALL)
    (python,) = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    certificates, tokens, serve, call = shell
    command = Command()
    tasuki_command = f"{sys.executable} -m tasuki"

    def run(script: str) -> str:
        return subprocess.run(
            ["bash", "-euc", script.replace("tasuki ", f"{tasuki_command} ")],
            cwd=tmp_path, env=command.environment, check=True, capture_output=True, text=True,
            timeout=120,
        ).stdout  # fmt: skip

    run(certificates)
    run("umask 077\n" + tokens)
    words = serve.split()[2:]
    process = command.start("serve", *words, "-n", 1, "--port", 0, cwd=tmp_path)
    try:
        port = re.search(r"tasukis://localhost:(\d+)", process.stdout.readline())[1]
        assert "3" in run(call.replace("tasukis://localhost", f"tasukis://localhost:{port}"))
        script = tmp_path / "call.py"
        script.write_text(python.replace("7777", port))
        assert run(f"{sys.executable} call.py").strip() == "[1. 3.]"
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
