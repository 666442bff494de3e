"""Documents and comments use the field's terms, not words of our own for the same things."""

import re
from pathlib import Path

import pytest
from sources import cmake_files, cpp_files, documents, name, python_files

# Our own word -> the term.
TERMS = {
    "twins?": "MPI baseline",
    "landings?": "pre-posted receive",
    "by turns": "interleaved",
    "(?:gives?|giving|gave) way": "yield",
    "inquir(?:y|ies)": "size exchange",
    "own blocks?": "self block",
    "boards?": "staging buffer",
    "grounds?": "node segment",
    "handshakes?": "eager or rendezvous",
    # To look for a file or a name stays: that is no polling.
    "look(?:s|ed|ing)? (?:at|whether)": "poll, test, read or check",
    "look(?:s|ed|ing)? for (?:a |new )?(?:messages?|arrivals?|completions?|flags?)": "poll for",
    "(?:an?|each|between|many|two|int) looks?(?!-)": "poll",
}


def private_words(text: str) -> dict[str, str]:
    """Returns each word that is found, also as part of an identifier, with the term for it."""
    parts = re.sub(r"_|(?<=[a-z0-9])(?=[A-Z])", " ", text)
    words = " ".join(parts.lower().split())
    found = {word: re.search(rf"\b{word}\b", words) for word in TERMS}
    return {match[0]: TERMS[word] for word, match in found.items() if match}


@pytest.mark.parametrize("path", documents(), ids=name)
def test_terms_are_those_of_the_field(path: Path) -> None:
    assert private_words(path.read_text()) == {}


def test_sources_use_these_terms_too() -> None:
    paths = {*cpp_files(), *python_files(), *cmake_files()} - {Path(__file__)}
    found = {name(path): private_words(path.read_text()) for path in paths}
    assert {where: words for where, words in found.items() if words} == {}


def test_a_private_word_is_found() -> None:
    assert private_words("Ranks give\nway.") == {"give way": "yield"}
    assert private_words("MPI_Sendrecv and its Twin") == {"twin": "MPI baseline"}
    assert private_words("`landing_least_bytes` in the code") == {"landing": "pre-posted receive"}
    assert private_words("TEST(Fiber, MayGiveWayTwice)") == {"give way": "yield"}
    assert private_words("a_look_takes_long") == {"a look": "poll"}
    assert private_words("It looks for messages.") == {"looks for messages": "poll for"}
    assert private_words("It looks for a file, right-looking, with look-ahead.") == {}
