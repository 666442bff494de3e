#include "mpi/collectives/packing.hpp"

#include "mpi/collectives/elements.hpp"
#include "mpi/messages/byte_count.hpp"
#include "mpi/messages/own_communicator.hpp"

#include <algorithm>

namespace tasuki::mpi::collectives {
namespace {

/// Calls `one(first, count, at)` for runs of elements, each with its place in the packed bytes,
/// that are no longer than the largest int.
template <typename One>
void for_each_run(MPI_Count count, std::size_t element_bytes, const One& one) {
  const auto most = static_cast<MPI_Count>(ByteCount::largest / element_bytes);
  for (MPI_Count first = 0; first < count; first += most) {
    one(static_cast<MPI_Aint>(first), static_cast<int>(std::min(most, count - first)),
        static_cast<std::size_t>(first) * element_bytes);
  }
}

int as_int(std::size_t bytes) noexcept {
  return static_cast<int>(std::min(bytes, ByteCount::largest));
}

/// Sends data to this process itself, as MPI packs no element that is longer than the largest int.
void send_to_self(const void* from, int sent_count, MPI_Datatype sent, void* to, int received_count,
                  MPI_Datatype received) {
  PMPI_Sendrecv(from, sent_count, sent, 0, long_element_tag, to, received_count, received, 0,
                long_element_tag, own_communicator(), MPI_STATUS_IGNORE);
}

}  // namespace

MPI_Aint extent_of(MPI_Datatype datatype) noexcept {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(datatype, &lower_bound, &extent);
  return extent;
}

std::int64_t bytes_of(MPI_Count count, MPI_Datatype datatype) noexcept {
  if (datatype == MPI_DATATYPE_NULL || count <= 0) return 0;
  if (const Element element = element_of(datatype)) {
    return static_cast<std::int64_t>(count) * static_cast<std::int64_t>(element.bytes);
  }
  MPI_Count element_bytes = 0;
  PMPI_Type_size_x(datatype, &element_bytes);
  return count * element_bytes;
}

void pack_elements(const std::byte* elements, MPI_Count count, MPI_Datatype datatype,
                   std::span<std::byte> bytes) {
  const std::size_t element_bytes = bytes.size() / static_cast<std::size_t>(count);
  if (element_bytes > ByteCount::largest) {
    const ByteCount all(bytes.size());
    send_to_self(elements, static_cast<int>(count), datatype, bytes.data(), all.elements(),
                 all.datatype());
    return;
  }
  const MPI_Aint extent = extent_of(datatype);
  for_each_run(count, element_bytes, [&](MPI_Aint first, int run_count, std::size_t at) {
    int position = 0;
    PMPI_Pack(elements + first * extent, run_count, datatype, bytes.data() + at,
              as_int(bytes.size() - at), &position, own_communicator());
  });
}

void unpack_elements(std::span<const std::byte> bytes, std::byte* elements, MPI_Count count,
                     MPI_Datatype datatype) {
  const std::size_t element_bytes = bytes.size() / static_cast<std::size_t>(count);
  if (element_bytes > ByteCount::largest) {
    const ByteCount all(bytes.size());
    send_to_self(bytes.data(), all.elements(), all.datatype(), elements, static_cast<int>(count),
                 datatype);
    return;
  }
  const MPI_Aint extent = extent_of(datatype);
  for_each_run(count, element_bytes, [&](MPI_Aint first, int run_count, std::size_t at) {
    int position = 0;
    PMPI_Unpack(bytes.data() + at, as_int(bytes.size() - at), &position, elements + first * extent,
                run_count, datatype, own_communicator());
  });
}

}  // namespace tasuki::mpi::collectives
