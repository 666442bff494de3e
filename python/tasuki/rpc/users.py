"""The users of a server: their file (docs/formats/users.md), and tokens for them."""

import hashlib
import json
import os
import re
import secrets
import stat
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tasuki.base.errors import CommandError

TOKEN_LENGTH_LEAST = 32  # Of what nobody can guess, be it written as it may.
SINGLE_USER = "default"  # Whose token is given without a file of users.
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class User:
    """A user and its limits, None if there is none. The token itself is kept nowhere."""

    name: str
    token_sha256: str
    connections_at_once: int | None = None
    calls_at_once: int | None = None
    calls_per_minute: int | None = None
    call_memory_bytes: int | None = None
    kept_memory_bytes: int | None = None
    call_time_s: float | None = None

    def to_json(self) -> dict[str, Any]:
        """What is not None, as in the file and for the front end."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def make_user(name: str) -> tuple[User, str]:
    """A user with a new token, and the token. Raises CommandError if it is no name."""
    if not _NAME.fullmatch(name):
        raise CommandError("token", f"{name!r} is no name", "use letters, digits, - and _")
    token = secrets.token_urlsafe(32)
    return User(name, _digest(token)), token


def line_of(user: User) -> str:
    """The user's entry in a file of users."""
    described = user.to_json()
    del described["name"]
    return f"{json.dumps(user.name)}: {json.dumps(described)}"


def read_users(file: Path) -> list[User]:
    """Raises CommandError if there is no such file, others may use it, or it has no users."""
    check_private(file)
    try:
        found = json.loads(file.read_text())
    except ValueError as fault:
        raise _malformed(file, f"it is not JSON: {fault}") from None
    if not isinstance(found, dict):
        raise _malformed(file, "it is no object")
    users = [_user_from(file, name, described) for name, described in found.items()]
    if not users:
        raise CommandError(
            "serve", f"there is nobody in {file}", f"tasuki token NAME --users {file}"
        )
    return users


def add_user(file: Path, user: User) -> None:
    """Writes the user into the file; of one that is there, the token changes and no limit.

    Raises CommandError if the file is none of users, or cannot be written.
    """
    users = {one.name: one for one in read_users(file)} if file.exists() else {}
    before = users.get(user.name)
    described = user.to_json() if before is None else before.to_json()
    users[user.name] = User(**{**described, "token_sha256": user.token_sha256})
    lines = ",\n".join(f"  {line_of(one)}" for one in users.values())
    try:
        _replace(file, f"{{\n{lines}\n}}\n")
    except OSError as fault:
        raise CommandError(
            "token", f"{file} cannot be written: {fault.strerror}",
            "give a file in a folder that exists, and in which you may write",
        ) from None  # fmt: skip


def _replace(file: Path, text: str) -> None:
    """In one step: a server that reads it meanwhile finds the old or the new one."""
    with tempfile.NamedTemporaryFile("w", dir=file.parent, prefix=file.name, delete=False) as new:
        new.write(text)
    os.replace(new.name, file)


def served_users(file: Path | None, token_file: Path | None) -> list[User]:
    """Of `tasuki serve`: those of the file of users, and who has the token of `token_file`, or of
    the setting TASUKI_TOKEN; nobody if anyone may call.

    Raises CommandError if a file or the token is no good.
    """
    users = [] if file is None else read_users(file)
    token = os.environ.get("TASUKI_TOKEN", "")
    if token_file is not None:
        check_private(token_file)
        token = token_file.read_text().strip()
    if not token and token_file is None:
        return users
    if len(token) < TOKEN_LENGTH_LEAST:
        raise CommandError(
            "serve", f"the token has less than {TOKEN_LENGTH_LEAST} characters",
            "make one: tasuki token NAME",
        )  # fmt: skip
    return [*users, User(SINGLE_USER, _digest(token))]


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def check_private(file: Path) -> None:
    """Raises CommandError if others than its owner may use the file, or there is none."""
    try:
        found = file.stat()
    except OSError as fault:
        raise CommandError(
            "serve", f"{file}: {fault.strerror}", "give a file that exists"
        ) from None
    if stat.S_ISDIR(found.st_mode):
        raise CommandError("serve", f"{file} is a folder, not a file", "give a file in it")
    if found.st_mode & 0o077:
        raise CommandError("serve", f"others than its owner may use {file}", f"chmod 600 {file}")


def _malformed(file: Path, happened: str) -> CommandError:
    return CommandError(
        "serve", f"{file} is no file of users: {happened}", "see docs/formats/users.md"
    )


def _user_from(file: Path, name: str, described: Any) -> User:
    if not _NAME.fullmatch(name):
        raise _malformed(file, f"{name!r} is no name of letters, digits, - and _")
    if not isinstance(described, dict):
        raise _malformed(file, f"what is said of {name} is no object")
    try:
        user = User(**{**described, "name": name})
    except TypeError:
        known = [one for one in User.__dataclass_fields__ if one != "name"]
        raise _malformed(
            file, f"of {name} it does not have token_sha256, or more than {', '.join(known)}"
        ) from None
    if not isinstance(user.token_sha256, str) or not _DIGEST.fullmatch(user.token_sha256):
        raise _malformed(file, f"token_sha256 of {name} does not have 64 hexadecimal digits")
    for field, limit in user.to_json().items():
        kinds = (int, float) if field == "call_time_s" else (int,)
        is_limit = isinstance(limit, kinds) and not isinstance(limit, bool) and limit >= 0
        if field not in ("name", "token_sha256") and not is_limit:
            raise _malformed(file, f"{field} of {name} is no number from 0 on")
    return user
