#include "mpi/wait/shared_cores.hpp"

#include <algorithm>
#include <cstddef>

namespace tasuki::mpi::wait {
namespace {

bool is_within(const cpu_set_t& inner, const cpu_set_t& outer) {
  cpu_set_t both;
  CPU_AND(&both, &inner, &outer);
  return CPU_EQUAL(&both, &inner) != 0;
}

}  // namespace

bool are_crowded(const std::vector<cpu_set_t>& masks) {
  return std::any_of(masks.begin(), masks.end(), [&masks](const cpu_set_t& mask) {
    const auto inside = std::count_if(masks.begin(), masks.end(), [&mask](const cpu_set_t& other) {
      return is_within(other, mask);
    });
    return inside > CPU_COUNT(&mask);
  });
}

bool shares_cores(MPI_Comm communicator) {
  MPI_Comm node = MPI_COMM_NULL;
  PMPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  if (node == MPI_COMM_NULL) return false;
  int size = 0;
  PMPI_Comm_size(node, &size);
  cpu_set_t own;
  CPU_ZERO(&own);
  ::sched_getaffinity(0, sizeof own, &own);
  std::vector<cpu_set_t> masks(static_cast<std::size_t>(size));
  PMPI_Allgather(&own, sizeof own, MPI_BYTE, masks.data(), sizeof own, MPI_BYTE, node);
  PMPI_Comm_free(&node);
  return are_crowded(masks);
}

}  // namespace tasuki::mpi::wait
