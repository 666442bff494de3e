"""Characters of the text are found again in the user's files."""

import pytest
from tasuki.idl.errors import IdlError
from tasuki.idl.source import Source, read_text


def test_places_count_from_one():
    place = Source.of("a.idl", "x\n yz", "x\n yz").place(4)
    assert (place.file, place.line, place.column, place.line_text) == ("a.idl", 2, 3, " yz")


def test_line_markers_are_believed_and_blanked():
    text = '# 7 "b.idl" 2\nx\n#line 3\ny'
    source = Source.of("a.idl", text, text)
    assert source.text.split() == ["x", "y"]
    assert (source.place(source.text.index("x")).file, source.line_of(14)) == ("b.idl", 7)
    assert source.line_of(source.text.index("y")) == 3


def test_a_word_that_the_preprocessor_moved_is_found():
    source = Source.of("a.idl", "A  nn,   A n", "12 nn, 12 n")
    assert source.place(3).column == 4
    assert source.place(10).column == 12


def test_the_end_of_the_text_has_a_place():
    assert Source.of("a", "", "").place(0).column == 1
    assert Source.of("a", "x\n", "x\n").place(2).line == 2


def test_lines_may_end_as_on_windows(tmp_path):
    path = tmp_path / "a.idl"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\xff")
    assert read_text(path) == "a\nb\udcff"


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(IdlError, match=r"none\.idl: cannot be read: No such file"):
        read_text(tmp_path / "none.idl")
