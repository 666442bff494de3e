// The operators of reductions on elements of arrays, by name.
//
// Given to calls by the functions of prepared_collective.cpp that reduce.
// Thread-safety: values; pure functions.
#pragma once

#include <cstdint>

#include <tasuki/detail/coll/call.hpp>

#include "python/elements.hpp"

namespace tasuki::python {

/// As in tasuki/operators.hpp.
enum class Operator : std::uint8_t {
  sum,
  product,
  min,
  max,
  logical_and,
  logical_or,
  logical_xor,
  bitwise_and,
  bitwise_or,
  bitwise_xor,
  min_location,  ///< Of records as tasuki::Located.
  max_location,
};

/// Gives the call its operator. Throws tasuki::error if it does not apply to such elements, or they
/// are not aligned.
void set_operator(coll::Call& call, Operator op, const Elements& elements, const char* operation);

}  // namespace tasuki::python
