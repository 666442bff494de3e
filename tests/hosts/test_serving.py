"""`tasuki serve` whose ranks are on several hosts: clients on others call them in each mode."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest
from conftest import AGENT, REPOSITORY, CommandOnHosts, wait_until
from laboratory import Laboratory

GUIDE = REPOSITORY / "docs/guide/serving-routines.md"
SERVER, CLIENT = "h0", "h2"
MODES = ("auto", "hand-off", "sequential", "call-back", "relay", "buffering", "original")
COMPILERS = {"ompi": "mpicc.openmpi", "mpich": "mpicc.mpich"}
# MPICH 4.0 between nodes may not return from MPI_Finalize (docs/guide/clusters.md): one host, but
# not that of the server.
RANKS_ON = {"ompi": "h0:2,h1:2", "mpich": "h1:4"}
SERVING_MOST_S = 300
ENDING_MOST_S = 60
# What a client runs: the sums of rows that all four ranks have blocks of, in each mode.
CALLS = """
import sys, numpy as np, tasuki
a = np.arange(40.0).reshape(8, 5)
for mode in sys.argv[2:]:
    server = tasuki.connect(sys.argv[1], ca_file="authority.pem", token_file="token", mode=mode)
    routine = server.row_sums.row_sums
    assert (routine(a) == a.sum(axis=1)).all()
    print(mode, len(routine.report["ranks"]), routine.report["mode"])
"""


def openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True, timeout=60)


def make_certificate(folder: Path) -> None:
    """authority.pem, and server.pem and server-key.pem for the server's host."""
    key = ("-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-keyout")
    usage = ("-addext", "keyUsage=critical,keyCertSign")
    new = ("req", "-x509", "-days", "2", "-subj", "/CN=authority", *usage, *key)
    openssl(folder, *new, "authority-key.pem", "-out", "authority.pem")
    openssl(folder, "req", "-subj", "/CN=server", *key, "server-key.pem", "-out", "server.csr")
    text = f"subjectAltName=DNS:{SERVER}\nauthorityKeyIdentifier=keyid\n"
    (folder / "server.txt").write_text(text)
    signed = ("-CA", "authority.pem", "-CAkey", "authority-key.pem", "-CAcreateserial")
    made = ("-in", "server.csr", "-out", "server.pem", "-extfile", "server.txt")
    openssl(folder, "x509", "-req", "-days", "2", *made, *signed)


@pytest.fixture
def folder(tmp_path: Path, tasuki: CommandOnHosts) -> Path:
    """What the server and its clients need."""
    make_certificate(tmp_path)
    for name in ("row_sums.idl", "row_sums.c"):
        shutil.copy(REPOSITORY / "examples" / name, tmp_path)
    token = re.search(r"token: (\S+)", tasuki("token", "ann").stdout)
    assert token is not None
    private = os.open(tmp_path / "token", os.O_CREAT | os.O_WRONLY, 0o600)
    os.write(private, token[1].encode())
    os.close(private)
    return tmp_path


@pytest.fixture(params=COMPILERS)
def url(request, laboratory: Laboratory, tasuki: CommandOnHosts, folder: Path) -> Iterator[str]:
    """A server as the guide starts it, with ranks on other hosts."""
    file = folder / "row_sums.idl"
    file.write_text(f'Compiler "{COMPILERS[request.param]}";\n{file.read_text()}')
    (shown,) = re.findall(r'--launcher "(tasuki run --hosts .*?)"', GUIDE.read_text())
    hosts = shown.replace(
        "a:2,b:2", f"{RANKS_ON[request.param]} --mpi {request.param} --rsh {AGENT}"
    )
    launcher = hosts.replace("tasuki", f"{sys.executable} -m tasuki", 1)
    tls = ("--tls-certificate", folder / "server.pem", "--tls-key", folder / "server-key.pem")
    words = ("--ranks", "4", "--launcher", launcher, "--listen", SERVER, *tls, "--port", "0")
    tasuki.settings["TASUKI_SPIN_US"] = "0"
    command = tasuki.command("serve", file, *words, "--token-file", folder / "token")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    watchdog = Timer(SERVING_MOST_S, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None
        found = re.search(r"tasukis://\S+", process.stdout.readline())
        assert found
        yield found[0]
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=ENDING_MOST_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        watchdog.cancel()
    wait_until(lambda: not any(map(laboratory.process_count, laboratory.names)))


def test_clients_on_another_host_call_the_ranks_in_each_mode(
    laboratory: Laboratory, folder: Path, url: str
) -> None:
    environment = {"PYTHONPATH": str(REPOSITORY / "python")}
    script = f"cd {folder} && exec {sys.executable} -c '{CALLS}' {url} {' '.join(MODES)}"
    ended = laboratory.run(CLIENT, ["sh", "-c", script], environment=environment)
    assert ended.returncode == 0, ended.stderr
    expected = [f"{mode} 4 {mode.replace('auto', 'hand-off')}" for mode in MODES]
    assert ended.stdout.splitlines() == expected
