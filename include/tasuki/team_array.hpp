// Arrays that all ranks of a team make at once, so that each knows where those of the others are.
//
// Collective over the team, in the order of its other collectives.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <tasuki/collectives.hpp>
#include <tasuki/error.hpp>
#include <tasuki/heap.hpp>
#include <vector>

namespace tasuki {

/// Makes `count` value-initialised objects in the heap of each rank of the team; ranks may ask for
/// different counts. Each rank deletes its own.
/// Returns: the arrays, by the rank in the team. Throws on all ranks if one finds no room.
///     const auto arrays = tasuki::new_array<double>(100, tasuki::world_team());
///     arrays[0].write(1.5);  // on rank 0
///     tasuki::barrier();     // before an array is deleted that others use
///     tasuki::delete_(arrays[tasuki::rank()]);
template <class T>
std::vector<GlobalPtr<T>> new_array(std::size_t count, const Team& team) {
  const int own_rank = team.rank();  // throws if the team is empty
  std::exception_ptr failure;
  const auto try_own = [&]() -> GlobalPtr<T> {  // Set in try, GCC 12 loses what it was before.
    try {
      return new_array<T>(count);
    } catch (...) {
      failure = std::current_exception();
      return {};
    }
  };
  const GlobalPtr<T> own = try_own();
  std::vector<GlobalPtr<T>> arrays = allgather(own, team);
  for (int rank = 0; rank < team.size(); ++rank) {
    if (!arrays[static_cast<std::size_t>(rank)].is_null()) continue;
    delete_(own);
    if (rank == own_rank || failure != nullptr) std::rethrow_exception(failure);
    throw error("making an array on each rank of a team",
                "rank " + std::to_string(team.world_rank(rank)) + " could not make its own",
                "see what that rank reports");
  }
  return arrays;
}

}  // namespace tasuki
