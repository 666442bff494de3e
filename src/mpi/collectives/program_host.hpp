// What collectives in node memory need of the process they run in, in a plain MPI program.
//
// A tuned communicator has one. While a rank waits it lets the MPI library make progress, as
// another rank may come to the collective only after its message to this one has been taken. Where
// ranks share cores it soon sleeps between the polls, until a rank wakes it.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include "mpi/collectives/shared_memory.hpp"
#include "node/segment/host.hpp"

#include <cstddef>

namespace tasuki::mpi::collectives {

class ProgramHost final : public node::Host {
 public:
  ProgramHost(SharedMemory& memory, const node::HostTraits& traits)
      : Host(memory, traits), memory_(memory), heap_(memory.own_heap()) {}

  void* allocate(std::size_t bytes, std::size_t alignment) override;
  /// Memory goes back with the communicator.
  void free(void*) override {}
  bool yield_to_peers(std::uint64_t count) override;
  void wait_until(const node::Condition& ready, const node::WaitNote& note) override;

 private:
  SharedMemory& memory_;
  std::span<std::byte> heap_;
  std::size_t used_bytes_ = 0;
};

}  // namespace tasuki::mpi::collectives
