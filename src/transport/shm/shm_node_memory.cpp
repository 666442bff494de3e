// What a node takes of memory.
#include <algorithm>
#include <tasuki/detail/base/settings.hpp>

#include "transport/shm/node_peer.hpp"

namespace tasuki::transport::shm {
namespace {

constexpr base::MemoryAccount ways{"shm: lanes and doorbells by rank", 0, 2 * sizeof(void*), 0};

/// In the memory file; the ranks of the node share one.
constexpr base::MemoryAccount control{"shm: control part of the node's file",
                                      page_bytes + Layout::scratch_bytes_for(0),
                                      sizeof(RankRecord) + page_bytes, 0, true};
constexpr base::MemoryAccount inbox{"shm: head of the inbox", 0, sizeof(RingConsumed), 0, true};

/// A rank takes it for what it sends to another, and another for what it sends to this one.
base::MemoryAccount rings(std::size_t ring_bytes) {
  return {"shm: rings to others", 0, 0, ring_bytes, true};
}

}  // namespace

base::MemoryAccount ShmNode::Peer::account() noexcept {
  return {"shm: lanes", 0, sizeof(Peer) + sizeof(int), sizeof(BulkBooks), true};
}

std::vector<base::MemoryAccount> ShmNode::memory_accounts() {
  return {ways, Peer::account(), control, inbox,
          rings(static_cast<std::size_t>(base::setting::ring_bytes.integer()))};
}

std::vector<base::MemoryUse> ShmNode::memory_uses() const {
  const auto of_node = static_cast<std::size_t>(size());
  const auto books_count = static_cast<std::size_t>(std::count_if(
      peers_.begin(), peers_.end(), [](const Peer& peer) { return peer.has_books(); }));
  const std::size_t ring_bytes = file_.layout().ring_bytes();
  return {{ways, by_rank_.size(), 0},
          {Peer::account(), of_node, books_count * sizeof(BulkBooks)},
          {control, of_node, 0},
          {inbox, of_node, 0},
          {rings(ring_bytes), of_node, opened_.size() * ring_bytes}};
}

}  // namespace tasuki::transport::shm
