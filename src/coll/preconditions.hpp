// Preconditions that several algorithms share; "" if met, else why not.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include <tasuki/detail/coll/parameters.hpp>
#include <tasuki/detail/coll/shape.hpp>

namespace tasuki::coll {

std::string needs_commutative(const Shape& shape, const Parameters& parameters);
std::string needs_power_of_two(const Shape& shape, const Parameters& parameters);
std::string needs_even_ranks(const Shape& shape, const Parameters& parameters);
std::string needs_two_ranks(const Shape& shape, const Parameters& parameters);
/// MPI counts in ints.
std::string needs_sizes_of_int(const Shape& shape, const Parameters& parameters);
/// The same, and MPI knows the usual operators on numbers only.
std::string needs_arithmetic(const Shape& shape, const Parameters& parameters);

}  // namespace tasuki::coll
