"""The address of a server, as users write it: tasuki://HOST:PORT."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from tasuki.rpc.errors import CallError

DEFAULT_PORT = 7777


def url_of(host: str, port: int, is_encrypted: bool = False) -> str:
    """The address of a server, as `parse_address` reads it."""
    name = f"[{host}]" if ":" in host else host
    return f"tasuki{'s' if is_encrypted else ''}://{name}:{port}"


def parse_address(url: str) -> tuple[str, int]:
    """Host and port; raises CallError if the text is no address."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if host is None or parts.scheme not in ("tasuki", "tasukis") or parts.path.strip("/"):
        raise CallError("connect", f"{url!r} is no address", "give tasuki://HOST:PORT")
    return host, DEFAULT_PORT if port is None else port


def addresses_in(urls: str | Sequence[str]) -> tuple[str, ...]:
    """Each server's address as `url_of` writes it; raises CallError if one is no address.

    A text may have several, with commas in between:
    `addresses_in("tasuki://a,tasuki://b:1") == ("tasuki://a:7777", "tasuki://b:1")`.
    """
    texts = urls.split(",") if isinstance(urls, str) else urls
    if not texts:
        raise CallError("connect", "the list of servers is empty", "give tasuki://HOST:PORT")
    stripped = [one.strip() for one in texts]
    return tuple(url_of(*parse_address(one), one.startswith("tasukis")) for one in stripped)
