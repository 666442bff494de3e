// A number of Python in a reduction: of whichever type it is on each rank, and with a location for
// MinLocation and MaxLocation.
//
// Made by allreduce of collectives.cpp. Numbers are combined as Python does it: an integer and one
// with a fraction have a sum with a fraction. A sum beyond 64 bits is an error on all ranks.
//
// Thread-safety: values; read and returned by a fiber that runs Python.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <tasuki/team.hpp>

#include "python/reduction.hpp"

namespace tasuki::python {

struct Number {
  /// In the order in which one becomes the other.
  enum class Kind : std::uint8_t { boolean, integer, real, complex, too_large, unfit };

  Kind kind = Kind::integer;
  std::int64_t integer = 0;  ///< Of booleans, too.
  double real = 0;
  double imaginary = 0;
  std::int64_t location = 0;

  /// Returns: nothing if the object is none, nor a Located.
  static std::optional<Number> from(nanobind::handle object);
};

/// The numbers of all ranks combined, as what `object` is. Collective. Throws tasuki::error on all
/// ranks if the operator does not apply, or the result is too large.
nanobind::object allreduce_number(nanobind::handle object, Number own, Operator op,
                                  const Team& team);

void bind_numbers(nanobind::module_& module);

}  // namespace tasuki::python
