#include "node/segment/slots.hpp"

#include <fmt/format.h>

namespace tasuki::node {

std::string needs_elements_of_a_slot(const coll::Shape& shape, const coll::Parameters&) {
  if (shape.element_bytes <= slot_bytes) return {};
  return fmt::format("an element has {} bytes, a slot of the staging buffer {}",
                     shape.element_bytes, slot_bytes);
}

std::string needs_blocks_of_a_slot(const coll::Shape& shape, const coll::Parameters&) {
  const auto ranks = static_cast<std::size_t>(shape.ranks);
  if (shape.element_bytes <= slot_bytes / ranks) return {};
  return fmt::format("an element of {} bytes for each of {} ranks does not fit a slot of {} bytes",
                     shape.element_bytes, ranks, slot_bytes);
}

std::string needs_shares_of_a_slot(const coll::Shape& shape, const coll::Parameters&) {
  constexpr int most_ranks = 1 + static_cast<int>(slot_bytes / share_least_bytes);
  if (shape.ranks <= most_ranks) return {};
  return fmt::format("there are {} ranks, and a slot of the staging buffer has room for {}",
                     shape.ranks, most_ranks);
}

}  // namespace tasuki::node
