"""The C preprocessor runs for files that use it, and errors still name the user's places."""

import shutil

import pytest
from tasuki.idl import preprocessor
from tasuki.idl.errors import SourceError
from tasuki.idl.parser import parse_file, parse_text

WITH_MACRO = "#define ROWS lda\nDefine f(IN int lda, IN double a[ROWS]) { }\n"
needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, preprocessor.COMPILERS)), reason="no C compiler"
)


@needs_compiler
def test_macros_are_expanded():
    (routine,) = parse_text(WITH_MACRO).routines
    assert str(routine.parameters[1].dimensions[0]) == "[lda]"


@needs_compiler
def test_places_are_those_of_the_user():
    text = "#define ROWS (lda + 1)\n\nDefine f(IN int lda, IN double a[ROWS],   IN int b[q]) { }\n"
    with pytest.raises(SourceError) as raised:
        parse_text(text, "rows.idl")
    assert str(raised.value).splitlines() == [
        "rows.idl:3:52: q is no argument of this routine",
        "  Define f(IN int lda, IN double a[ROWS],   IN int b[q]) { }",
        "  " + " " * 51 + "^",
    ]


@needs_compiler
def test_an_error_in_an_included_file_names_that_file(tmp_path):
    (tmp_path / "inner.idl").write_text("\nDefine f(IN int) { }\n")
    (tmp_path / "outer.idl").write_text('Module m;\n#include "inner.idl"\n')
    with pytest.raises(SourceError) as raised:
        parse_file(tmp_path / "outer.idl")
    (problem,) = raised.value.problems
    assert (problem.place.file, problem.place.line) == (str(tmp_path / "inner.idl"), 2)
    assert problem.place.line_text == "Define f(IN int) { }"


@needs_compiler
def test_what_the_preprocessor_finds_is_shown():
    with pytest.raises(SourceError) as raised:
        parse_text('Module m;\n#include "none.idl"\n', "a.idl")
    assert str(raised.value).startswith("a.idl:2:10: ")
    assert "none.idl" in str(raised.value) and '#include "none.idl"' in str(raised.value)


def test_without_a_compiler_that_is_said(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(SourceError) as raised:
        parse_text(WITH_MACRO, "a.idl")
    assert str(raised.value).startswith(
        "a.idl:1:2: #define needs the C preprocessor, and none of cc, gcc, clang is installed:"
        " install one, or write the file without directives\n  #define ROWS lda\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Globals { #include <math.h> }\n",
        "Globals {\n#include <math.h>\n#define X 1\n}\n",
        '# 3 "a.idl"\nModule m;\n',
        "#line 3\nModule m;\n",
        "/*\n#define\n*/\nModule m;\n",
    ],
)
def test_no_compiler_is_needed_without_directives(monkeypatch, text):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    parse_text(text)


@needs_compiler
def test_names_that_old_compilers_define_stay():
    (routine,) = parse_text("#define N 2\nDefine unix(IN int linux[N]) { }").routines
    assert (routine.name, routine.parameters[0].name) == ("unix", "linux")
