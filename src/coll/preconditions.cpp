#include "coll/preconditions.hpp"

#include <fmt/format.h>

#include <limits>

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

std::string needs_commutative(const Shape& shape, const Parameters&) {
  return shape.commutative ? "" : "the operator does not commute";
}

std::string needs_power_of_two(const Shape& shape, const Parameters&) {
  return is_power(shape.ranks) ? "" : fmt::format("{} ranks are not a power of two", shape.ranks);
}

std::string needs_even_ranks(const Shape& shape, const Parameters&) {
  return shape.ranks % 2 == 0 ? "" : fmt::format("{} ranks are an odd number", shape.ranks);
}

std::string needs_two_ranks(const Shape& shape, const Parameters&) {
  return shape.ranks == 2 ? "" : fmt::format("{} ranks are not two", shape.ranks);
}

std::string needs_sizes_of_int(const Shape& shape, const Parameters&) {
  constexpr std::size_t most_bytes = std::numeric_limits<int>::max();
  if (shape.element_bytes == 0 || shape.count <= most_bytes / shape.element_bytes) return {};
  return fmt::format("{} elements of {} bytes are more than an int counts", shape.count,
                     shape.element_bytes);
}

std::string needs_arithmetic(const Shape& shape, const Parameters& parameters) {
  if (!shape.arithmetic.is_known()) return "MPI knows only the usual operators on numbers";
  if (!shape.commutative)
    return "the operator is to combine in rank order, the MPI library need not";
  return needs_sizes_of_int(shape, parameters);
}

}  // namespace tasuki::coll
