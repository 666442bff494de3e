"""What `tasuki idl build` makes, and what it says of files that it cannot build."""

import re
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
    assert 'void tasuki_call_f(float *x, int32_t n, double _Complex z) __asm__("g");' in in_c
    assert re.search(r"tasuki_call_f\(\(float\*\)arguments\[2\], \*\(int32_t\*\)", in_c)
    fortran = source(f'Define f{arguments} Calls "Fortran" Gee(x, n, z);')
    assert 'int32_t *n, double _Complex *z) __asm__("gee_");' in fortran
    assert "(int32_t*)arguments[0]" in fortran and "*(int32_t*)" not in fortran


def test_names_of_fortran_follow_the_format_of_the_file() -> None:
    text = 'FortranFormat "_%l_"; Define f(IN int n) Calls "Fortran" gee(n);'
    assert '__asm__("_GEE_")' in source(text)


def test_a_function_that_the_file_declares_is_called_as_declared() -> None:
    text = 'Globals { void g(int n); }\nDefine f(IN int n) Calls "C" g(n);'
    assert "__asm__" not in source(text) and "  g(*(int32_t*)arguments[0]);" in source(text)


def test_a_program_with_c_plus_plus_is_c_plus_plus() -> None:
    made = source('Define f(IN dcomplex z) Calls "C++" g(z); Define h(IN int n) Calls "C" k(n);')
    assert "void g(std::complex<double> z);" in made
    assert 'extern "C" void tasuki_call_h(int32_t n) __asm__("k");' in made


def test_aliases_are_names_of_the_same_routine() -> None:
    made = source("Define f(IN int n) Alias g, h { }")
    assert [name for name in "fgh" if f'{{"{name}", tasuki_run_f}}' in made] == ["f", "g", "h"]


def test_the_lines_of_the_user_are_those_of_the_file() -> None:
    made = source("Globals {\nint x;\n}\nDefine f(IN int n)\n{ x = n; }").splitlines()
    assert made[made.index("{ x = n; }") - 1].startswith("#line 5 ")
    own = [index for index, line in enumerate(made) if line.endswith('example_routines.c"')]
    assert len(own) == 2
    for index in own:
        assert made[index] == f'#line {index + 2} "example_routines.c"'


def test_arrays_of_long_need_to_say_how_long() -> None:
    text = "Define f(IN int n, IN long x[n], IN long k) { }"
    with pytest.raises(Exception, match="x is an array of long, which travels with 32 bits"):
        source(text)
    assert "int64_t *x, int64_t k" in source(text, 64)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Module empty; Library "-lm";', "describes no routine"),
        ("DefClass c { DefMethod f(IN int n) { } }", "servers have no classes yet"),
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
