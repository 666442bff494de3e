"""Every spelling of every type, in every order."""

import itertools
import re

import numpy
import pytest
from tasuki.idl.parser import _grammar
from tasuki.idl.types import _TABLE, TYPE_WORDS, type_of_name, type_of_words

SPELLINGS = [(spelling, name) for name, _, _, spellings in _TABLE for spelling in spellings]


@pytest.mark.parametrize(("spelling", "name"), SPELLINGS)
def test_words_may_stand_in_any_order(spelling, name):
    for words in itertools.permutations(spelling.split()):
        assert type_of_words(list(words), 32).name == name


@pytest.mark.parametrize("words", ["", "unsigned float", "long char", "int int", "long long long"])
def test_other_words_are_no_type(words):
    assert type_of_words(words.split(), 32) is None


def test_bytes_are_those_of_numpy():
    for name, wire, wire_bytes, _ in _TABLE:
        if wire_bytes:
            assert numpy.dtype(wire).itemsize == wire_bytes, name


@pytest.mark.parametrize(("words", "wire"), [("long", "int64"), ("unsigned long int", "uint64")])
def test_long_may_have_64_bits(words, wire):
    assert type_of_words(words.split(), 64).wire == wire
    assert type_of_words(words.split(), 32).wire == wire.replace("64", "32")


def test_other_types_have_the_bits_that_they_have():
    for spelling, name in SPELLINGS:
        if name not in ("long", "unsigned long"):
            assert type_of_words(spelling.split(), 64) == type_of_words(spelling.split(), 32)


def test_types_are_found_by_name_and_wire():
    assert type_of_name("long", "int64").wire_bytes == 8
    assert type_of_name("long", "float64") is None


def test_words_of_types_are_those_of_the_grammar():
    (terminal,) = (one for one in _grammar().terminals if one.name == "TYPE_WORD")
    pattern = terminal.pattern.to_regexp()
    assert all(re.fullmatch(pattern, word) for word in TYPE_WORDS)
