#include "mpi/collectives/world_ranks.hpp"

#include "events/event.hpp"

#include <numeric>

namespace tasuki::mpi::collectives {

bool has_world() noexcept {
  int is_initialized = 0;
  PMPI_Initialized(&is_initialized);
  return is_initialized != 0;
}

std::vector<std::int32_t> world_ranks_of(MPI_Group group) {
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<std::int32_t> own(static_cast<std::size_t>(size));
  std::iota(own.begin(), own.end(), 0);
  if (!has_world() || size == 0) return own;
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  std::vector<std::int32_t> translated(own.size());
  PMPI_Group_translate_ranks(group, size, own.data(), world, translated.data());
  PMPI_Group_free(&world);
  for (std::int32_t& rank : translated) rank = rank == MPI_UNDEFINED ? events::no_rank : rank;
  return translated;
}

}  // namespace tasuki::mpi::collectives
