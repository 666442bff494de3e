#include "mpi/collectives/unequal_blocks.hpp"

#include <cstring>

namespace tasuki::mpi::collectives {

int UnequalBlocks::move(Packed& into, MPI_Comm communicator) {
  const std::size_t room_bytes = into.block_bytes();
  if (room_bytes < sent_bytes_) {
    PMPI_Comm_call_errhandler(communicator, MPI_ERR_TRUNCATE);
    return MPI_ERR_TRUNCATE;
  }
  into.pack();  // What stays as it is.
  std::byte* to = into.bytes();
  for (std::size_t begin = 0; begin < memory_.size(); begin += sent_bytes_, to += room_bytes) {
    std::memcpy(to, memory_.data() + begin, sent_bytes_);
  }
  into.unpack();
  return MPI_SUCCESS;
}

}  // namespace tasuki::mpi::collectives
