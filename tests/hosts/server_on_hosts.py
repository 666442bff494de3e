"""A server of routines on h0 whose ranks are on several hosts, started as the guide shows.

Thread-safety: a ServerOnHosts belongs to one thread.
"""

import os
import re
import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Timer

from conftest import AGENT, REPOSITORY, CommandOnHosts, wait_until
from laboratory import Laboratory

GUIDE = REPOSITORY / "docs/guide/serving-routines.md"
SERVER = "h0"
COMPILERS = {"ompi": "mpicc.openmpi", "mpich": "mpicc.mpich"}
# MPICH 4.0 between nodes may not return from MPI_Finalize (docs/guide/clusters.md): one host, but
# not that of the server.
RANKS_ON = {"ompi": "h0:2,h1:2", "mpich": "h1:4"}
RANKS_COUNT = 4
SERVING_MOST_S = 300
ENDING_MOST_S = 60


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


def make_token(folder: Path, tasuki: CommandOnHosts) -> None:
    """The file `token`, as a user has it."""
    found = re.search(r"token: (\S+)", tasuki("token", "ann").stdout)
    assert found is not None
    private = os.open(folder / "token", os.O_CREAT | os.O_WRONLY, 0o600)
    os.write(private, found[1].encode())
    os.close(private)


class ServerOnHosts(AbstractContextManager["ServerOnHosts"]):
    """Serves an interface file for that MPI while its context lasts; then no host runs anything.

    The folder of the file has what `make_certificate` and `make_token` make.
    """

    def __init__(
        self,
        laboratory: Laboratory,
        file: Path,
        mpi: str,
        *options: str,
    ) -> None:
        self._laboratory = laboratory
        folder = file.parent
        file.write_text(f'Compiler "{COMPILERS[mpi]}";\n{file.read_text()}')
        (shown,) = re.findall(r'--launcher "(tasuki run --hosts .*?)"', GUIDE.read_text())
        on_hosts = f"{RANKS_ON[mpi]} --mpi {mpi} --rsh {AGENT}"
        launcher = shown.replace("a:2,b:2", on_hosts)
        launcher = launcher.replace("tasuki", f"{sys.executable} -m tasuki", 1)
        tls = ("--tls-certificate", folder / "server.pem", "--tls-key", folder / "server-key.pem")
        words = ("--ranks", str(RANKS_COUNT), "--launcher", launcher, "--listen", SERVER, *tls)
        tasuki = CommandOnHosts(laboratory)
        tasuki.settings["TASUKI_SPIN_US"] = "0"
        users = ("--port", "0", "--token-file", folder / "token", *options)
        self._command = tasuki.command("serve", file, *words, *users)
        self.lost: set[str] = set()  # Hosts that are gone for good.
        self.url = ""

    def __enter__(self) -> "ServerOnHosts":
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        self._watchdog = Timer(SERVING_MOST_S, self._process.kill)
        self._watchdog.start()
        assert self._process.stdout is not None
        found = re.search(r"tasukis://\S+", self._process.stdout.readline())
        if found is None:
            self.__exit__()
        assert found is not None
        self.url = found[0]
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.communicate(timeout=ENDING_MOST_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
        self._watchdog.cancel()
        there = [name for name in self._laboratory.names if name not in self.lost]
        wait_until(lambda: not any(map(self._laboratory.process_count, there)))
