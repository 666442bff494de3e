"""Braces are matched as a C compiler would; everything else keeps its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tasuki.idl.c_bodies import lift


@pytest.mark.parametrize(
    "code",
    [
        "",
        " if (a) { b(); } ",
        ' puts("}"); ',
        r' puts("\"}"); ',
        " c = '}'; ",
        r" c = '\''; d = '}'; ",
        " /* } */ ",
        " // }\n",
        " // { \\\n } \n",
        ' R"x(})x"; ',
        " n = 1'000; b = '}'; ",
        "\n#if 0\n don't }\n#endif\n",
        ' "/*" ',
    ],
)
def test_a_body_ends_at_its_own_brace(code):
    code = code.replace("don't }", "don't")  # What C ignores there, a scan cannot.
    text = f"Define f() {{{code}}} Module m;"
    lifted = lift(text)
    assert list(lifted.bodies.values()) == [code]
    assert not lifted.faults
    assert lifted.text.endswith("} Module m;")
    assert len(lifted.text) == len(text)


def test_braces_of_a_class_stay():
    lifted = lift("DefClass A { DefState { int i; } DefMethod f() { g(); } }")
    assert list(lifted.bodies.values()) == [" int i; ", " g(); "]
    assert "".join(lifted.text.split()) == "DefClassA{DefState{}DefMethodf(){}}"


def test_comments_become_spaces():
    assert lift("a/*x\ny*/b").text == "a   \n   b"
    assert lift("a//x\nb").text == "a   \nb"
    assert lift('"/*" b').text == '"/*" b'


def test_a_comment_may_be_in_another_encoding():
    shift_jis = "// \u8868\nModule m;".encode("shift_jis").decode("utf-8", "surrogateescape")
    assert lift(shift_jis).text.endswith("\nModule m;")


def test_a_backslash_continues_a_line():
    assert lift("a \\\n b").text == "a  \n b"


@pytest.mark.parametrize(
    ("text", "at", "what"),
    [
        ("a /* b", 2, "comment"),
        ('a "b', 2, "text"),
        ("Define f() { { }", 11, "C body"),
        ("Define f() { /* }", 11, "C body"),
    ],
)
def test_what_is_never_closed_is_named(text, at, what):
    lifted = lift(text)
    ((fault),) = lifted.faults
    assert (fault.at, f"this {what} is never closed" in fault.message) == (at, True)
    assert lifted.text[at:].strip() == ""


@given(some.text(alphabet="aDefine\"{}/*\\\n' ", max_size=60))
def test_every_character_keeps_its_place(text):
    lifted = lift(f"Define {text}")
    assert len(lifted.text) == len(text) + len("Define ")
    assert lifted.text.count("\n") == text.count("\n")
