#include "python/number.hpp"

#include <algorithm>
#include <complex>
#include <tasuki/collectives.hpp>
#include <tasuki/error.hpp>

#include "python/thread_state.hpp"

namespace tasuki::python {
namespace {

namespace nb = nanobind;
using Kind = Number::Kind;

/// Types of Python that operators.py names. Never destroyed: the interpreter ends before.
struct Types {
  nb::object located;
  nb::object scalar;  ///< numpy.generic.
};
Types& types() {
  static auto* const all = new Types;
  return *all;
}

bool is_of(nb::handle object, const nb::object& type) {
  return type.is_valid() &&
         PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject*>(type.ptr())) != 0;
}

double as_real(const Number& number) {
  return number.kind <= Kind::integer ? static_cast<double>(number.integer) : number.real;
}
std::complex<double> as_complex(const Number& number) {
  return {as_real(number), number.imaginary};
}
bool is_true(const Number& number) { return as_complex(number) != 0.0; }

Number of_real(double value) { return {.kind = Kind::real, .real = value}; }
Number of_boolean(bool value) { return {.kind = Kind::boolean, .integer = value ? 1 : 0}; }
Number of_complex(std::complex<double> value) {
  return {.kind = Kind::complex, .real = value.real(), .imaginary = value.imag()};
}

bool is_less(const Number& a, const Number& b) {
  const bool are_integers = std::max(a.kind, b.kind) <= Kind::integer;
  return are_integers ? a.integer < b.integer : as_real(a) < as_real(b);
}

Number sum(const Number& a, const Number& b) {
  const Kind kind = std::max(a.kind, b.kind);
  if (kind == Kind::complex) return of_complex(as_complex(a) + as_complex(b));
  if (kind == Kind::real) return of_real(as_real(a) + as_real(b));
  Number result;
  const bool overflows = __builtin_add_overflow(a.integer, b.integer, &result.integer);
  if (overflows) result.kind = Kind::too_large;
  return result;
}

Number product(const Number& a, const Number& b) {
  const Kind kind = std::max(a.kind, b.kind);
  if (kind == Kind::complex) return of_complex(as_complex(a) * as_complex(b));
  if (kind == Kind::real) return of_real(as_real(a) * as_real(b));
  Number result;
  const bool overflows = __builtin_mul_overflow(a.integer, b.integer, &result.integer);
  if (overflows) result.kind = Kind::too_large;
  return result;
}

/// Of bits; two booleans make one.
Number of_bits(const Number& a, const Number& b, std::int64_t bits) {
  return {.kind = std::max(a.kind, b.kind), .integer = bits};
}

/// The first of two with one value is that at the smaller location.
Number located_first(const Number& a, const Number& b, bool a_is_before, bool b_is_before) {
  if (a_is_before) return a;
  if (b_is_before) return b;
  return b.location < a.location ? b : a;
}

Number combined(Operator op, const Number& a, const Number& b) {
  if (std::max(a.kind, b.kind) >= Kind::too_large) return a.kind < b.kind ? b : a;
  switch (op) {
    case Operator::sum:
      return sum(a, b);
    case Operator::product:
      return product(a, b);
    case Operator::min:
      return is_less(b, a) ? b : a;
    case Operator::max:
      return is_less(a, b) ? b : a;
    case Operator::logical_and:
      return of_boolean(is_true(a) && is_true(b));
    case Operator::logical_or:
      return of_boolean(is_true(a) || is_true(b));
    case Operator::logical_xor:
      return of_boolean(is_true(a) != is_true(b));
    case Operator::bitwise_and:
      return of_bits(a, b, a.integer & b.integer);
    case Operator::bitwise_or:
      return of_bits(a, b, a.integer | b.integer);
    case Operator::bitwise_xor:
      return of_bits(a, b, a.integer ^ b.integer);
    case Operator::min_location:
      return located_first(a, b, is_less(a, b), is_less(b, a));
    case Operator::max_location:
      return located_first(a, b, is_less(b, a), is_less(a, b));
  }
  return a;
}

struct Combined {
  static constexpr bool commutative = true;
  Operator op;
  Number operator()(const Number& a, const Number& b) const { return combined(op, a, b); }
};

/// What one rank gives, so that it is of the kind of the result also where it is the only one.
Number prepared(Number own, Operator op, bool is_located) {
  const bool takes_located = op == Operator::min_location || op == Operator::max_location;
  const bool orders = takes_located || op == Operator::min || op == Operator::max;
  const bool is_of_bits = op >= Operator::bitwise_and && op <= Operator::bitwise_xor;
  const bool is_logical = op >= Operator::logical_and && op <= Operator::logical_xor;
  const bool is_unfit = takes_located != is_located || (orders && own.kind == Kind::complex) ||
                        (is_of_bits && own.kind > Kind::integer && own.kind < Kind::too_large);
  if (is_unfit) {
    own.kind = Kind::unfit;
  } else if (is_logical && own.kind < Kind::too_large) {
    own = of_boolean(is_true(own));
  } else if (!orders && !is_of_bits && own.kind == Kind::boolean) {
    own.kind = Kind::integer;
  }
  return own;
}

nb::object object_of(const Number& number) {
  switch (number.kind) {
    case Kind::boolean:
      return nb::bool_(number.integer != 0);
    case Kind::integer:
      return nb::int_(number.integer);
    case Kind::real:
      return nb::float_(number.real);
    case Kind::complex:
      return nb::steal(PyComplex_FromDoubles(number.real, number.imaginary));
    case Kind::too_large:
      throw error("allreduce", "an integer or the result has more than 64 bits",
                  "use allreduce_object, which takes integers of any size");
    case Kind::unfit:
      break;
  }
  throw error("allreduce", "the operator does not apply to the number of a rank",
              "give MinLocation and MaxLocation a ranks.Located, bitwise operators integers, and"
              " complex numbers Sum or Product");
}

}  // namespace

std::optional<Number> Number::from(nb::handle object) {
  PyObject* const number = object.ptr();
  if (PyFloat_Check(number)) return of_real(PyFloat_AS_DOUBLE(number));
  if (PyBool_Check(number)) return of_boolean(number == Py_True);
  if (PyLong_Check(number)) {
    int overflow = 0;
    Number result{.integer = PyLong_AsLongLongAndOverflow(number, &overflow)};
    if (overflow != 0) result.kind = Kind::too_large;
    return result;
  }
  if (PyComplex_Check(number)) {
    return of_complex({PyComplex_RealAsDouble(number), PyComplex_ImagAsDouble(number)});
  }
  if (is_of(object, types().scalar)) {
    const nb::object item = object.attr("item")();
    return is_of(item, types().scalar) ? std::nullopt : from(item);  // As of numpy.longdouble.
  }
  if (!is_of(object, types().located)) return std::nullopt;
  std::optional<Number> value = from(object.attr("value"));
  if (value) value->location = nb::cast<std::int64_t>(object.attr("location"));
  return value;
}

nb::object allreduce_number(nb::handle object, Number own, Operator op, const Team& team) {
  const bool is_located = is_of(object, types().located);
  Number result = prepared(own, op, is_located);
  {
    const Released released;
    result = allreduce(result, Combined{op}, team);
  }
  nb::object value = object_of(result);
  return is_located ? types().located(value, result.location) : value;
}

void bind_numbers(nb::module_& module) {
  module.def(
      "set_number_types",
      [](nb::object located, nb::object scalar) {
        types() = {std::move(located), std::move(scalar)};
      },
      nb::arg("located"), nb::arg("scalar"));
}

}  // namespace tasuki::python
