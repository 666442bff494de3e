"""The address of a server, as users write it: tasuki://HOST:PORT, or HOST:PORT."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from tasuki.rpc.errors import CallError

DEFAULT_PORT = 7777
_REMEDY = "give tasuki://HOST:PORT, or HOST:PORT"


def url_of(host: str, port: int, is_encrypted: bool = False) -> str:
    """The address of a server, as `parse_address` reads it."""
    name = f"[{host}]" if ":" in host else host
    return f"tasuki{'s' if is_encrypted else ''}://{name}:{port}"


def parse_address(url: str) -> tuple[str, int]:
    """Host and port of tasuki://HOST:PORT or HOST:PORT; raises CallError if it is no address."""
    try:
        parts = urlsplit(url if "://" in url else f"tasuki://{url}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if host is not None and "@" in parts.netloc:
        raise CallError(
            "connect", f"the address of {host} has a user, whom servers know by a token alone",
            "give token= or token_file=, and tasuki://HOST:PORT",
        )  # fmt: skip
    rest = f"{parts.path.strip('/')}{parts.query}{parts.fragment}" if host is not None else ""
    if host is None or parts.scheme not in ("tasuki", "tasukis") or rest:
        raise CallError("connect", f"{url!r} is no address", _REMEDY)
    return host, DEFAULT_PORT if port is None else port


def addresses_in(urls: str | Sequence[str]) -> tuple[str, ...]:
    """Each server's address as `url_of` writes it; raises CallError if one is no address.

    A text may have several, with commas in between:
    `addresses_in("tasuki://a,tasuki://b:1") == ("tasuki://a:7777", "tasuki://b:1")`.
    """
    if not isinstance(urls, str) and not _is_list_of_texts(urls):
        raise CallError("connect", f"{urls!r} is no address, nor a list of some", _REMEDY)
    texts = urls.split(",") if isinstance(urls, str) else urls
    if not texts:
        raise CallError("connect", "the list of servers is empty", _REMEDY)
    stripped = [one.strip() for one in texts]
    return tuple(url_of(*parse_address(one), one.startswith("tasukis")) for one in stripped)


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
