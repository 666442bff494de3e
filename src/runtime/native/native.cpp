#include "runtime/native/native.hpp"

#include <string_view>
#include <tasuki/base/assert.hpp>

namespace tasuki::runtime::native {
namespace {

struct Entry {
  coll::Collective collective;
  std::string_view name;
  Function function;
};

using enum coll::Collective;
constexpr Entry entries[] = {
    {broadcast, "staged", broadcast_staged},
    {reduce, "staged", reduce_staged},
    {allreduce, "staged", allreduce_staged},
    {allreduce, "staged_halves", allreduce_staged_halves},
    {gather, "staged", gather_staged},
    {scatter, "staged", scatter_staged},
    {allgather, "staged", allgather_staged},
    {alltoall, "staged", alltoall_staged},
    {reduce_scatter_block, "staged", reduce_scatter_block_staged},
    {scan, "staged", scan_staged},
    {exscan, "staged", exscan_staged},
    {broadcast, "single_copy", broadcast_single_copy},
    {gather, "single_copy", gather_single_copy},
    {scatter, "single_copy", scatter_single_copy},
    {allgather, "single_copy", allgather_single_copy},
    {alltoall, "single_copy", alltoall_single_copy},
    {allreduce, "single_copy", allreduce_single_copy},
};

std::size_t board_bytes(int ranks) {
  constexpr std::size_t line_bytes = FlagBarrier::line_bytes;
  return (Board::bytes_for(ranks) + line_bytes - 1) / line_bytes * line_bytes;
}

}  // namespace

Ground::Ground(World& world, const Members& members, std::byte* memory)
    : board(world, members, memory),
      barrier(board, memory + board_bytes(members.count())),
      world_(world) {}

std::size_t Ground::bytes_for(int ranks) noexcept {
  return board_bytes(ranks) + FlagBarrier::bytes_for(ranks);
}

bool Ground::reads_peers() {
  if (!reads_peers_.has_value()) {
    // What the system permits may differ between two pairs of processes, so all must agree.
    const Board::Turn turn(board, 1, "agreeing on single copies");
    const std::uint64_t step = turn.first_step();
    bool all = world_.transport().capabilities().reads_all_private;
    *board.open(step, 1) = static_cast<std::byte>(all);
    board.publish(step);
    for (int rank = 0; rank < board.ranks(); ++rank) {
      all = all && *board.await(rank, step, 1) != std::byte{0};
    }
    reads_peers_ = all;
  }
  return *reads_peers_;
}

Function function_of(const coll::AlgorithmDescriptor& algorithm) {
  for (const Entry& entry : entries) {
    if (entry.collective == algorithm.collective && entry.name == algorithm.name) {
      return entry.function;
    }
  }
  TASUKI_ASSERT(!"every algorithm on shared memory is in the list");
  return nullptr;
}

}  // namespace tasuki::runtime::native
