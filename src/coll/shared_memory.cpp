#include <tasuki/coll/shared_memory.hpp>

#include <fmt/format.h>

namespace tasuki::coll {

std::string needs_elements_of_a_slot(const Shape& shape, const Parameters&) {
  if (shape.element_bytes <= board_slot_bytes) return {};
  return fmt::format("an element has {} bytes, a slot of the board {}", shape.element_bytes,
                     board_slot_bytes);
}

std::string needs_blocks_of_a_slot(const Shape& shape, const Parameters&) {
  const auto ranks = static_cast<std::size_t>(shape.ranks);
  if (shape.element_bytes <= board_slot_bytes / ranks) return {};
  return fmt::format("an element of {} bytes for each of {} ranks does not fit a slot of {} bytes",
                     shape.element_bytes, ranks, board_slot_bytes);
}

std::string needs_shares_of_a_slot(const Shape& shape, const Parameters&) {
  constexpr int most_ranks = 1 + static_cast<int>(board_slot_bytes / board_share_least_bytes);
  if (shape.ranks <= most_ranks) return {};
  return fmt::format("there are {} ranks, and a slot of the board has room for {}", shape.ranks,
                     most_ranks);
}

}  // namespace tasuki::coll
