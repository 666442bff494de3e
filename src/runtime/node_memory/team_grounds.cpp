#include "runtime/node_memory/team_grounds.hpp"

#include <cstring>
#include <tasuki/base/assert.hpp>
#include <tasuki/base/error.hpp>
#include <tasuki/runtime/heap.hpp>
#include <utility>

namespace tasuki::runtime::node_memory {

std::size_t TeamGround::bytes_for(int ranks) noexcept {
  return sizeof(Departures) + Ground::bytes_for(ranks);
}

TeamGround::TeamGround(World& world, const Members& members, std::byte* memory)
    : departures_(reinterpret_cast<Departures*>(memory)),
      ground(world, members, memory + sizeof(Departures)) {}

int TeamGrounds::node() const {
  const transport::Transport& transport = world_.transport();
  if (!transport.capabilities().maps_peers) return world_.rank();
  int lowest = 0;
  while (lowest != world_.rank() && !transport.same_node(lowest)) ++lowest;
  return lowest;
}

std::byte* TeamGrounds::allocate(int ranks) {
  const std::size_t bytes = TeamGround::bytes_for(ranks);
  try {
    void* const memory = heap_allocate(bytes, alignof(TeamGround::Departures), bytes);
    std::memset(memory, 0, bytes);
    return static_cast<std::byte*>(memory);
  } catch (const error&) {
    return nullptr;  // The team does without.
  }
}

std::unique_ptr<TeamGround> TeamGrounds::make(const Members& members, std::uint64_t address) {
  sweep();
  if (address == 0) return nullptr;
  auto* memory = reinterpret_cast<std::byte*>(address);
  if (members.rank != 0) {
    memory = world_.transport().map(members.world_rank(0), address,
                                    TeamGround::bytes_for(members.count()));
    TASUKI_ASSERT(memory != nullptr);
  }
  return std::make_unique<TeamGround>(world_, members, memory);
}

void TeamGrounds::retire(std::unique_ptr<TeamGround> ground) {
  __atomic_fetch_add(&ground->departures_->departed, 1, __ATOMIC_ACQ_REL);
  retired_.push_back(std::move(ground));
  sweep();
}

bool TeamGrounds::give_back(const TeamGround& ground) {
  TeamGround::Departures& departures = *ground.departures_;
  const Board& board = ground.ground.board;
  const auto ranks = static_cast<std::uint64_t>(board.ranks());
  if (__atomic_load_n(&departures.departed, __ATOMIC_ACQUIRE) != ranks) return false;
  // The first rank goes last, for what the others look at here lies in its heap.
  if (board.rank() == 0 && __atomic_load_n(&departures.freed, __ATOMIC_ACQUIRE) != ranks - 1) {
    return false;
  }
  if (board.own_memory() != nullptr) heap_free(board.own_memory());
  if (board.rank() == 0) {
    heap_free(&departures);
  } else {
    __atomic_fetch_add(&departures.freed, 1, __ATOMIC_ACQ_REL);
  }
  return true;
}

void TeamGrounds::sweep() {
  std::erase_if(retired_, [](const auto& ground) { return give_back(*ground); });
}

}  // namespace tasuki::runtime::node_memory
