#include "mpi/collectives/world_ranks.hpp"
#include "mpi/shim/call.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::mpi::shim {
namespace {

std::vector<std::int32_t> ranks_of(MPI_Win window) {
  MPI_Group group = MPI_GROUP_NULL;
  if (PMPI_Win_get_group(window, &group) != MPI_SUCCESS) return {};
  auto ranks = collectives::world_ranks_of(group);
  PMPI_Group_free(&group);
  return ranks;
}

}  // namespace

void Call::to_target(int target, MPI_Win window) noexcept {
  record::Recorder& recorder = record::recorder();
  if (window == MPI_WIN_NULL || target < 0 || !recorder.is_recording()) return;
  const auto guard = recorder.lock();
  const auto [place, is_new] = recorder.windows().try_emplace(record::word_of(window));
  if (is_new) place->second = ranks_of(window);
  const auto at = static_cast<std::size_t>(target);
  if (at < place->second.size()) event_->destination = place->second[at];
}

void Call::frees_window(MPI_Win window) noexcept {
  const auto guard = record::recorder().lock();
  record::recorder().windows().erase(record::word_of(window));
}

}  // namespace tasuki::mpi::shim
