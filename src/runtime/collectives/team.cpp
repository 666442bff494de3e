#include <algorithm>
#include <array>
#include <tasuki/collectives.hpp>
#include <tasuki/error.hpp>
#include <tasuki/team.hpp>
#include <tuple>

#include "runtime/collectives/rank_collectives.hpp"

namespace tasuki {
namespace {

/// A number for a new team that its ranks agree on without a word, because they all come to it with
/// the same parent, count and color (splitmix64's mixing steps).
std::uint64_t derive_id(std::uint64_t parent, std::uint64_t count, std::uint64_t color) {
  std::uint64_t x = parent * 0x9e3779b97f4a7c15U + count * 0xbf58476d1ce4e5b9U + color;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return (x ^ (x >> 31U)) | std::uint64_t{1} << 63U;  // never one of the built-in numbers
}

/// The number under which a rank keeps its local_team(); that of no other team, as it is even.
constexpr std::uint64_t local_team_id = 2;

Team make_team(std::uint64_t id, std::vector<int> ranks) {
  runtime::Rank& self = runtime::Rank::current();
  std::vector<int> sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  for (const int rank : sorted) self.check_rank(rank, "making a team");
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    throw error("making a team", "a rank is in the list of the team's ranks twice",
                "name each rank once");
  }
  const int me = self.rank;
  const auto at = std::find(ranks.begin(), ranks.end(), me);
  if (at == ranks.end()) {
    throw error("making a team", "this rank is not in the list of the team's ranks",
                "call team_of only on the ranks that the list names");
  }
  auto state = std::make_shared<runtime::TeamState>();
  state->id = id;
  state->rank = static_cast<int>(at - ranks.begin());
  state->ranks = std::move(ranks);
  state->find_placement(self.transport.nodes(), self.transport.node_groups());
  return Team(std::move(state));
}

}  // namespace

runtime::TeamState& Team::state() const {
  if (state_ == nullptr) {
    throw error("using a team", "the team is empty: this rank gave no color when it was split",
                "ask is_empty() first");
  }
  return *state_;
}

int Team::rank() const { return state().rank; }

int Team::size() const { return static_cast<int>(state().ranks.size()); }

int Team::world_rank(int team_rank) const {
  const auto& ranks = state().ranks;
  if (static_cast<std::size_t>(team_rank) >= ranks.size()) {
    throw error("using a team", "there is no such rank in the team",
                "use a rank from 0 to the team's size - 1");
  }
  return ranks[static_cast<std::size_t>(team_rank)];
}

std::span<const int> Team::world_ranks() const { return state().ranks; }

Team Team::split(int color, int key) const {
  runtime::TeamState& parent = state();
  runtime::RankCollectives& collectives = *runtime::Rank::current().collectives;
  const auto all =
      allgather(std::array<int, 3>{color, key, collectives.node_memory().node()}, *this);
  const std::uint64_t count = ++parent.splits_count;
  if (color < 0) return {};
  std::vector<std::tuple<int, int>> members;  // key, place in this team
  std::vector<int> nodes;
  for (int i = 0; i < size(); ++i) {
    const auto& [its_color, its_key, its_node] = all[static_cast<std::size_t>(i)];
    if (its_color != color) continue;
    members.emplace_back(its_key, i);
    nodes.push_back(its_node);
  }
  std::sort(members.begin(), members.end());
  std::vector<int> ranks;
  ranks.reserve(members.size());
  for (const auto& [_, place] : members) ranks.push_back(world_rank(place));
  Team team =
      make_team(derive_id(parent.id, count, static_cast<std::uint64_t>(color)), std::move(ranks));
  collectives.node_memory().give_segment(team, nodes);
  return team;
}

const Team& world_team() { return runtime::Rank::current().collectives->world_team(); }

const Team& local_team() {
  runtime::Rank& self = runtime::Rank::current();
  Team& team = self.collectives->named_team(local_team_id);
  if (!team.is_empty()) return team;
  std::vector<int> ranks;
  for (int rank = 0; rank < self.size; ++rank) {
    if (self.transport.memory().shares(rank)) ranks.push_back(rank);
  }
  if (ranks.size() == static_cast<std::size_t>(self.size)) return team = world_team();
  const std::vector<int> nodes(ranks.size(), ranks.front());
  team = make_team(derive_id(local_team_id, 0, 0), std::move(ranks));
  self.collectives->node_memory().give_segment(team, nodes);
  return team;
}

Team team_of(std::vector<int> world_ranks, std::uint64_t name) {
  std::uint64_t id = derive_id(0, name, 0);
  for (const int rank : world_ranks) id = derive_id(id, 0, static_cast<std::uint64_t>(rank));
  Team& team = runtime::Rank::current().collectives->named_team(id);
  if (team.is_empty()) team = make_team(id, std::move(world_ranks));
  return team;
}

}  // namespace tasuki
