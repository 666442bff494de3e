"""Certificates for tests, made by the command openssl."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="no command openssl")


@dataclass(frozen=True)
class Certificate:
    """Its PEM file, and that of its key."""

    file: Path
    key: Path


def make_authority(folder: Path, name: str) -> Certificate:
    made = Certificate(folder / f"{name}.pem", folder / f"{name}-key.pem")
    # Python 3.13 wants what RFC 5280 does: what the key is for, and whose key has signed.
    usage = ("-addext", "keyUsage=critical,keyCertSign")
    _openssl("req", "-x509", "-days", "2", "-subj", f"/CN={name}", *usage, *_new_key(made))
    return made


def make_certificate(
    folder: Path, authority: Certificate, name: str, hosts: str, days: int = 2
) -> Certificate:
    """One for `hosts`, as in "DNS:localhost,IP:127.0.0.1"; expired if `days` are none."""
    made = Certificate(folder / f"{name}.pem", folder / f"{name}-key.pem")
    request, extension = folder / f"{name}.csr", folder / f"{name}.txt"
    extension.write_text(f"subjectAltName={hosts}\nauthorityKeyIdentifier=keyid\n")
    _openssl("req", "-subj", f"/CN={name}", *_new_key(made, request))
    _openssl(
        "x509", "-req", "-in", request, "-out", made.file, "-days", days, "-extfile", extension,
        "-CA", authority.file, "-CAkey", authority.key, "-CAcreateserial",
    )  # fmt: skip
    return made


def _new_key(made: Certificate, out: Path | None = None) -> tuple[object, ...]:
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    return (*curve, "-keyout", made.key, "-out", out or made.file)


def _openssl(*words: object) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=60)
