"""Links inside the site: each must lead to a file, and to a place in it that has the name."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """What a page links to, and the names that links to it may have behind `#`."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.names: set[str] = set()
        self.feed(file.read_text(errors="replace"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for attribute, value in attrs:
            if value is None:
                continue
            if attribute == "id" or (tag == "a" and attribute == "name"):
                self.names.add(value)
            elif attribute in ("href", "src"):
                self.targets.append(value)


def broken_links(folder: Path, foreign: Path | None = None) -> list[str]:
    """Returns a line for each link of the pages in `folder` that leads nowhere inside it.

    Pages in `foreign` are made by another program, and their links to each other are its own.
    (Doxygen 1.9.4 names sections that EXCLUDE_SYMBOLS has left out.)
    """
    outside = [] if foreign is None else [foreign.resolve()]
    pages = {file.resolve(): _Page(file) for file in sorted(folder.rglob("*.html"))}
    broken = []
    for file, page in pages.items():
        for target in sorted(set(page.targets)):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            to = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if any(one in file.parents and one in to.parents for one in outside):
                continue
            is_named = not parts.fragment or (
                to in pages and unquote(parts.fragment) in pages[to].names
            )
            if not to.is_file() or not is_named:
                broken.append(f"{file.relative_to(folder.resolve())}: {target}")
    return broken
