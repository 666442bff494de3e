"""What the documents show of the language and of its JSON is what Tasuki accepts and says."""

import json
import re
from pathlib import Path

import pytest
from tasuki.idl.errors import EvaluationError, SourceError
from tasuki.idl.interface import module_from_json, module_to_json
from tasuki.idl.parser import parse_text
from tasuki.idl.types import type_of_words

ROOT = Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "docs/guide/interface-language.md").read_text()
FORMAT = (ROOT / "docs/formats/interface.md").read_text()


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def table(heading):
    """The rows of the first table with such a heading, as the texts of their cells."""
    after = GUIDE.split(f"| {heading} |")[1].partition("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in after.splitlines()[2:]]


@pytest.mark.parametrize("text", [*blocks(GUIDE, "ninf"), *blocks(FORMAT, "ninf")])
def test_files_are_accepted(text):
    parse_text(text)


def test_errors_are_what_is_said():
    (shown,) = blocks(GUIDE, "text")
    lines = [line[2:] for line in shown.splitlines() if line.startswith("  D")]
    text = f'{lines[0]}\n"sum"\n{{ }}\n{lines[1]}\n{{ }}\n'
    with pytest.raises(SourceError) as raised:
        parse_text(text, "sum.idl")
    assert str(raised.value) == shown.rstrip("\n")


def test_the_json_describes_the_file_beside_it():
    (text,) = blocks(FORMAT, "ninf")
    (shown,) = blocks(FORMAT, "json")
    module = parse_text(text)
    assert module_to_json(module) == json.loads(shown)
    assert module_from_json(json.loads(shown)) == module


def test_python_does_what_its_comments_say(capsys):
    (program,) = blocks(GUIDE, "python")
    with pytest.raises(EvaluationError) as raised:
        exec(program, {})
    assert capsys.readouterr().out == "(3, 3)\n"
    assert f"# EvaluationError: {raised.value}" in program


def test_types_travel_as_the_table_says():
    for spellings, wires, _ in table("type"):
        for spelling in re.findall(r"`([^`]+)`", spellings):
            found = type_of_words(spelling.split(), 32)
            is_file = spelling == "filename"
            assert (found.wire in wires) or is_file, spelling


@pytest.mark.parametrize("written", [row[0].strip("`") for row in table("written")])
def test_ranges_have_the_forms_of_the_table(written):
    inside = written.strip("[]").replace("size", "8").replace("lower", "1").replace("upper", "7")
    parse_text(f"Define f(IN int a[{inside.replace('step', '2')}]) {{ }}")


def test_every_field_is_described():
    (shown,) = blocks(FORMAT, "json")
    for field in set(re.findall(r'"(\w+)":', shown)):
        assert f"`{field}`" in FORMAT, field
