"""What `tasuki idl build` makes, and what it says of files that it cannot build."""

import re
import shutil
from pathlib import Path

import pytest
from tasuki.idl.parser import parse_text
from tasuki.idl.stub import source_of

FILE = Path("example.idl")


def source(text: str, long_bits: int = 32) -> str:
    return source_of(parse_text(text, long_bits=long_bits), FILE)


def test_scalars_of_c_are_passed_by_value_and_those_of_fortran_by_address() -> None:
    arguments = "(IN int n, IN dcomplex z, INOUT float x[n])"
    in_c = source(f'Define f{arguments} Calls "C" g(x, n, z);')
    assert 'void tasuki_call_f(float*, int, double _Complex) __asm__("g");' in in_c
    assert re.search(r"tasuki_call_f\(\(float\*\)arguments\[2\], \*\(int\*\)", in_c)
    fortran = source(f'Define f{arguments} Calls "Fortran" Gee(x, n, z);')
    assert 'int*, double _Complex*) __asm__("gee_");' in fortran
    assert "(int*)arguments[0]" in fortran and "*(int*)" not in fortran


def test_names_of_fortran_follow_the_format_of_the_file() -> None:
    text = 'FortranFormat "_%l_"; Define f(IN int n) Calls "Fortran" gee(n);'
    assert '__asm__("_GEE_")' in source(text)


@pytest.mark.parametrize(
    ("convention", "types", "lengths"),
    [
        ("", "char*, int*, void (*)(double*), char*, size_t, size_t", [4, 5]),
        ("last", "char*, int*, void (*)(double*), char*, size_t, size_t", [4, 5]),
        ("justAfter", "char*, size_t, int*, void (*)(double*), char*, size_t", [1, 5]),
        ("none", "char*, int*, void (*)(double*), char*", []),
    ],
)
def test_lengths_of_texts_are_where_the_file_says(convention, types, lengths) -> None:
    statement = f"FortranStringConvention {convention};" if convention else ""
    arguments = "(IN string s, IN int n, f(IN double x[1]), IN filename t)"
    made = source(f'{statement} Define g{arguments} Calls "Fortran" h(s, n, f, t);')
    assert f"void tasuki_call_g({types}) __asm__" in made
    (passed,) = re.findall(r"  tasuki_call_g\((.*)\);", made)
    found = [one.startswith("strlen(*(char**)arguments[") for one in passed.split(", ")]
    assert [index for index, is_length in enumerate(found) if is_length] == lengths


def test_a_function_that_the_file_declares_is_called_as_declared() -> None:
    text = 'Globals { void g(int n); }\nDefine f(IN int n) Calls "C" g(n);'
    assert "__asm__" not in source(text) and "  g(*(int*)arguments[0]);" in source(text)


def test_a_program_with_c_plus_plus_is_c_plus_plus() -> None:
    made = source('Define f(IN dcomplex z) Calls "C++" g(z); Define h(IN int n) Calls "C" k(n);')
    assert "void g(std::complex<double>);" in made
    assert 'extern "C" void tasuki_call_h(int) __asm__("k");' in made


def test_a_scalar_of_long_is_long_in_c_and_travels_with_32_bits() -> None:
    made = source('Define f(IN long n, IN unsigned long m) Calls "C" g(n, m);')
    assert "void tasuki_call_f(long, unsigned long)" in made
    assert "tasuki_call_f(*(int32_t*)arguments[0], *(uint32_t*)arguments[1]);" in made
    fortran = source('Define f(IN long n) Calls "Fortran" g(n);')
    assert "tasuki_call_f(int32_t*)" in fortran


def test_methods_share_the_variables_of_their_class() -> None:
    made = source(
        "DefClass A { DefState { int n, *p; } DefMethod b_c() { } }\n"
        "DefClass A_b { DefMethod c(IN int k) { } }"
    )
    assert "int n, *p;" in made and "{&p, sizeof p}" in made
    assert '{"A", tasuki_variables_A, 2}' in made and "tasuki_variables_A_b" not in made
    assert '{"A.b_c", tasuki_run_1A_b_c}' in made and '{"A_b.c", tasuki_run_3A_b_c}' in made


def test_options_of_a_class_are_those_of_its_methods() -> None:
    text = 'DefClass A Language "C++" Backend "MPI" Required "a.o" { DefMethod f(IN int n) { } }'
    made = source(text)
    assert "#include <complex>" in made and "MPI_Init" in made
    ((_, method),) = parse_text(text).all_routines
    assert method.options.required == ("a.o",)


def test_with_blacs_bodies_have_its_context() -> None:
    made = source('Define f(IN int n) Backend "BLACS" { n = ictxt; }')
    assert made.index("static int ictxt;") < made.index("n = ictxt;")
    assert "Cblacs_get(-1, 0, &ictxt);" in made and "Cblacs_exit(1);" in made


def test_with_blacs_matrices_get_the_context_of_their_grid_before_a_routine_runs() -> None:
    text = "Define f(IN int n, IN distribute(BLOCK, BLOCK) double a[n][n], IN double b[n]) %s { }"
    made = source(text % 'Backend "BLACS"')
    (run,) = re.findall(r"static void tasuki_run_f\(.*?\n}", made, re.DOTALL)
    assert re.findall(r"tasuki_enter_grid\((.*?)\);", run) == ["arguments[1]"]
    assert run.index("tasuki_enter_grid") < run.index("tasuki_body_f")
    assert "tasuki_enter_grid" not in source(text % 'Backend "MPI"')


def test_the_lines_of_the_user_are_those_of_the_file() -> None:
    made = source("Globals {\nint x;\n}\nDefine f(IN int n)\n{ x = n; }").splitlines()
    assert made[made.index("{ x = n; }") - 1].startswith("#line 5 ")
    own = [index for index, line in enumerate(made) if line.endswith('example_routines.c"')]
    assert len(own) == 2
    for index in own:
        assert made[index] == f'#line {index + 2} "example_routines.c"'


def test_a_function_of_c_gets_copies_of_arrays_of_long() -> None:
    text = "Define f(IN int n, IN long x[n], OUT unsigned long *y, IN long k) %s"
    made = source(text % "{ }")
    assert "long* x, unsigned long* y, long k" in made
    (run,) = re.findall(r"static void tasuki_run_f\(.*?\n}", made, re.DOTALL)
    assert "long* const tasuki_copy_1 = (long*)tasuki_widen(arguments[1]);" in run
    assert "if (tasuki_copy_2 == NULL) return;" in run
    assert re.findall(r"tasuki_narrow\((.*?)\);", run) == ["arguments[2]"]
    for other in (
        source(text % "{ }", 64),
        source(text % 'Calls "Fortran" g(n, x, y, k);'),
        source(text % 'Calls "C" g(k);'),
    ):
        assert "tasuki_widen" not in other


def test_arrays_of_long_of_a_callback_need_to_say_how_long() -> None:
    text = "Define f(IN int n, g(IN long x[n])) { }"
    with pytest.raises(Exception, match="x of g is an array of long, which travels with 32 bits"):
        source(text)
    assert "tasuki_callback_f_g(long* x)" in source(text, 64)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Module empty; Library "-lm";', "describes no routine"),
        (
            "DefClass c { DefState { int n; }\nDefMethod f() { } }"
            "DefClass d { DefState { int n; } DefMethod f() { } }",
            "classes c and d both have a variable n",
        ),
        (
            "DefClass c { DefState {\nint f(void); } DefMethod f() { } }",
            'bad.idl:2: expected declarations of variables in DefState, found "int f (',
        ),
        ("DefClass c { DefState {\nnone n; } DefMethod f() { } }", "bad.idl:2:"),
        ("DefClass c { DefState { const int n; } DefMethod f() { } }", "const"),
        (
            'Define f(IN int n) Calls "python" "m:f"(n); Define g(IN int n) { }',
            "put them into a file of their own",
        ),
        ("Define f(IN int n)\n{ undeclared = n; }", "bad.idl:2:"),
        ('Define f(IN int n) Calls "C" not_there(n);', "not_there"),
        ('Compiler "no-such-cc"; Define f(IN int n) { }', "there is no compiler no-such-cc"),
    ],
)
def test_what_cannot_be_built_says_why(tasuki, tmp_path: Path, text: str, expected: str) -> None:
    file = tmp_path / "bad.idl"
    file.write_text(text)
    result = tasuki("idl", "build", file)
    assert result.returncode != 0
    assert expected in result.stderr.replace("\n", " ")
    assert not list(tmp_path.glob("*.json"))


def test_a_folder_that_cannot_be_written_is_named(tasuki, tmp_path: Path) -> None:
    file = tmp_path / "good.idl"
    file.write_text("Define f(IN int n) { }")
    result = tasuki("idl", "build", file, "-o", file / "below")
    assert result.returncode != 0
    assert "cannot write to" in result.stderr and "idl build -o FOLDER" in result.stderr


def test_a_program_that_is_none_is_not_registered(tasuki, tmp_path: Path) -> None:
    file = tmp_path / "own.idl"
    file.write_text("Define f(IN int n) { }")
    result = tasuki("idl", "build", file, "--program", tmp_path / "none")
    assert result.returncode != 0 and "is no program" in result.stderr


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="no Fortran compiler")
@pytest.mark.parametrize("has_own", [False, True])
def test_a_source_of_tasuki_is_taken_if_the_user_has_none_of_its_name(
    tasuki, tmp_path: Path, has_own: bool
) -> None:
    file = tmp_path / "f.idl"
    file.write_text('Define f(IN int n) Required "tasuki_routines.f90" Calls "Fortran" own(n);')
    if has_own:
        own = "subroutine own(n)\n  integer, intent(in) :: n\nend subroutine\n"
        (tmp_path / "tasuki_routines.f90").write_text(own)
    result = tasuki("idl", "build", file)
    assert result.returncode == (0 if has_own else 1)
    assert ("undefined reference to `own_'" in result.stderr) is not has_own
