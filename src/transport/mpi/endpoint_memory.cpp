// What an endpoint takes of memory.
#include "transport/mpi/endpoint_peer.hpp"

namespace tasuki::transport::mpi {
namespace {

/// Two slots for each rank may be in use.
constexpr base::MemoryAccount frames{"MPI: frames that are sent or received", ReceiveRing::bytes, 0,
                                     2 * sizeof(FrameBuffer)};
constexpr base::MemoryAccount transfers{"MPI: bulk transfers under way", 0, 0,
                                        transfers_per_peer*(sizeof(Outgoing) + sizeof(Incoming))};

}  // namespace

std::vector<base::MemoryAccount> Endpoint::memory_accounts() {
  return {{"MPI: lanes", 0, sizeof(Peer), 0}, frames, transfers};
}

std::vector<base::MemoryUse> Endpoint::memory_uses() const {
  return {{memory_accounts().front(), peers_.size(), 0},
          {frames, 0, slots_.made_count() * sizeof(FrameBuffer)},
          {transfers, 0,
           outgoing_.made_count() * sizeof(Outgoing) + incoming_.made_count() * sizeof(Incoming)}};
}

}  // namespace tasuki::transport::mpi
