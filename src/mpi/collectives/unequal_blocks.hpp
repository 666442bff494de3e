// The root of a gather or scatter whose self block has another size in its send than in its receive
// buffer: the other ranks, which cannot know, exchange what the sender's side says.
//
// The tuned collectives use it for the root alone. Thread-safety: none; one per call.
#pragma once

#include "mpi/collectives/packed.hpp"

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace tasuki::mpi::collectives {

/// Blocks that are received into memory of their own, and go from there into shorter or longer
/// ones of the program's.
class UnequalBlocks {
 public:
  /// `blocks_count` blocks of `sent_bytes` each.
  UnequalBlocks(std::size_t sent_bytes, int blocks_count)
      : sent_bytes_(sent_bytes), memory_(sent_bytes * static_cast<std::size_t>(blocks_count)) {}

  std::byte* bytes() noexcept { return memory_.data(); }
  /// Copies each block into one of `into`. Returns: MPI_SUCCESS; or MPI_ERR_TRUNCATE if they are
  /// too short, which has been reported on the communicator, and nothing is copied.
  int move(Packed& into, MPI_Comm communicator);

 private:
  std::size_t sent_bytes_;
  std::vector<std::byte> memory_;
};

}  // namespace tasuki::mpi::collectives
