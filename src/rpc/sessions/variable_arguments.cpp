#include "rpc/sessions/variable_arguments.hpp"

#include <array>
#include <complex>
#include <cstddef>
#include <cstring>
#include <deque>
#include <vector>

namespace tasuki::rpc {
namespace {

// C's complex numbers, which C++ knows by another name.
__extension__ using ComplexFloat = _Complex float;
__extension__ using ComplexDouble = _Complex double;

/// A scalar that was read, and what it is now: C widens small numbers.
struct ReadScalar {
  alignas(std::complex<double>) std::array<std::byte, sizeof(std::complex<double>)> memory = {};
  Number number = Number::int32;

  template <class Type>
  void set(Number now, Type value) {
    static_assert(sizeof value <= sizeof memory);
    number = now;
    std::memcpy(memory.data(), &value, sizeof value);
  }
};

ReadScalar next_scalar(Number number, std::va_list* arguments) {
  ReadScalar scalar;
  switch (number) {
    case Number::int8:
    case Number::int16:
    case Number::uint8:
    case Number::uint16:
    case Number::int32:
      scalar.set(Number::int32, va_arg(*arguments, int));
      break;
    case Number::uint32:
      scalar.set(Number::uint32, va_arg(*arguments, unsigned int));
      break;
    case Number::int64:
      scalar.set(Number::int64, va_arg(*arguments, std::int64_t));
      break;
    case Number::uint64:
      scalar.set(Number::uint64, va_arg(*arguments, std::uint64_t));
      break;
    case Number::float32:
    case Number::float64:
      scalar.set(Number::float64, va_arg(*arguments, double));
      break;
    case Number::complex64:
      scalar.set(Number::complex64, va_arg(*arguments, ComplexFloat));
      break;
    case Number::complex128:
      scalar.set(Number::complex128, va_arg(*arguments, ComplexDouble));
      break;
  }
  return scalar;
}

}  // namespace

CallArguments arguments_from(const Routine& routine, std::va_list arguments) {
  std::va_list list;
  va_copy(list, arguments);  // What is a parameter has, on some machines, no address of its type.
  std::deque<ReadScalar> scalars;  // Whose addresses stay.
  std::vector<Argument> read;
  for (const Given& one : given_of(routine)) {
    const auto* const parameter = std::get_if<const Parameter*>(&one);
    if (parameter != nullptr && (*parameter)->is_scalar()) {
      ReadScalar& scalar = scalars.emplace_back(next_scalar((*parameter)->number, &list));
      read.push_back({.memory = scalar.memory.data(), .number = scalar.number});
    } else {
      read.push_back({.memory = va_arg(list, void*)});
    }
  }
  va_end(list);
  return call_arguments(routine, read);
}

CallArguments arguments_from(const Routine& routine, std::span<void* const> arguments) {
  std::vector<Argument> read;
  for (void* const one : arguments) read.push_back({.memory = one});
  return call_arguments(routine, read);
}

}  // namespace tasuki::rpc
