// What an endpoint takes of memory.
#include <algorithm>

#include "transport/ucx/endpoint_peer.hpp"

namespace tasuki::transport::ucx {
namespace {

/// Two slots for each rank may be in use.
constexpr base::MemoryAccount frames{"UCX: frames that are sent", 0, 0, 2 * SendSlots::slot_bytes};

}  // namespace

std::vector<base::MemoryAccount> Endpoint::memory_accounts() { return {Peer::account(), frames}; }

std::vector<base::MemoryUse> Endpoint::memory_uses() const {
  std::size_t peer_bytes = 0;
  for (const Peer& peer : peers_) peer_bytes += peer.state_bytes();
  return {{Peer::account(), peers_.size(), peer_bytes},
          {frames, 0, slots_.made_count() * SendSlots::slot_bytes}};
}

}  // namespace tasuki::transport::ucx
