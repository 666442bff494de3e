"""The address of a server, as users write it: tasuki://HOST:PORT."""

from urllib.parse import urlsplit

from tasuki.rpc.errors import CallError

DEFAULT_PORT = 7777


def url_of(host: str, port: int, is_encrypted: bool = False) -> str:
    """The address of a server, as `parse_address` reads it."""
    return f"tasuki{'s' if is_encrypted else ''}://{host}:{port}"


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
