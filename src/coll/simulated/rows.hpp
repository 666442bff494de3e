// Rows of the built-in policy for many ranks and for several nodes, as the simulator chose them.
//
// tools/simulated_rows.py makes the files beside this one. Each row holds up to so many nodes,
// ranks per node and bytes, as in PolicyRow; the first that holds is used. Thread-safety:
// constants.
#pragma once

#include <cstddef>
#include <span>

#include <tasuki/detail/coll/policy.hpp>

namespace tasuki::coll::simulated {

/// No bound, of either type.
struct Any {
  constexpr operator int() const noexcept { return any_ranks; }
  constexpr operator std::size_t() const noexcept { return any_bytes; }
};
inline constexpr Any any;

struct Row {
  Collective collective;
  int nodes_up_to;
  int ranks_per_node_up_to;
  std::size_t bytes_up_to;
  const char* algorithm;
};

/// For the ranks of one node, by messages.
std::span<const Row> one_node_rows();
/// For ranks of which each is on a node of its own.
std::span<const Row> alone_rows();
/// For several nodes with several ranks on each.
std::span<const Row> nodes_rows();

}  // namespace tasuki::coll::simulated
