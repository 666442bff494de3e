"""Builds the documentation as one static site: `python tools/site/build.py [FOLDER]`.

The site mirrors the tree of the project: each document is a page at its place, a source that a
document links to is a page too, and pictures are copied. reference/ is made from the users' headers
by Doxygen, algorithms.html from the registry of collective algorithms, which the compiled program
tasuki_explain knows. Ends with an error that lists them if a link leads nowhere.
"""

import shutil
import sys
from pathlib import Path

import algorithms
import links
import reference
from pages import ROOT, Site


def build(folder: Path) -> None:
    """Empties `folder`, and writes the site there. Raises SystemExit for broken links."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    site = Site(folder)
    site.write_documents()
    site.write_page("algorithms.html", algorithms.as_markdown(), Path("algorithms.md"))
    reference.write(folder / "reference")
    shutil.copyfile(Path(__file__).parent / "style.css", folder / "style.css")
    broken = links.broken_links(folder, folder / "reference")
    if broken:
        sys.exit("Links that lead nowhere:\n" + "\n".join(broken))


if __name__ == "__main__":
    target = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "docs"
    build(target)
    print(f"The documentation: {target / 'index.html'}")
