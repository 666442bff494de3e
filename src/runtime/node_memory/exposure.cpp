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

void copy_to(const Board& board, int rank, std::uint64_t address, std::span<const std::byte> from) {
  transport::Transport& transport = board.world().transport();
  const int world_rank = board.members().world_rank(rank);
  if (std::byte* mapped = transport.map(world_rank, address, from.size())) {
    base::copy_bytes(mapped, from.data(), from.size());
    return;
  }
  if (transport.put_private(world_rank, address, from)) return;
  throw error("copying in a collective",
              fmt::format("this rank can no longer write to the memory of rank {}", world_rank),
              "set TASUKI_CMA=0, so that memory is not written across processes");
}

Exposure::Exposure(Board& board, const Addresses& mine, std::uint64_t syncs_count,
                   const CollectiveCall& call)
    : board_(board), turn_(board, 2 + syncs_count, call), step_(turn_.first_step()) {
  std::memcpy(board_.open(step_, sizeof mine), &mine, sizeof mine);
  board_.publish(step_);
}

void Exposure::read_from(int rank, std::size_t which, std::size_t offset_bytes,
                         std::span<std::byte> into) {
  if (into.empty()) return;
  copy_from(board_, rank, addresses_of(rank).of[which] + offset_bytes, into);
}

Exposure::Addresses Exposure::addresses_of(int rank) {
  Addresses theirs;
  std::memcpy(&theirs, board_.await(rank, turn_.first_step(), sizeof theirs), sizeof theirs);
  return theirs;
}

void Exposure::write(int rank, std::size_t offset_bytes, std::span<const std::byte> from) {
  if (from.empty()) return;
  copy_to(board_, rank, addresses_of(rank).of[0] + offset_bytes, from);
}

void Exposure::end_with(int rank) {
  end(false);
  board_.await(rank, step_, 0);
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
