#include <tasuki/detail/runtime/world/memory_accounts.hpp>

#include "runtime/calls/backlog.hpp"
#include "runtime/calls/dispatcher.hpp"
#include "runtime/collectives/rank_collectives.hpp"
#include "runtime/collectives/team_state.hpp"
#include "runtime/memory/puts.hpp"
#include "runtime/memory/reads.hpp"

namespace tasuki::runtime {
namespace {

// Of the tables that Sender, Traffic and PeerMappings have.
constexpr base::MemoryAccount outboxes{"open messages", 0, sizeof(Outbox) + sizeof(int), 0};
constexpr base::MemoryAccount traffic{"counts of calls", 0, sizeof(TrafficCounts), 0};
constexpr base::MemoryAccount mappings{"memory of others that is mapped", 0, 32, 0};

}  // namespace

std::vector<base::MemoryAccount> memory_accounts() {
  return {outboxes,
          Backlog::account(),
          traffic,
          mappings,
          EarlyReceives::account(),
          PutFence::account(),
          Puts::account_of_signals(),
          PostedPlaces::account(),
          Reads::account(),
          TeamState::account_of_ranks(),
          TeamState::account_of_placement()};
}

std::vector<base::MemoryUse> memory_uses(const Rank& self) {
  const auto ranks_count = static_cast<std::size_t>(self.size);
  Puts& puts = *self.puts;
  const TeamState& all = self.collectives->world_team().state();
  return {{outboxes, ranks_count, 0},
          {Backlog::account(), ranks_count, 0},
          {traffic, ranks_count, 0},
          {mappings, ranks_count, 0},
          {EarlyReceives::account(), ranks_count, 0},
          puts.put_fence().memory_use(),
          puts.memory_use_of_signals(),
          puts.posted_places().memory_use(),
          self.reads->memory_use(),
          {TeamState::account_of_ranks(), ranks_count, 0},
          {TeamState::account_of_placement(), all.placement == nullptr ? 0 : ranks_count, 0}};
}

}  // namespace tasuki::runtime
