#include "node/single_copy/exposure.hpp"

#include <fmt/format.h>

#include <cstring>
#include <tasuki/detail/base/copy_bytes.hpp>
#include <tasuki/error.hpp>

namespace tasuki::node {

void copy_from(const StagingBuffer& buffer, int rank, std::uint64_t address,
               std::span<std::byte> into) {
  transport::PeerMemory& peers = buffer.host().peers();
  const int world_rank = buffer.members().world_rank(rank);
  if (const std::byte* mapped = peers.map(world_rank, address, into.size())) {
    base::copy_bytes(into.data(), mapped, into.size());
    return;
  }
  if (peers.get_private(world_rank, address, into)) return;
  // The peer that was tried at the start stood for all; this one refuses, and no rank can change
  // the algorithm any more.
  throw error("copying in a collective",
              fmt::format("this rank can no longer read the memory of rank {}", world_rank),
              "set TASUKI_CMA=0, so that memory is not read across processes");
}

void copy_to(const StagingBuffer& buffer, int rank, std::uint64_t address,
             std::span<const std::byte> from) {
  transport::PeerMemory& peers = buffer.host().peers();
  const int world_rank = buffer.members().world_rank(rank);
  if (std::byte* mapped = peers.map(world_rank, address, from.size())) {
    base::copy_bytes(mapped, from.data(), from.size());
    return;
  }
  if (peers.put_private(world_rank, address, from)) return;
  throw error("copying in a collective",
              fmt::format("this rank can no longer write to the memory of rank {}", world_rank),
              "set TASUKI_CMA=0, so that memory is not written across processes");
}

Exposure::Exposure(StagingBuffer& buffer, const Addresses& mine, std::uint64_t syncs_count,
                   const coll::Call& call)
    : buffer_(buffer), turn_(buffer, 2 + syncs_count, call), step_(turn_.first_step()) {
  std::memcpy(buffer_.open(step_, sizeof mine), &mine, sizeof mine);
  buffer_.publish(step_);
}

void Exposure::read_from(int rank, std::size_t which, std::size_t offset_bytes,
                         std::span<std::byte> into) {
  if (into.empty()) return;
  copy_from(buffer_, rank, addresses_of(rank).of[which] + offset_bytes, into);
}

Exposure::Addresses Exposure::addresses_of(int rank) {
  Addresses theirs;
  std::memcpy(&theirs, buffer_.await(rank, turn_.first_step(), sizeof theirs), sizeof theirs);
  return theirs;
}

void Exposure::write(int rank, std::size_t offset_bytes, std::span<const std::byte> from) {
  if (from.empty()) return;
  copy_to(buffer_, rank, addresses_of(rank).of[0] + offset_bytes, from);
}

void Exposure::end_with(int rank) {
  end(false);
  buffer_.await(rank, step_, 0);
}

void Exposure::end(bool wait_for_readers) {
  ++step_;
  buffer_.open(step_, 0);
  buffer_.publish(step_);
  for (int rank = 0; wait_for_readers && rank < buffer_.ranks(); ++rank) {
    buffer_.await(rank, step_, 0);
  }
}

}  // namespace tasuki::node
