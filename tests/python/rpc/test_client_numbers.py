"""Numbers of every type that an interface has, from programs in C++ and Fortran, there and back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from demo_server import needs_server
from serving import ServeCommand, build_interfaces
from test_client_languages import compiled_cpp, fortran, needs_fortran, run

pytestmark = needs_server
INTERFACE_TYPES = {
    "int8": "int8_t", "int16": "int16_t", "int32": "int32_t", "int64": "int64_t",
    "uint8": "uint8_t", "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t",
    "float32": "float", "float64": "double", "complex64": "scomplex", "complex128": "dcomplex",
}  # fmt: skip
ROUTINE = """
Define give_{name}(IN int n, IN {type} one, IN {type} x[n], INOUT {type} y[n], OUT {type} z[n+1])
{{
    int i;
    for (i = 0; i < n; ++i) {{ z[i] = y[i]; y[i] = x[i]; }}
    z[n] = one;
}}
"""


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeCommand]:
    """Its routines exchange x and y, and give back what they had in z, with the scalar."""
    folder = tmp_path_factory.mktemp("numbers")
    routines = (ROUTINE.format(name=name, type=one) for name, one in INTERFACE_TYPES.items())
    build_interfaces(folder, numbers="".join(routines))
    started = ServeCommand(folder)
    yield started
    started.__exit__()


CPP = r"""
#include <complex>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <tasuki/remote.hpp>
#include <vector>

template <class Type>
void give(const char* name, Type least, Type most, Type other) {
  const std::string routine = std::string("numbers/give_") + name;
  const std::vector<Type> x = {least, most, other};
  const std::vector<Type> before = {other, least, most};
  std::vector<Type> y = before, z(4);
  for (const Type one : {least, most, other}) {
    tasuki::rpc::call(routine, 3, one, x, y, z);
    const bool is_right = y == x && std::vector<Type>(z.begin(), z.end() - 1) == before;
    std::printf("%s %d %d\n", name, is_right, z[3] == one);
    y = before;
    const tasuki::rpc::Results left_out = tasuki::rpc::call(routine, 3, one, x, y);
    std::printf("%s %d\n", name, left_out.get<Type>(0) == z);
    y = before;
  }
}

template <class Integer>
void give_integer(const char* name) {
  using Limits = std::numeric_limits<Integer>;
  give<Integer>(name, Limits::min(), Limits::max(), 7);
}

template <class Real>
void give_real(const char* name, const char* complex_name) {
  using Limits = std::numeric_limits<Real>;
  const Real least = Limits::lowest(), most = Limits::max(), tiny = Limits::denorm_min();
  give<Real>(name, least, Limits::infinity(), tiny);
  give<std::complex<Real>>(complex_name, {least, most}, {tiny, -Limits::infinity()}, {1.5, -0.5});
}

template <class Scalar, class Array>
void refuse(const char* routine, Scalar one, std::vector<Array> x) {
  std::vector<Array> y = x, z(x.size() + 1);
  try {
    tasuki::rpc::call(routine, x.size(), one, x, y, z);
    std::puts("taken");
  } catch (const tasuki::rpc::call_error& fault) {
    std::puts(fault.what());
  }
}

int main() {
  give_integer<std::int8_t>("int8");
  give_integer<std::int16_t>("int16");
  give_integer<std::int32_t>("int32");
  give_integer<std::int64_t>("int64");
  give_integer<std::uint8_t>("uint8");
  give_integer<std::uint16_t>("uint16");
  give_integer<std::uint32_t>("uint32");
  give_integer<std::uint64_t>("uint64");
  give_real<float>("float32", "complex64");
  give_real<double>("float64", "complex128");

  std::puts("refused");
  using Bytes = std::vector<std::uint8_t>;
  refuse("numbers/give_uint8", -1, Bytes{1});
  refuse("numbers/give_uint8", 256, Bytes{1});
  refuse("numbers/give_uint64", -1, std::vector<std::uint64_t>{1});
  refuse("numbers/give_int64", std::numeric_limits<std::uint64_t>::max(),
         std::vector<std::int64_t>{1});
  refuse("numbers/give_uint8", 1, std::vector<std::int8_t>{1});
  refuse("numbers/give_uint32", 1, std::vector<std::int32_t>{1});
  refuse("numbers/give_complex128", 1, std::vector<std::complex<float>>{1});
  refuse("numbers/give_float64", std::complex<double>(1, 1), std::vector<double>{1});
  std::puts("converted");
  refuse("numbers/give_complex64", 3, std::vector<std::complex<float>>{1});
  refuse("numbers/give_float64", std::uint8_t{3}, std::vector<double>{1});
}
"""


def test_cpp_gives_numbers_of_every_type(serving: ServeCommand, tmp_path: Path) -> None:
    lines = run(compiled_cpp(tmp_path, CPP), server=serving.url).splitlines()
    given = lines[: lines.index("refused")]
    assert sorted(given) == sorted(
        line for name in INTERFACE_TYPES for line in 3 * [f"{name} 1 1", f"{name} 1"]
    )
    refused = lines[lines.index("refused") + 1 : lines.index("converted")]
    for line, expected in zip(
        refused,
        (
            "one", "one", "one", "one", "x must be of uint8, and is of int8",
            "x must be of uint32, and is of int32", "x must be of complex128, and is of complex64",
            "one",
        ),
        strict=True,
    ):  # fmt: skip
        assert expected in line and "Remedy: " in line
    assert lines[lines.index("converted") + 1 :] == ["taken", "taken"]


FORTRAN_TYPES = {
    "int8": ("integer(int8)", "-127_int8", "127_int8", "7_int8"),
    "int16": ("integer(int16)", "-32767_int16", "32767_int16", "7_int16"),
    "int32": ("integer(int32)", "-huge(1_int32)", "huge(1_int32)", "7_int32"),
    "int64": ("integer(int64)", "-huge(1_int64)", "huge(1_int64)", "7_int64"),
    "float32": ("real(real32)", "-huge(1._real32)", "tiny(1._real32)", "1.5_real32"),
    "float64": ("real(real64)", "-huge(1._real64)", "tiny(1._real64)", "1.5_real64"),
    "complex64": (
        "complex(real32)", "(-3.25_real32, 2._real32)", "(1e-30_real32, -1e30_real32)",
        "(1.5_real32, -0.5_real32)",
    ),
    "complex128": (
        "complex(real64)", "(-3.25_real64, 2._real64)", "(1e-300_real64, -1e300_real64)",
        "(1.5_real64, -0.5_real64)",
    ),
}  # fmt: skip
FORTRAN_ROUTINE = """
subroutine give_{name}()
  {type} :: x(3), y(6), z(4), before(3), one
  integer :: i
  before = [{values[2]}, {values[0]}, {values[1]}]
  x = [{values[0]}, {values[1]}, {values[2]}]
  do i = 1, 3
    one = x(i)
    y(::2) = before
    call tasuki_call(server, "numbers/give_{name}", 3, one, x, y(::2), z)
    print "(a, 3(1x, l1))", "{name}", .not. any(abs(y(::2) - x) > 0), &
      .not. any(abs(z(:3) - before) > 0), .not. abs(z(4) - one) > 0
  end do
end subroutine
"""
FORTRAN = """
program numbers
  use tasuki_client
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  type(tasuki_server) :: server
  real(real32) :: single(1)
  integer :: stat
  call tasuki_connect(server)
  {calls}
  call tasuki_call(server, "numbers/give_float64", 1, 1, single, single, single, stat=stat)
  print "(i0, 1x, a)", stat, tasuki_error_text()
  call tasuki_close(server)
contains
{routines}
end program
"""


@needs_fortran
def test_fortran_gives_numbers_of_every_type(serving: ServeCommand, tmp_path: Path) -> None:
    routines = (
        FORTRAN_ROUTINE.format(name=name, type=one, values=values)
        for name, (one, *values) in FORTRAN_TYPES.items()
    )
    calls = "\n  ".join(f"call give_{name}()" for name in FORTRAN_TYPES)
    text = FORTRAN.format(calls=calls, routines="".join(routines))
    (tmp_path / "numbers.f90").write_text(text)
    *given, refused = run(fortran(tmp_path, "numbers", tmp_path), server=serving.url).splitlines()
    assert given == [f"{name} T T T" for name in FORTRAN_TYPES for _ in range(3)]
    assert refused.startswith("1 ") and "x must be of float64, and is of float32" in refused
