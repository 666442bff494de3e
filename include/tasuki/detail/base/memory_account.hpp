// What a structure takes of memory in a rank: what does not depend on the job, what grows with its
// ranks, and what grows with those that the rank has to do with.
//
// Each structure that grows declares its account beside itself; `tasuki info --memory` adds them up
// (docs/design/scale.md), and tests compare them with what is allocated. Values.
// Thread-safety: none needed.
#pragma once

#include <cstddef>

namespace tasuki::base {

/// Of one rank.
struct MemoryAccount {
  const char* structure = "";
  std::size_t fixed_bytes = 0;
  std::size_t bytes_per_rank = 0;  ///< For each rank of the job, or of the node.
  /// For each rank that this one has to do with, at most: neighbours may share some of it.
  std::size_t bytes_per_peer = 0;
  bool is_of_node = false;  ///< It knows the ranks of the own node only.

  std::size_t bytes(std::size_t ranks_count, std::size_t peers_count) const noexcept {
    return fixed_bytes + ranks_count * bytes_per_rank + peers_count * bytes_per_peer;
  }
};

/// What a structure takes now.
struct MemoryUse {
  MemoryAccount account;
  std::size_t ranks_count = 0;  ///< That its `bytes_per_rank` counts.
  std::size_t peer_bytes = 0;   ///< Of what grows with the ranks that it has to do with.

  std::size_t bytes() const noexcept { return account.bytes(ranks_count, 0) + peer_bytes; }
};

}  // namespace tasuki::base
