// A transport that tells what it takes of memory: all of them.
//
// Implemented by each transport beside Transport. Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <tasuki/detail/base/memory_account.hpp>
#include <tasuki/detail/transport/transport.hpp>
#include <vector>

#include "transport/shm/shm_node.hpp"

namespace tasuki::transport {

class Accounted {
 public:
  /// As memory_uses.
  virtual std::vector<base::MemoryUse> memory_uses() const = 0;

 protected:
  ~Accounted() = default;
};

/// Of the table that Transport has.
inline constexpr base::MemoryAccount lanes_account{"lanes by rank", 0, sizeof(void*), 0};
/// Where ranks are on several nodes.
inline constexpr base::MemoryAccount nodes_account{"nodes by rank", 0, sizeof(int), 0};
/// Where those are in groups.
inline constexpr base::MemoryAccount groups_account{"groups of nodes by rank", 0, sizeof(int), 0};

/// Of a transport between nodes; `node` is nullptr if there is no memory of the node.
inline std::vector<base::MemoryUse> network_memory_uses(
    std::size_t lanes_count, const Transport& transport,
    const std::vector<base::MemoryUse>& of_endpoint, const shm::ShmNode* node) {
  std::vector<base::MemoryUse> all{{lanes_account, lanes_count, 0},
                                   {nodes_account, transport.nodes().size(), 0},
                                   {groups_account, transport.node_groups().size(), 0}};
  all.insert(all.end(), of_endpoint.begin(), of_endpoint.end());
  if (node == nullptr) return all;
  const std::vector<base::MemoryUse> of_node = node->memory_uses();
  all.insert(all.end(), of_node.begin(), of_node.end());
  return all;
}

}  // namespace tasuki::transport
