"""The pages of the site: Markdown as GitHub shows it, with a navigation of all documents."""

import html
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]
GUIDE = Path("docs/guide/README.md")
# Title in the navigation -> its documents, by patterns in the tree of the project.
PARTS = {
    "Project": ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"),
    "Guide": ("docs/guide/*.md",),
    "Formats": ("docs/formats/*.md",),
    "Design": ("docs/design/*.md",),
}
# Pages that are no documents: title -> place in the site.
MADE = {"Reference": "reference/files.html", "Collective algorithms": "algorithms.html"}
PICTURES = {".svg", ".png"}


def anchor_of(title: str) -> str:
    """What a link names behind `#` for a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def title_of(document: Path) -> str:
    first = re.search(r"^# (.*)$", (ROOT / document).read_text(), re.MULTILINE)
    assert first, f"{document} has no title"
    return first[1].replace("`", "")


def _documents() -> dict[str, list[Path]]:
    """Those of each part; the guide in the order in which its first page names them."""
    found = {
        part: [path.relative_to(ROOT) for one in patterns for path in sorted(ROOT.glob(one))]
        for part, patterns in PARTS.items()
    }
    named = re.findall(r"\]\(([\w-]+\.md)", (ROOT / GUIDE).read_text())
    order = ["README.md", *named]
    found["Guide"].sort(
        key=lambda path: order.index(path.name) if path.name in order else len(order)
    )
    return found


def _place_of(document: Path) -> str:
    if document == Path("README.md"):
        return "index.html"
    return document.with_suffix(".html").as_posix()


class Site:
    """Writes pages to `folder`; sources and pictures that they link to follow."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts = _documents()
        self._pages = {path: _place_of(path) for paths in self._parts.values() for path in paths}
        self._titles = {path: title_of(path) for path in self._pages}
        self._copied: set[Path] = set()

    def write_documents(self) -> None:
        for document, place in self._pages.items():
            self.write_page(place, (ROOT / document).read_text(), document)

    def write_page(self, place: str, text: str, document: Path) -> None:
        """Relative links in the Markdown start at `document`."""
        markdown = MarkdownIt("commonmark").enable("table")
        tokens = markdown.parse(text)
        title = ""
        for token, after in zip(tokens, [*tokens[1:], None], strict=True):
            if token.type == "heading_open" and after is not None:
                token.attrSet("id", anchor_of(after.content))
                title = title or after.content.replace("`", "")
            for link, attribute in _links(token):
                target = self._target(str(link.attrGet(attribute)), document, place)
                link.attrSet(attribute, target)
        self._write(place, title, markdown.renderer.render(tokens, markdown.options, {}))

    def _target(self, link: str, document: Path, place: str) -> str:
        """What a link of the document is on its page."""
        path, mark, anchor = link.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return link
        absolute = os.path.normpath(ROOT / document.parent / unquote(path))
        target = Path(os.path.relpath(absolute, ROOT))
        found = self._pages.get(target) or self._copy(target)
        return _relative(found, place) + mark + anchor

    def _copy(self, target: Path) -> str:
        """A picture as it is, anything else as a page; what is no file is left for the check."""
        source = ROOT / target
        is_picture = target.suffix in PICTURES
        place = target.as_posix() if is_picture else f"{target.as_posix()}.html"
        if target in self._copied or not source.is_file():
            return place
        self._copied.add(target)
        if is_picture:
            (self._folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, self._folder / place)
        else:
            code = html.escape(source.read_text())
            title = html.escape(target.as_posix())
            self._write(place, title, f"<h1>{title}</h1>\n<pre><code>{code}</code></pre>")
        return place

    def _navigation(self, place: str) -> Iterator[str]:
        parts = {
            part: [(self._titles[path], self._pages[path]) for path in paths]
            for part, paths in self._parts.items()
        }
        for part, entries in {**parts, "Reference": list(MADE.items())}.items():
            yield f"<h2>{part}</h2>\n<ul>"
            for title, target in entries:
                here = ' class="here"' if target == place else ""
                address = _relative(target, place)
                yield f'<li{here}><a href="{address}">{html.escape(title)}</a></li>'
            yield "</ul>"

    def _write(self, place: str, title: str, body: str) -> None:
        navigation = "\n".join(self._navigation(place))
        file = self._folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width">\n'
            f"<title>{html.escape(title, quote=False)} - Tasuki</title>\n"
            f'<link rel="stylesheet" href="{_relative("style.css", place)}">\n</head>\n'
            f"<body>\n<nav>\n{navigation}\n</nav>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
        )


def _links(token: Token) -> Iterator[tuple[Token, str]]:
    """The links and pictures in a token, and the attribute that names the target."""
    for child in token.children or ():
        if child.type == "link_open":
            yield child, "href"
        elif child.type == "image":
            yield child, "src"


def _relative(target: str, place: str) -> str:
    return quote(os.path.relpath(target, Path(place).parent))
