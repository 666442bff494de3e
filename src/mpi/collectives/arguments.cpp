#include "mpi/collectives/arguments.hpp"

#include "mpi/collectives/elements.hpp"
#include "mpi/messages/own_communicator.hpp"

#include <cstddef>

namespace tasuki::mpi::collectives {
namespace {

/// Whether data of this datatype can be sent and received.
bool is_usable(MPI_Datatype datatype) noexcept {
  if (element_of(datatype)) return true;
  if (datatype == MPI_DATATYPE_NULL) return false;
  // No function says whether a datatype is committed. This one fails if it is not.
  constexpr int room_bytes = 1;
  char room = 0;
  int position = 0;
  return PMPI_Pack(&room, 0, datatype, &room, room_bytes, &position, own_communicator()) ==
         MPI_SUCCESS;
}

/// Requires: the datatype is usable.
bool is_memory(const void* buffer, MPI_Datatype datatype) noexcept {
  if (buffer == MPI_IN_PLACE) return false;
  if (buffer != MPI_BOTTOM) return true;
  // Addresses may be in the datatype.
  if (element_of(datatype)) return false;
  MPI_Aint first = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_true_extent(datatype, &first, &extent);
  return first != 0 || extent == 0;
}

/// The same of a block, whose address may be in the displacement.
bool is_block(const void* buffer, MPI_Aint displacement, MPI_Datatype datatype) noexcept {
  return (displacement != 0 && buffer != MPI_IN_PLACE) || is_memory(buffer, datatype);
}

}  // namespace

bool is_data(const void* buffer, MPI_Count count, MPI_Datatype datatype) noexcept {
  if (count <= 0) return count == 0;
  return is_usable(datatype) && is_memory(buffer, datatype);
}

bool are_counts(const Numbers& counts, int ranks) noexcept {
  for (std::size_t i = 0; counts && i < static_cast<std::size_t>(ranks); ++i) {
    if (counts[i] < 0) return false;
  }
  return static_cast<bool>(counts);
}

MPI_Count sum_of(const Numbers& counts, int ranks) noexcept {
  MPI_Count sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(ranks); ++i) sum += counts[i];
  return sum;
}

bool are_blocks(const void* buffer, const Numbers& counts, const Numbers& displacements,
                MPI_Datatype datatype, int ranks) noexcept {
  if (!are_counts(counts, ranks)) return false;
  if (sum_of(counts, ranks) == 0) return true;
  if (!displacements || !is_usable(datatype)) return false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(ranks); ++i) {
    if (counts[i] != 0 && !is_block(buffer, displacements[i], datatype)) return false;
  }
  return true;
}

bool are_blocks(const void* buffer, const Numbers& counts, const Numbers& displacements,
                const Datatypes& datatypes, int ranks) noexcept {
  if (!are_counts(counts, ranks)) return false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(ranks); ++i) {
    if (counts[i] == 0) continue;
    if (!displacements || !datatypes || !is_usable(datatypes[i])) return false;
    if (!is_block(buffer, displacements[i], datatypes[i])) return false;
  }
  return true;
}

bool are_operands(const void* sendbuf, const void* recvbuf, bool has_result, MPI_Count count,
                  MPI_Datatype datatype, MPI_Op op) noexcept {
  if (count < 0 || datatype == MPI_DATATYPE_NULL || op == MPI_OP_NULL) return false;
  // Other datatypes than numbers go to the library in any case.
  if (count == 0 || !element_of(datatype)) return true;
  if (sendbuf == MPI_IN_PLACE ? !has_result : !is_memory(sendbuf, datatype)) return false;
  return !has_result || (sendbuf != recvbuf && is_memory(recvbuf, datatype));
}

}  // namespace tasuki::mpi::collectives
