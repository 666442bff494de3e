// Memory of every rank that the others may read where it lies, for the length of one collective.
//
// Used by the collectives that copy once. Addresses travel through the staging buffer; the data are
// read straight from the heap of the node, or by the kernel from private memory. Thread-safety:
// none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "node/segment/staging_buffer.hpp"

namespace tasuki::node {

/// Copies from the memory of `rank`, which keeps it as it is meanwhile. `address` is that rank's.
/// Requires: NodeSegment::reads_peers, or it lies in that rank's heap.
void copy_from(const StagingBuffer& buffer, int rank, std::uint64_t address,
               std::span<std::byte> into);

/// The other way round: copies into the memory of `rank`, which does not touch it meanwhile.
void copy_to(const StagingBuffer& buffer, int rank, std::uint64_t address,
             std::span<const std::byte> from);

class Exposure {
 public:
  /// Collective. `memory` and `second` (nullptr if there is none) stay as they are until `end`.
  /// `syncs_count`: how often `sync` will be called.
  Exposure(StagingBuffer& buffer, const void* memory, const void* second, std::uint64_t syncs_count,
           const coll::Call& call)
      : Exposure(
            buffer,
            {{reinterpret_cast<std::uint64_t>(memory), reinterpret_cast<std::uint64_t>(second)}},
            syncs_count, call) {}

  /// One memory, and a number for the others.
  Exposure(StagingBuffer& buffer, const void* memory, std::uint64_t number, const coll::Call& call)
      : Exposure(buffer, {{reinterpret_cast<std::uint64_t>(memory), number}}, 0, call) {}

  /// Copies from what `rank` has exposed, from `offset_bytes` on.
  void read(int rank, std::size_t offset_bytes, std::span<std::byte> into) {
    read_from(rank, 0, offset_bytes, into);
  }
  void read_second(int rank, std::size_t offset_bytes, std::span<std::byte> into) {
    read_from(rank, 1, offset_bytes, into);
  }
  /// Copies into what `rank` has exposed, from `offset_bytes` on.
  void write(int rank, std::size_t offset_bytes, std::span<const std::byte> from);
  /// The number that `rank` has exposed in place of a second address.
  std::uint64_t number_of(int rank) { return addresses_of(rank).of[1]; }
  /// Collective. Returns when all ranks have come here.
  void sync() { end(true); }
  /// Collective. Says that this rank has read what it wanted; if `wait_for_readers`, returns when
  /// all have said so.
  void end(bool wait_for_readers);
  /// The same, returning when `rank` has said so.
  void end_with(int rank);

 private:
  struct Addresses {
    std::uint64_t of[2];
  };
  Exposure(StagingBuffer& buffer, const Addresses& mine, std::uint64_t syncs_count,
           const coll::Call& call);
  Addresses addresses_of(int rank);
  void read_from(int rank, std::size_t which, std::size_t offset_bytes, std::span<std::byte> into);

  StagingBuffer& buffer_;
  StagingBuffer::Turn turn_;
  std::uint64_t step_;
};

}  // namespace tasuki::node
