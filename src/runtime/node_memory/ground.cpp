#include "runtime/node_memory/ground.hpp"

namespace tasuki::runtime::node_memory {
namespace {

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

// What the system permits may differ between two pairs of processes.
void Ground::agree() {
  const CallTag tag(coll::Collective::allgather, 1, 0);
  const Board::Turn turn(board, 1, tag, "agreeing on single copies");
  const std::uint64_t step = turn.first_step();
  bool all = world_.transport().capabilities().reads_all_private;
  *board.open(step, 1) = static_cast<std::byte>(all);
  board.publish(step);
  for (int rank = 0; rank < board.ranks(); ++rank) {
    all = all && *board.await(rank, step, 1) != std::byte{0};
  }
  reads_peers_ = all;
}

}  // namespace tasuki::runtime::node_memory
