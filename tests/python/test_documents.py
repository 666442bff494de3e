"""What the documents show is what the project has: programs, links, settings."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer
from tasuki.commands.app import app

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def blocks(document: Path, language: str) -> list[str]:
    pattern = rf"^```{language}\n(.*?)^```$"
    return re.findall(pattern, document.read_text(), re.MULTILINE | re.DOTALL)


# The algorithms in CONTRIBUTING.md are compiled and run by tests/coll and tests/node.
WITH_EXAMPLES = [document for document in DOCUMENTS if document.name != "CONTRIBUTING.md"]


@pytest.mark.parametrize("document", WITH_EXAMPLES, ids=lambda path: path.name)
def test_programs_are_examples_that_the_tests_run(document: Path) -> None:
    for language, comment in (("cpp", "// "), ("c", "// "), ("python", "# ")):
        for block in blocks(document, language):
            first_line = block.splitlines()[0]
            is_example = first_line.startswith(f"{comment}examples/")
            if document.name == "interface-language.md":  # tests/python/idl runs its snippet.
                continue
            assert is_example, f"{document.name}: {first_line}"
            example = ROOT / first_line.removeprefix(comment)
            assert block == example.read_text(), f"{document.name} differs from {example.name}"


def prose(document: Path) -> str:
    return re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose(document)):
        assert (document.parent / target).exists(), f"{document.name}: {target}"


def anchors(document: Path) -> set[str]:
    """Returns what links may name behind `#`: one for each heading."""
    titles = re.findall(r"^#+ (.*)$", prose(document), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_headings(document: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]*)\)", prose(document)):
        assert anchor in anchors(document.parent / target if target else document), anchor


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_files_that_are_named_exist(document: Path) -> None:
    folders = "src|include|docs|tests|examples|apps|bench"
    for path in re.findall(rf"`((?:{folders})/[\w./]+)`", prose(document)):
        is_pattern = re.search(r"[A-Z]{3}", path)  # as in tests/LAYER/NAME_test.cpp
        assert is_pattern or (ROOT / path).exists(), f"{document.name}: {path}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_settings_that_are_named_exist(document: Path) -> None:
    headers = (ROOT / "include/tasuki/detail/base").glob("*settings.hpp")
    declared = "".join(header.read_text() for header in headers)
    options = (ROOT / "CMakeLists.txt").read_text()
    for name in re.findall(r"\bTASUKI_[A-Z_]+\b", document.read_text()):
        known = f'"{name}"' in declared or f"option({name} " in options or name == "TASUKI_ASSERT"
        assert known, f"{document.name}: {name}"


MEASURED = r"(?<![\w.])\d[\d.,]* (?:ns|us|ms|s|min|minutes|MB/s|GB/s|M/s)\b"
COMMAND = r"`[^`]*(?:tasuki (?:run|bench|info|reproduce)|\./dev|tools/|bench_|npb_|ctest)[^`]*`"


def test_exit_codes_of_the_library_are_told() -> None:
    header = (ROOT / "include/tasuki/detail/base/exit_code.hpp").read_text()
    codes = re.findall(r"inline constexpr int \w+ = (\d+);", header)
    guide = (ROOT / "docs/guide/running.md").read_text()
    assert codes and set(codes) <= set(re.findall(r"^\| (\d+) \|", guide, re.MULTILINE))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_measured_numbers_have_a_command_in_their_section(document: Path) -> None:
    for section in re.split(r"^(?=#)", prose(document), flags=re.MULTILINE):
        measured = re.findall(MEASURED, section)
        title = section.partition("\n")[0]
        assert not measured or re.search(COMMAND, section), f"{document.name}: {title}: {measured}"


def test_readme_names_the_packages_that_dev_installs() -> None:
    dev = (ROOT / "dev").read_text()
    readme = (ROOT / "README.md").read_text()
    for purpose, opening in (("build", "- to build:"), ("test", "- to test:")):
        installed = re.search(rf"^{purpose}_packages=\(([^)]*)\)", dev, re.MULTILINE)
        named = re.search(
            rf"^{opening}(.*?);$|^{opening}(.*?)\.$", readme, re.MULTILINE | re.DOTALL
        )
        assert installed and named
        words = " ".join(re.findall(r"`([^`]*)`", named[0])).split()
        assert set(installed[1].split()) == set(words) - {"lu", "sssp"}, purpose


@pytest.mark.same_everywhere("it compares documents with the command's help")
def test_options_in_commands_exist(tasuki) -> None:
    named: dict[tuple[str, ...], set[str]] = {}  # Words of a subcommand -> its options.
    text = "\n".join(document.read_text() for document in DOCUMENTS)
    alone = "run|info|tune|explain|predict|profile|serve|call"
    subcommand = rf"({alone}|(?:bench|idl|reproduce)(?: [a-z]+)?)\b"
    for words, rest in re.findall(rf"(?=tasuki {subcommand}([^`#\n]*))", text):
        own = re.match(r'(?:[^"]|"[^"]*")*', rest)[0]  # A command may be an argument of another,
        own = re.sub(r'"tasuki [^"]*"', "", own)  # and be searched by itself.
        arguments = re.split(r"\./| -- ", own)[0]  # What follows are a program's own.
        options = re.findall(r"(?<!\S)--?[a-z][a-z-]*", arguments)
        named.setdefault(tuple(words.split()), set()).update(options)
    tasuki.environment["COLUMNS"] = "200"
    for words, options in named.items():
        shown = tasuki(*words, "--help").stdout
        assert {option for option in options if option not in shown} == set(), words


def test_every_example_is_shown_in_a_document() -> None:
    shown = "".join(document.read_text() for document in DOCUMENTS)
    programs = (path for path in ROOT.glob("examples/*.*") if path.suffix in (".cpp", ".c", ".py"))
    for example in programs:
        assert f" examples/{example.name}\n" in shown, example.name


def commands_with_json(group: Any, words: tuple[str, ...] = ()) -> set[str]:
    """What all commands are called that print JSON."""
    found: set[str] = set()
    for name, one in group.commands.items():
        if hasattr(one, "commands"):
            found |= commands_with_json(one, (*words, name))
        elif any("--json" in option.opts for option in one.params):
            found.add(" ".join((*words, name)))
    return found


def test_commands_that_print_json_are_listed() -> None:
    section = (ROOT / "docs/formats/bench.md").read_text().partition("### Commands")[2]
    listed = set(re.findall(r"`([^`]+)`", section.partition(". ")[0]))
    printing = commands_with_json(typer.main.get_command(app))
    assert "idl show" in printing  # Which prints an interface.
    by_words = {"tune --library", "tune --simulate", "tune --verify", "profile diff"}
    assert listed - {"command"} - by_words == printing - {"idl show"}
