"""Which variables DefState declares."""

import pytest
from tasuki.idl.model import CBody
from tasuki.idl.state_variables import UnclearDeclarationError, variables_of


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("", ()),
        ("long count;", ("count",)),
        ("int n, *p, **q; double x[3][N + 1];", ("n", "p", "q", "x")),
        ("static unsigned long a = 1, b = f(2, 3); extern int c;", ("a", "b", "c")),
        ("int grid[] = {1, 2}, *last = &grid[1];", ("grid", "last")),
        ("const char* name; char const *const other = 0;", ("name", "other")),
        ("double (*f)(int, double), (*rows)[4], *(*table[2])(void);", ("f", "rows", "table")),
        ("struct node { int value; struct node* next; } *first, last;", ("first", "last")),
        ("struct node { int value; }; struct node* list; enum { A, B };", ("list",)),
        ("struct { int x; } point; union u { int i; float f; } both;", ("point", "both")),
        ("struct node; struct node *first; enum colour { red } shade;", ("first", "shade")),
        ("typedef int (*function)(int); function f; typedef struct { int a; } t; t u;", ("f", "u")),
        ("/* int a; */ int b; // int c;\n#define int_d int d;\nint e;", ("b", "e")),
        ("double x __attribute__((aligned(64))); _Alignas(64) int y;", ("x", "y")),
        ("char quote = ';', *text = \"; int z, {\";", ("quote", "text")),
        ("std::vector<double> v, w; std::map<int, std::vector<int>> m;", ("v", "w", "m")),
        ("int x{5}; std::vector<int> y{1, 2};", ("x", "y")),
        ("int n; extern int n;", ("n",)),
    ],
)
def test_names_are_found(code: str, expected: tuple[str, ...]) -> None:
    assert variables_of(CBody(code, 1)) == expected


@pytest.mark.parametrize(
    ("code", "line", "text"),
    [
        ("int a;\n\nint f(int x) { return x; } int b;", 5, "int f ( int x )"),
        ("void f(void);", 3, "void f ( void )"),
        ("int a;\nint b", 4, "int b"),
        ("\nunsigned;", 4, "unsigned"),
        ('std::string s("abc");', 3, "std :: string s"),
    ],
)
def test_what_declares_no_variable_is_named(code: str, line: int, text: str) -> None:
    with pytest.raises(UnclearDeclarationError, match="put functions into Globals") as caught:
        variables_of(CBody(code, 3))
    assert caught.value.line == line
    assert text in str(caught.value)
