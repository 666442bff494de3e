// The memory of the other ranks of a node: how to reach it, and how to wake a rank that waits for
// it.
//
// A part of each transport; collectives in node memory need no more of it. Implemented apart from a
// transport by who uses node memory without one. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tasuki::transport {

class PeerMemory {
 public:
  /// Where `[address, address + bytes)` of `rank`'s heap (that rank's own address) can be read and
  /// written by this process, or nullptr if it is not in the heap or not addressable here.
  virtual std::byte* map(int rank, std::uintptr_t address, std::size_t bytes) noexcept = 0;
  /// Copies to / from private memory of `rank` at once; false if that is not possible.
  /// Throws tasuki::error if the address does not exist there.
  virtual bool put_private(int rank, std::uintptr_t address, std::span<const std::byte> data) = 0;
  virtual bool get_private(int rank, std::uintptr_t address, std::span<std::byte> data) = 0;
  /// Tells `rank`, which may be asleep, to look at memory this rank has just written.
  virtual void notify(int rank) noexcept = 0;
  /// Called when nothing can run: `idle_count` counts such calls since the last arrival. It spins,
  /// yields the core or sleeps as it sees fit, never longer than `most_us`, and returns early when
  /// something arrives or somebody calls `notify` for this rank.
  virtual void wait(std::uint64_t idle_count, std::int64_t most_us) = 0;

 protected:
  ~PeerMemory() = default;
};

}  // namespace tasuki::transport
