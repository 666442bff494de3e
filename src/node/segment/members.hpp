// The ranks that share a node segment: those of a team, all on one node.
//
// Used by the staging buffer and the barriers. Thread-safety: values.
#pragma once

#include <cstdint>
#include <vector>

namespace tasuki::node {

struct Members {
  std::vector<int> world_ranks;  ///< In the order of the team.
  int rank = 0;                  ///< This rank's place.
  std::uint64_t team = 0;        ///< Names the team in hang reports: 0 for all ranks.

  int count() const noexcept { return static_cast<int>(world_ranks.size()); }
  int world_rank(int member) const noexcept {
    return world_ranks[static_cast<std::size_t>(member)];
  }
};

}  // namespace tasuki::node
