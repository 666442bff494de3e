// Teams: ordered sets of ranks that run collectives together.
//
// `world_team()` has all ranks. `split` makes smaller ones. A Team is a handle: copies refer to the
// same team. Collectives on one team must be started in the same order by all its ranks; different
// teams are independent.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tasuki {
namespace runtime {
struct TeamState;
struct Rank;
}  // namespace runtime

/// An ordered set of ranks, like an MPI communicator.
///     const tasuki::Team team = tasuki::world_team().split(tasuki::rank() % 2);
///     if (!team.is_empty() && team.rank() == 0) std::printf("%d members\n", team.size());
///     const bool same = team.world_rank(team.rank()) == team.world_ranks()[team.rank()];
class Team {
 public:
  Team() = default;  ///< Of no ranks: what `split` gives to a rank without a color.
  explicit Team(std::shared_ptr<runtime::TeamState> state) : state_(std::move(state)) {}

  bool is_empty() const noexcept { return state_ == nullptr; }
  int rank() const;  ///< This rank's place in the team.
  int size() const;
  int world_rank(int team_rank) const;
  std::span<const int> world_ranks() const;

  /// Ranks with the same color make a team, ordered by key, then by their rank here; a negative
  /// color joins none. Collective over this team.
  Team split(int color, int key = 0) const;

  /// For the library. Throws tasuki::error if the team is empty.
  runtime::TeamState& state() const;
  const std::shared_ptr<runtime::TeamState>& shared_state() const noexcept { return state_; }

 private:
  std::shared_ptr<runtime::TeamState> state_;
};

/// All ranks.
///     tasuki::barrier(tasuki::world_team());
const Team& world_team();

/// The ranks that share memory with this one: those of its node, all of which make the first call.
///     const tasuki::Team& neighbours = tasuki::local_team();
///     std::printf("%d of %d\n", neighbours.rank(), neighbours.size());
const Team& local_team();

/// The team of the given world ranks, in that order, all of which make this call with the same list
/// and the same `name`, a number that tells teams of the same ranks apart. The same list and name
/// give the same team again; it lives as long as the job.
///     if (tasuki::rank() == 0) tasuki::barrier(tasuki::team_of({0}, 1));
Team team_of(std::vector<int> world_ranks, std::uint64_t name);

}  // namespace tasuki
