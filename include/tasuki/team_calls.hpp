// Calls of the ranks of a team by their place in it: `invoke`, `ainvoke` and `post` with a team
// before the rank, which are in every other way what calls of the world ranks are (call.hpp); and
// `quiesce` of a team.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <tasuki/call.hpp>
#include <tasuki/team.hpp>
#include <utility>

namespace tasuki {

/// One-way call of `f(args...)` on a rank of the team. This and the others throw tasuki::error if
/// the team has no such rank.
///     const tasuki::Team& team = tasuki::local_team();
///     tasuki::post(team, team.size() - 1, [] { std::puts("called by a neighbour"); });
template <class... Args, class F = typename runtime::OverloadedName<Args...>::type>
void post(const Team& team, int rank, F&& f, Args&&... args) {
  tasuki::post(team.world_rank(rank), std::forward<F>(f), std::forward<Args>(args)...);
}

/// The future of the result of `f(args...)` on a rank of the team.
///     const tasuki::Team& team = tasuki::local_team();
///     auto sum = tasuki::ainvoke(team, 0, [](int a, int b) { return a + b; }, 1, 2);
///     std::printf("%d\n", sum.get());
template <class... Args, class F = typename runtime::OverloadedName<Args...>::type>
auto ainvoke(const Team& team, int rank, F&& f, Args&&... args) {
  return tasuki::ainvoke(team.world_rank(rank), std::forward<F>(f), std::forward<Args>(args)...);
}

/// The result of `f(args...)` on a rank of the team, after waiting for it.
///     const int its_rank = tasuki::invoke(tasuki::local_team(), 0, [] { return tasuki::rank(); });
template <class... Args, class F = typename runtime::OverloadedName<Args...>::type>
auto invoke(const Team& team, int rank, F&& f, Args&&... args) {
  return tasuki::invoke(team.world_rank(rank), std::forward<F>(f), std::forward<Args>(args)...);
}

/// Returns when all calls that ranks of the team have made to ranks of the team are done, with the
/// calls of this kind that these made, whatever other ranks do meanwhile, who may go on to call
/// into the team. What a member spawns counts as its call of itself, so a spawned fiber must not
/// call it: it would wait for itself for ever. Collective over the team.
///     const tasuki::Team& team = tasuki::local_team();
///     tasuki::post(team, team.size() - 1, [] { std::puts("called by a neighbour"); });
///     tasuki::quiesce(team);  // now it has been run, by each rank of the node
void quiesce(const Team& team);

}  // namespace tasuki
