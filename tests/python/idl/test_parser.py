"""What is accepted, and what is said of what is not."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from listings import APLINPACK, DMMUL
from tasuki.idl.errors import PROBLEMS_MOST, IdlError, SourceError
from tasuki.idl.expression import DEPTH_MOST
from tasuki.idl.model import (
    Block,
    Cyclic,
    Distribution,
    Language,
    Mode,
    Placement,
    StringConvention,
    Undivided,
)
from tasuki.idl.parser import parse_expression, parse_text


def only_routine(text):
    (routine,) = parse_text(text).routines
    return routine


def only_parameter(declaration):
    return only_routine(f"Define f({declaration}, IN int n, IN int m) {{ }}").parameters[0]


def problems_of(text):
    with pytest.raises(SourceError) as raised:
        parse_text(text, "a.idl")
    return [
        (one.place.line, one.place.column, one.message.partition(": write")[0])
        for one in raised.value.problems
    ]


def test_the_first_listing_of_the_paper():
    routine = only_routine(DMMUL)
    assert routine.name == "dmmul"
    assert routine.text == "dmmul is matrix multiply for double precision"
    assert routine.options.required == ("libxxx.o",)
    n, a, _, c = routine.parameters
    assert (n.type.name, n.mode, n.is_scalar) == ("long", Mode.IN, True)
    assert "".join(map(str, a.dimensions)) == "[n][n]"
    assert c.mode is Mode.OUT
    assert [one.name for one in routine.implementation.arguments] == ["n", "A", "B", "C"]


def test_the_second_listing_of_the_paper():
    module = parse_text(APLINPACK)
    assert (module.name, module.libraries) == ("Aplinpack", ("aplinpack.o",))
    (routine,) = module.routines
    a, b = routine.parameters[0], routine.parameters[4]
    assert a.distribution == Distribution((Block(), Block()))
    assert list(map(str, a.dimensions)) == ["[n]", "[lda:n]"]
    assert b.mode is Mode.INOUT
    assert routine.implementation.language is Language.C


@pytest.mark.parametrize(
    ("words", "name", "mode"),
    [
        ("long mode_in int", "long", Mode.IN),
        ("mode_in int", "int", Mode.IN),
        ("IN int", "int", Mode.IN),
        ("mode in int", "int", Mode.IN),
        ("int mode  in", "int", Mode.IN),
        ("unsigned IN long int", "unsigned long", Mode.IN),
        ("int long IN long", "long long", Mode.IN),
        ("mode_in uint16_t", "uint16_t", Mode.IN),
        ("IN string", "string", Mode.IN),
        ("OUT filename", "filename", Mode.OUT),
    ],
)
def test_modes_and_types_may_stand_in_any_order(words, name, mode):
    parameter = only_parameter(f"{words} x")
    assert (parameter.type.name, parameter.mode) == (name, mode)


@pytest.mark.parametrize(
    ("word", "mode"),
    [("OUT", Mode.OUT), ("INOUT", Mode.INOUT), ("WORK", Mode.WORK), ("IN", Mode.IN)],
)
def test_modes_have_three_spellings(word, mode):
    for spelling in (word, f"mode_{word.lower()}", f"mode {word.lower()}"):
        assert only_parameter(f"{spelling} int x[n]").mode is mode


@pytest.mark.parametrize(
    ("declarator", "shape"),
    [
        ("x[n]", "[n]"),
        ("x[n][m + 1]", "[n][m + 1]"),
        ("*x", "[1]"),
        ("(*x)", "[1]"),
        ("x[]", "[1]"),
        ("x[][n]", "[1][n]"),
        ("(x)[n]", "[n]"),
        ("x[n:m]", "[n:m]"),
        ("x[n:1,m]", "[n:1,m]"),
        ("x[n:0,m,2]", "[n:0,m,2]"),
        ("x[n:0,0,0]", "[n]"),
        ("x[n ? 1 : 2:m]", "[n ? 1 : 2:m]"),
    ],
)
def test_dimensions(declarator, shape):
    assert "".join(map(str, only_parameter(f"OUT double {declarator}").dimensions)) == shape


def test_a_single_expression_of_a_range_is_its_upper_limit():
    (dimension,) = only_parameter("IN double a[n:m]").dimensions
    assert (str(dimension.lower), str(dimension.upper), str(dimension.step)) == ("0", "m", "1")


@pytest.mark.parametrize(
    ("clause", "distribution"),
    [
        ("distribute(BLOCK, *)", Distribution((Block(), Undivided()))),
        ("distribute(CYCLIC, *)", Distribution((Cyclic(), Undivided()))),
        (
            "distribute(CYCLIC(n), BLOCK(4)) onto grid(2, m)",
            Distribution(
                (Cyclic(parse_expression("n")), Block(parse_expression("4"))),
                (parse_expression("2"), parse_expression("m")),
            ),
        ),
    ],
)
def test_distributions(clause, distribution):
    assert only_parameter(f"IN {clause} double a[n][m]").distribution == distribution
    assert only_parameter(f"{clause} double IN a[n][m]").distribution == distribution


def test_words_of_distributions_are_no_keywords():
    routine = only_routine("Define f(IN int BLOCK, IN int grid[BLOCK], IN int onto) { }")
    assert [one.name for one in routine.parameters] == ["BLOCK", "grid", "onto"]


@pytest.mark.parametrize("words", ["IN broadcast", "broadcast IN"])
def test_ninf_g_places_arguments_on_ranks(words):
    assert only_parameter(f"{words} int x[n]").placement is Placement.BROADCAST


def test_a_dollar_is_a_letter_of_names():
    routine = only_routine(
        "Define $f$(IN int n$Define, IN$ (IN double p$[$IN]), IN double $x[n$Define], IN int $IN)"
        ' Calls "C" g$$(n$Define, $x, IN$);'
    )
    assert [one.name for one in routine.parameters] == ["n$Define", "IN$", "$x", "$IN"]
    assert routine.name == "$f$" and routine.implementation.target == "g$$"


def test_options():
    routine = only_routine(
        'Define f(IN int n) "text" Required "a.o" Required "b.o" Backend "mpi" Shrink "yes"'
        ' Language "FORTRAN" CalcOrder 2 * n ^ 3 Alias g, h Calls "Fortran" f(n);'
    )
    options = routine.options
    assert options.required == ("a.o", "b.o")
    assert (options.backend.value, options.language.value, options.shrink) == (
        "MPI", "Fortran", True,
    )  # fmt: skip
    assert str(routine.calc_order) == "2 * n ^ 3"
    assert routine.aliases == ("g", "h")
    assert routine.implementation.language is Language.FORTRAN


@pytest.mark.parametrize(
    ("implementation", "language"),
    [
        ("Calls g(n);", Language.C),
        ('Calls "Fortran" g(n);', Language.FORTRAN),
        ('Language "Fortran" Calls g(n);', Language.FORTRAN),
        ('Language "Fortran" Calls "C" g(n);', Language.FORTRAN),
        ('Language "C" Calls "Fortran" g(n);', Language.C),
        ('Language "C++" Calls g(n);', Language.CPP),
        ('Language "python" Calls "python" "a:b";', Language.PYTHON),
    ],
)
def test_the_option_language_decides_what_calls_calls(implementation, language):
    assert only_routine(f"Define f(IN int n) {implementation}").implementation.language is language


def test_the_language_of_a_class_is_that_of_methods_without_one():
    module = parse_text(
        'DefClass A Language "Fortran" { DefMethod a() Calls g(); DefMethod b() Calls "C" g();'
        ' DefMethod c() Language "C" Calls g(); DefMethod d() Language "C" { } }'
    )
    called = {name: one.implementation for name, one in module.all_routines}
    languages = [called[f"A.{name}"].language for name in "abc"]
    assert languages == [Language.FORTRAN, Language.C, Language.C]


def test_python_functions():
    routine = only_routine('Define f(IN int n, OUT int *m) Calls "python" "a.b:c";')
    assert routine.implementation.target == "a.b:c"
    assert [one.name for one in routine.implementation.arguments] == ["n", "m"]
    routine = only_routine('Define f(IN int n, OUT int *m) Calls "python" "a.b:c"(m);')
    assert [one.name for one in routine.implementation.arguments] == ["m"]


def test_c_bodies_and_their_lines():
    routine = only_routine('Define f(IN int n)\n\n{ g("}", n); }')
    assert (routine.implementation.code, routine.implementation.line) == (' g("}", n); ', 3)


def test_statements_of_a_file():
    module = parse_text(
        'Module m; Library "-lm"; Library "-lb"; CompileOptions "-O2"; Compiler "mpicc";'
        ' Linker "mpif90"; FortranFormat "_%s_"; FortranStringConvention justAfter;'
        "Globals { int x; } Globals { int y; }"
    )
    assert module.libraries == ("-lm", "-lb")
    assert (module.compiler, module.linker, module.compile_options) == ("mpicc", "mpif90", ("-O2",))
    assert module.fortran_format == "_%s_"
    assert module.fortran_string_convention is StringConvention.JUST_AFTER
    assert [one.code for one in module.globals] == [" int x; ", " int y; "]


def test_classes():
    module = parse_text(
        'DefClass A "counts" Backend "BLACS" { DefState { int n; } DefMethod _initialize() { }'
        ' DefMethod add(IN int n) "adds" CalcOrder n { } }'
    )
    (found,) = module.classes
    assert (found.name, found.text, found.options.backend.value) == ("A", "counts", "BLACS")
    assert [name for name, _ in module.all_routines] == ["A._initialize", "A.add"]
    assert found.states[0].code == " int n; "


def test_callbacks():
    routine = only_routine("Define f(IN int n, g(IN double x[n], OUT int *y), h()) { }")
    _, g, h = routine.parameters
    assert ([one.name for one in g.parameters], h.parameters) == (["x", "y"], ())


def test_text_has_escapes():
    assert only_routine(r'Define f() "a\n\"b\" \101\x42" { }').text == 'a\n"b" AB'


def test_long_has_as_many_bits_as_asked():
    assert parse_text(DMMUL, long_bits=64).routines[0].parameters[0].type.wire == "int64"


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("Define f(IN int a,) { }", 1, 19, "expected a type or a mode, found ')'"),
        (
            "Define f(IN int) { }", 1, 16,
            "expected a type, a mode or the name of the argument, found ')'",
        ),
        ("Define f(", 1, 10, "expected a type, a mode or ')', found the end of the file"),
        ("Define f(n) { }", 1, 10, "n has no type and no mode, as in: IN int n"),
        ("Define f(int n) { }", 1, 14, "n has no mode"),
        ("Define f(IN n) { }", 1, 13, "n has no type"),
        ("Define f(IN foo n) { }", 1, 17, "expected ')', '[' or ',', found 'n'; 'foo' is no type"),
        ("Define f(IN int float n) { }", 1, 13, "there is no type 'int float'"),
        ("Define f(IN OUT int n[1]) { }", 1, 13, "n has more than one mode"),
        ("Define f(IN int a[n*]) { }", 1, 21, "expected an expression, found ']'"),
        ("Define f(IN int a[1 2]) { }", 1, 21, "expected an operator, ']' or ':', found '2'"),
        ("Define f(IN int a[1.5]) { }", 1, 19, "1.5 is no whole number"),
        ("Define f(IN int a[08]) { }", 1, 19, "08 is no whole number"),
        (
            "Define f(IN int a[9223372036854775808]) { }", 1, 19,
            "9223372036854775808 does not fit into 64 bits",
        ),
        ("Define f(IN int *a[2]) { }", 1, 17, "a has a * and another dimension"),
        ("Define f(IN int a[2][]) { }", 1, 21, "only the first dimension may be empty"),
        ("Define f() Backend \"PVM\" { }", 1, 20, 'expected one of "normal", "MPI", "BLACS"'),
        ('Define f() Shrink "maybe" { }', 1, 19, 'expected "yes" or "no" after Shrink'),
        ('Define f() Calls "C" "g"();', 1, 22, "expected the name of a function in C"),
        ('Define f() Calls "python" g();', 1, 27, 'expected a text such as "module:function"'),
        (
            "Define f(IN distribute(BLOK) int a[2]) { }", 1, 24,
            "expected BLOCK, CYCLIC or *, found 'BLOK'",
        ),
        ("Define f(g(h())) { }", 1, 12, "g is a callback: it cannot take another one"),
        ("Module m\nLibrary \"a\";", 1, 9, "expected ';', found 'Library'"),
        ("Module;", 1, 7, "expected a name, found ';'"),
        ("Module int;", 1, 8, "expected a name, found 'int'"),
        ("Module a; Module b;", 1, 18, "the file has said this before: a"),
        ('FortranFormat "x";', 1, 15, "expected one %s or %l, which stand for the function's name"),
        (
            "FortranStringConvention gfortran;", 1, 25, "expected one of last, justAfter, none",
        ),
        (
            "FortranStringConvention last;\nFortranStringConvention none;", 2, 25,
            "the file has said this before: last",
        ),
        ("int f();", 1, 1, "expected a statement such as Module or Define, found 'int'"),
        (
            "Define f()", 1, 11,
            "expected an option, a text in quotes, Calls or '{', found the end of the file",
        ),
        ("Define f() { ", 1, 12, "this C body is never closed: a } is missing"),
        ("/* \n", 1, 1, "this comment is never closed"),
        ("Define f() @ { }", 1, 12, "unexpected '@'"),
        ("Define f() \x01 { }", 1, 12, r"unexpected '\x01'"),
        ("Define f() \"\udcff\" { }", 1, 12, "this text is not UTF-8"),
        ("Define f() { \udcff }", 1, 12, "this C body is not UTF-8"),
    ],
)  # fmt: skip
def test_errors_say_what_was_expected(text, line, column, said):
    found = problems_of(text)
    assert [(one[0], one[1]) for one in found] == [(line, column)]
    assert found[0][2].startswith(said)


def test_errors_show_the_line_and_the_column():
    with pytest.raises(SourceError) as raised:
        parse_text("Module m;\nDefine f(IN int n,\n\t) { }", "sum.idl")
    assert str(raised.value).splitlines() == [
        "sum.idl:3:2: expected a type or a mode, found ')'",
        "   ) { }",
        "   ^",
    ]


def test_independent_errors_are_reported_together():
    text = "Module;\nDefine f(IN int n, IN) { }\nDefine g(IN int a[q]) { }\nDefine h(IN) { }"
    assert [line for line, _, _ in problems_of(text)] == [1, 2, 3, 4]


def test_only_so_many_errors_are_shown():
    with pytest.raises(SourceError) as raised:
        parse_text("Module;\n" * 3000)
    assert str(raised.value).splitlines()[-4:] == [
        f"<text>:{PROBLEMS_MOST}:7: expected a name, found ';'",
        "  Module;",
        "        ^",
        "... and more problems",
    ]


def test_long_lines_are_shown_in_part():
    with pytest.raises(SourceError) as raised:
        parse_text("Define f(IN int n, " + "IN int m[n], " * 1000 + ") { }")
    assert max(map(len, str(raised.value).splitlines())) < 110


@pytest.mark.parametrize("opening", ["(", "-(", "1 + (", "1 ? (", "-"])
def test_deep_nesting_is_an_error(opening):
    nested = opening * 20000 + "1" + ")" * (20000 * opening.count("("))
    with pytest.raises(SourceError):
        parse_text(f"Define f(IN int a[{nested}{'*' if opening == '(' else ''}]) {{ }}")


def test_parentheses_alone_are_not_deep():
    assert str(parse_expression("(" * 5000 + "n" + ")" * 5000)) == "n"


def test_long_sums_are_as_deep_as_allowed():
    parse_expression("+".join(["n"] * (DEPTH_MOST + 1)))
    with pytest.raises(SourceError, match=f"nested more than {DEPTH_MOST} deep"):
        parse_expression("+".join(["n"] * (DEPTH_MOST + 2)))


PIECES = [
    "Module", "Define", "DefClass", "DefState", "DefMethod", "Calls", "Globals", "Required",
    "CalcOrder", "distribute", "onto grid", "BLOCK", "IN", "mode", "out", "int", "long", "n", "f",
    '"text"', '"', "'", "(", ")", "[", "]", "{", "}", ",", ";", ":", "*", "^", "?", "==", "/*",
    "*/", "//", "\n", "\\", "0x", "1", "08", "1e5", "\x00", "\udcff", "\u3042", "# 5", "é", "$",
]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(some.lists(some.sampled_from(PIECES), max_size=40).map(" ".join) | some.text(max_size=80))
def test_garbage_raises_nothing_else(text):
    try:
        parse_text(text.replace("#", "# 5 "))  # Directives would start a compiler each time.
    except IdlError as fault:
        str(fault).encode("utf-8", "replace")


@settings(max_examples=200, deadline=None)
@given(some.data())
def test_damaged_files_raise_nothing_else(data):
    text = data.draw(some.sampled_from([DMMUL, APLINPACK]))
    start = data.draw(some.integers(0, len(text)))
    end = data.draw(some.integers(start, min(start + 20, len(text))))
    text = text[:start] + data.draw(some.sampled_from(PIECES)).replace("#", "") + text[end:]
    with contextlib.suppress(IdlError):
        parse_text(text)
