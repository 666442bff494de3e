"""The pictures of the documents are what the script in tools/ draws, and documents show them."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"


def words_by_name(folder: Path) -> dict[str, list[str]]:
    """Of each picture the texts in it: what else is in the file depends on the drawing library."""
    return {
        path.name: re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text())
        for path in folder.iterdir()
    }


def test_pictures_are_those_that_the_script_draws(tmp_path: Path) -> None:
    script = ROOT / "tools" / "pictures.py"
    subprocess.run([sys.executable, script, tmp_path], check=True, timeout=120)
    drawn = words_by_name(tmp_path)
    assert all(drawn.values())
    assert drawn == words_by_name(PICTURES)


def test_every_picture_is_shown_in_a_document() -> None:
    documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    shown = "".join(document.read_text() for document in documents)
    for picture in PICTURES.iterdir():
        assert f"pictures/{picture.name})" in shown, picture.name
