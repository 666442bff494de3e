#include "runtime/node_memory/exposure.hpp"

#include <fmt/format.h>

#include <cstring>
#include <tasuki/base/copy_bytes.hpp>
#include <tasuki/base/error.hpp>

namespace tasuki::runtime::node_memory {

void copy_from(const Board& board, int rank, std::uint64_t address, std::span<std::byte> into) {
  transport::Transport& transport = board.world().transport();
  const int world_rank = board.members().world_rank(rank);
  if (const std::byte* mapped = transport.map(world_rank, address, into.size())) {
    base::copy_bytes(into.data(), mapped, into.size());
    return;
  }
  if (transport.get_private(world_rank, address, into)) return;
  // All ranks found that it worked when they chose the algorithm.
  throw error("copying in a collective",
              fmt::format("this rank can no longer read the memory of rank {}", world_rank),
              "set TASUKI_CMA=0, so that memory is not read across processes");
}

Exposure::Exposure(Board& board, const void* memory, const void* second, std::uint64_t syncs_count,
                   const CollectiveCall& call)
    : board_(board), turn_(board, 2 + syncs_count, call), step_(turn_.first_step()) {
  const Addresses mine{
      {reinterpret_cast<std::uint64_t>(memory), reinterpret_cast<std::uint64_t>(second)}};
  std::memcpy(board_.open(step_, sizeof mine), &mine, sizeof mine);
  board_.publish(step_);
}

void Exposure::read_from(int rank, std::size_t which, std::size_t offset_bytes,
                         std::span<std::byte> into) {
  if (into.empty()) return;
  Addresses theirs;
  std::memcpy(&theirs, board_.await(rank, turn_.first_step(), sizeof theirs), sizeof theirs);
  copy_from(board_, rank, theirs.of[which] + offset_bytes, into);
}

void Exposure::end(bool wait_for_readers) {
  ++step_;
  board_.open(step_, 0);
  board_.publish(step_);
  for (int rank = 0; wait_for_readers && rank < board_.ranks(); ++rank) {
    board_.await(rank, step_, 0);
  }
}

}  // namespace tasuki::runtime::node_memory
