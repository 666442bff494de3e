"""What must hold between the parts of a file."""

import pytest
from tasuki.idl.errors import SourceError
from tasuki.idl.parser import parse_text


def problems_of(text):
    with pytest.raises(SourceError) as raised:
        parse_text(text)
    return [(one.place.column, one.message) for one in raised.value.problems]


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("Define f(IN int a[q]) { }", 19, "q is no argument of this routine"),
        ("Define f(IN int a[n], OUT int *n) { }", 19, "n is no scalar: sizes are made of IN"),
        ("Define f(IN int a[x], IN double x) { }", 19, "x is a double: sizes are made of IN int"),
        ("Define f(IN int a[g], g()) { }", 19, "g is no scalar: sizes are made of IN integers"),
        ("Define f(IN int a[n], INOUT filename n) { }", 19, "n is INOUT: sizes must be known"),
        ("Define f(OUT int n) { }", 18, "n is OUT and a scalar, through which nothing comes back"),
        ("Define f(WORK int n) { }", 19, "n is WORK and a scalar"),
        ("Define f(IN int n, IN int n) { }", 27, "there is another argument n"),
        ("Define f(IN int n, n()) { }", 20, "there is another argument n"),
        ("Define f() { } Define f() { }", 23, "there is another routine or class f"),
        ("Define f() { } Define g() Alias f { }", 23, "there is another routine or class f"),
        ("DefClass A { DefMethod f() { } DefMethod f() { } }", 42, "there is another method f"),
        ("DefClass A { DefState { } }", 10, "A has no method"),
        (
            "DefClass A { DefState { } DefState { } DefMethod f() { } }", 10,
            "A has more than one DefState",
        ),
        ("DefClass A CalcOrder 1 { DefMethod f() { } }", 10, "A is a class: CalcOrder and Alias"),
        ("Define f(IN distribute(BLOCK) int n) { }", 35, "n is a scalar: only arrays can be dis"),
        (
            "Define f(IN distribute(BLOCK) int a[2][3]) { }", 35,
            "a has 2 dimensions and is distributed by 1: (BLOCK)",
        ),
        ("Define f(IN distribute(*) int a[2]) { }", 31, "a has a distribution that divides no"),
        (
            "Define f(IN distribute(BLOCK) onto grid(2, 2) int a[2]) { }", 51,
            "a is divided in 1 dimension, and the grid has 2",
        ),
        ("Define f(IN distribute(BLOCK(k)) int a[2]) { }", 30, "k is no argument of this routine"),
        ("Define f(IN distribute(BLOCK) string a[2]) { }", 38, "a holds strings: it cannot be dis"),
        (
            "Define f(IN broadcast distribute(BLOCK) int a[2]) { }", 45,
            "a is distributed: broadcast contradicts that",
        ),
        ("Define f(OUT broadcast int a[2]) { }", 28, "a is OUT: there is nothing to broadcast"),
        ("Define f(g(IN int n)) { }", 19, "n is a scalar, and callbacks take arrays: write n[1]"),
        ("Define f(g(IN int a[k])) { }", 21, "k is no argument of this routine"),
        ("Define f(g(IN int a[1], OUT int a[1])) { }", 33, "there is another argument a"),
        (
            "Define f(g(IN distribute(BLOCK) int a[1])) { }", 37,
            "a belongs to a callback: it is not distributed",
        ),
        ("Define f(IN int a[-1]) { }", 17, "a must have shape (-1,), and no size may be negative"),
        ("Define f(IN int n, IN int a[n][1 / 0]) { }", 27, "a: 1 / 0 divides by zero"),
        ("Define f(IN int a[4:5]) { }", 17, "a[4:5] is [4:0,5,1]: a range needs"),
        ("Define f() CalcOrder n { }", 22, "n is no argument of this routine"),
        ("Define f(IN int n) Calls f(n, m);", 31, "m is no argument of this routine"),
        ('Define f() Calls "python" "math";', 27, '"math" names no function: write "module:func'),
        ('Define f() Language "python" { }', 8, "f has a body of C: functions of Python"),
        ('Define f() Language "Fortran" { }', 8, "f has a body of C: functions of Fortran"),
        ('DefClass A Language "Fortran" { DefMethod f() { } }', 43, "f has a body of C"),
        ('Define f() Calls "python" "a:b c";', 27, '"a:b c" names no function'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_where_it_is(text, column, said):
    ((found_column, message),) = problems_of(text)
    assert message.startswith(said)
    assert found_column == column


def test_a_size_may_be_declared_later():
    parse_text("Define f(IN double a[n][lda:n], IN int lda, IN int n) { }")


def test_sizes_of_callbacks_are_those_of_the_routine():
    parse_text("Define f(IN int n, g(IN double a[n], OUT int *m)) Calls f(n, g);")


def test_many_things_are_said_at_once():
    found = problems_of("Define f(IN int a[q], OUT int b) Calls f(c);")
    assert [column for column, _ in found] == [19, 31, 42]
