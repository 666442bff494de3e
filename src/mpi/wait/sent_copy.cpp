#include "mpi/wait/sent_copy.hpp"

#include <algorithm>
#include <limits>

namespace tasuki::mpi::wait {

bool SentCopy::can_hold(MPI_Count count, MPI_Datatype datatype) noexcept {
  if (datatype == MPI_DATATYPE_NULL) return false;
  // MPI may ask for more room than the data take.
  constexpr MPI_Count most_bytes = std::numeric_limits<int>::max() / 2;
  MPI_Count element_bytes = 0;
  PMPI_Type_size_x(datatype, &element_bytes);
  return count <= most_bytes / std::max<MPI_Count>(element_bytes, 1);
}

int SentCopy::pack(const ahead::Buffer& buffer, MPI_Comm comm) {
  const int count = static_cast<int>(buffer.count);
  int room_bytes = 0;
  const int code = PMPI_Pack_size(count, buffer.datatype, comm, &room_bytes);
  if (code != MPI_SUCCESS) return code;
  bytes_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(room_bytes));
  return PMPI_Pack(buffer.begin, count, buffer.datatype, bytes_.get(), room_bytes, &bytes_count_,
                   comm);
}

int SentCopy::start_send(int dest, int tag, MPI_Comm comm, MPI_Request* request) const {
  return PMPI_Isend(bytes_.get(), bytes_count_, MPI_PACKED, dest, tag, comm, request);
}

}  // namespace tasuki::mpi::wait
