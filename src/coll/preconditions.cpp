#include "coll/preconditions.hpp"

#include <fmt/format.h>

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

}  // namespace tasuki::coll
