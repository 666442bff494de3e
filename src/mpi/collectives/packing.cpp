#include "mpi/collectives/packing.hpp"

#include "mpi/collectives/elements.hpp"
#include "mpi/collectives/own_communicator.hpp"

#include <algorithm>
#include <limits>

namespace tasuki::mpi::collectives {
namespace {

/// Calls `one(first, count, at)` for runs of elements, each with its place in the packed bytes,
/// that are no longer than the largest int.
template <typename One>
void for_each_run(MPI_Count count, std::size_t all_bytes, const One& one) {
  const std::size_t element_bytes = all_bytes / static_cast<std::size_t>(count);
  constexpr auto longest = static_cast<std::size_t>(std::numeric_limits<int>::max());
  const auto most = static_cast<MPI_Count>(std::max<std::size_t>(longest / element_bytes, 1));
  for (MPI_Count first = 0; first < count; first += most) {
    one(static_cast<MPI_Aint>(first), static_cast<int>(std::min(most, count - first)),
        static_cast<std::size_t>(first) * element_bytes);
  }
}

int as_int(std::size_t bytes) noexcept {
  constexpr auto longest = static_cast<std::size_t>(std::numeric_limits<int>::max());
  return static_cast<int>(std::min(bytes, longest));
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
  const MPI_Aint extent = extent_of(datatype);
  for_each_run(count, bytes.size(), [&](MPI_Aint first, int run_count, std::size_t at) {
    int position = 0;
    PMPI_Pack(elements + first * extent, run_count, datatype, bytes.data() + at,
              as_int(bytes.size() - at), &position, own_communicator());
  });
}

void unpack_elements(std::span<const std::byte> bytes, std::byte* elements, MPI_Count count,
                     MPI_Datatype datatype) {
  const MPI_Aint extent = extent_of(datatype);
  for_each_run(count, bytes.size(), [&](MPI_Aint first, int run_count, std::size_t at) {
    int position = 0;
    PMPI_Unpack(bytes.data() + at, as_int(bytes.size() - at), &position, elements + first * extent,
                run_count, datatype, own_communicator());
  });
}

}  // namespace tasuki::mpi::collectives
