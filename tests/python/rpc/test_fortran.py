"""Routines in Fortran get texts, with their lengths where the file says, and functions."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from demo_server import needs_server
from serving import Serving

needs_fortran = pytest.mark.skipif(shutil.which("gfortran") is None, reason="no Fortran compiler")
pytestmark = [needs_server, needs_fortran]
INTERFACE = """
Module {convention};
FortranStringConvention {convention};
FortranFormat "{format}";
Library "-lgfortran";
Define lengths(IN string first, IN int n, f(IN double x[n], OUT double *sum), IN filename second,
               OUT double found[3])
Required "{convention}.{suffix}"
Calls "Fortran" lengths(first, n, f, second, found);
"""
SOURCES = {
    "last.f90": """
subroutine lengths(first, n, f, second, found)
  character(len=*), intent(in) :: first, second
  integer, intent(in) :: n
  external :: f
  double precision, intent(out) :: found(3)
  double precision :: x(n)
  character(len=80) :: line
  open(unit=7, file=second, status='old')
  read(7, '(a)') line
  close(7)
  found(1) = len(first)
  found(2) = len_trim(line)
  x = len_trim(first)
  call f(x, found(3))
end subroutine
""",
    # As other compilers have compiled it.
    "justAfter.c": """
#include <stddef.h>
#include <string.h>
void LENGTHS(const char* first, size_t first_length, const int* n, void (*f)(double*, double*),
             const char* second, size_t second_length, double* found) {
  double x[100];
  for (int i = 0; i < *n; ++i) x[i] = first_length;
  found[0] = strlen(first);
  found[1] = second_length == strlen(second) ? 11 : 0;
  f(x, &found[2]);
}
""",
    "none.f90": """
subroutine lengths(first, n, f, second, found) bind(c)
  use, intrinsic :: iso_c_binding
  character(kind=c_char), intent(in) :: first(*), second(*)
  integer(c_int), intent(in) :: n
  interface
    subroutine f(x, total) bind(c)
      import :: c_double
      real(c_double), intent(in) :: x(*)
      real(c_double), intent(out) :: total
    end subroutine
  end interface
  real(c_double), intent(out) :: found(3)
  real(c_double) :: x(n)
  found(1) = 0
  do while (first(int(found(1)) + 1) /= c_null_char)
    found(1) = found(1) + 1
  end do
  found(2) = 0
  if (second(1) == '/') found(2) = 11
  x = found(1)
  call f(x, found(3))
end subroutine
""",
}
FORMATS = {"last.f90": "%s_", "justAfter.c": "%l", "none.f90": "%s"}


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator:
    """Serves a module for each convention, which has its name."""
    folder = tmp_path_factory.mktemp("served")
    for name, source in SOURCES.items():
        (folder / name).write_text(source)
        convention, _, suffix = name.partition(".")
        text = INTERFACE.format(convention=convention, suffix=suffix, format=FORMATS[name])
        (folder / f"{convention}.idl").write_text(text)
    with Serving(folder) as connected:
        yield connected


@pytest.mark.parametrize("convention", ["last", "justAfter", "none"])
@pytest.mark.parametrize("text", ["of 7 ch", "", "x" * 1000])
def test_texts_and_functions_in_fortran(server, tmp_path: Path, convention: str, text: str) -> None:
    file = tmp_path / "given"
    file.write_text("eleven char\n")
    module = getattr(server, convention)
    found = module.lengths(text, 3, lambda x, total: total.fill(x.sum()), file)
    np.testing.assert_array_equal(found, [len(text), 11, 3 * len(text)])
