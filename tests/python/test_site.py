"""The site that ./dev docs makes: all documents, sources, pictures, algorithms, working links."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tasuki.base.programs import find_program
from tasuki.measurement.collectives import ALL_COLLECTIVES

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools" / "site"
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*/*.md")]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Building it fails if a link leads nowhere."""
    folder = tmp_path_factory.mktemp("docs")
    made = subprocess.run(
        [sys.executable, TOOLS / "build.py", folder], capture_output=True, text=True, timeout=300
    )
    assert made.returncode == 0, made.stderr
    return folder


needs_build = pytest.mark.skipif(find_program("tasuki_explain") is None, reason="not built")


@needs_build
def test_each_document_is_a_page_that_each_page_leads_to(site: Path) -> None:
    first = (site / "index.html").read_text()
    for document in DOCUMENTS:
        place = document.relative_to(ROOT).with_suffix(".html")
        if document.name == "README.md" and document.parent == ROOT:
            continue
        assert (site / place).is_file()
        assert f'<a href="{place}">' in first, f"the navigation lacks {place}"


@needs_build
def test_pictures_and_sources_come_along(site: Path) -> None:
    drawn = {path.name for path in (ROOT / "docs/pictures").iterdir()}
    assert {path.name for path in (site / "docs/pictures").iterdir()} == drawn
    assert 'href="../../ARCHITECTURE.html"' in (site / "docs/guide/README.html").read_text()


@needs_build
def test_the_reference_leads_back_to_the_guide(site: Path) -> None:
    assert 'href="../index.html"' in (site / "reference/files.html").read_text()


@needs_build
def test_every_collective_has_its_algorithms(site: Path) -> None:
    page = (site / "algorithms.html").read_text()
    sections = dict(re.findall(r'<h2 id="(\w+)">.*?</h2>(.*?)(?=<h2|</main>)', page, re.DOTALL))
    assert sorted(sections) == sorted(ALL_COLLECTIVES)
    for collective, section in sections.items():
        assert section.count("<tr>") >= 2, f"{collective} has no algorithm"
    assert "recursive_doubling" in sections["allreduce"]


def test_links_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text(
        '<h1 id="here">x</h1><a href="#here"></a><a href="#gone"></a><img src="gone.svg">'
        '<a href="two.html#there"></a><a href="two.html#gone"></a><a href="https://x.org/y"></a>'
    )
    (tmp_path / "two.html").write_text('<a name="there" href="one.html"></a>')
    code = "import links, pathlib; print(*links.broken_links(pathlib.Path('.')), sep='\\n')"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONPATH": str(TOOLS)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.splitlines() == [
        "one.html: #gone",
        "one.html: gone.svg",
        "one.html: two.html#gone",
    ]
