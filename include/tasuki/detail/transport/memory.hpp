// The memory that ranks share: the own heap, those of the other ranks of the node, and scratch.
//
// Handed out by a transport. Called by the runtime, from the rank's own thread. Collectives in node
// memory need no more than PeerMemory, which who uses them without a transport can implement.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tasuki::transport {

/// The memory of the other ranks of a node, and how to wake a rank that waits for it.
class PeerMemory {
 public:
  /// Where `[address, address + bytes)` of `rank`'s heap (that rank's own address) can be read and
  /// written by this process, or nullptr if it is not in the heap or not addressable here.
  virtual std::byte* map(int rank, std::uintptr_t address, std::size_t bytes) noexcept = 0;
  /// Copies to / from private memory of `rank` at once; false if that is not possible.
  /// Throws tasuki::error if the address does not exist there.
  virtual bool put_private(int rank, std::uintptr_t address, std::span<const std::byte> data) = 0;
  virtual bool get_private(int rank, std::uintptr_t address, std::span<std::byte> data) = 0;
  /// Tells `rank`, which may be asleep, to poll memory this rank has just written.
  virtual void notify(int rank) noexcept = 0;

 protected:
  ~PeerMemory() = default;
};

/// The rank's shared heap: `[base, base + reserved_bytes)` is address space, of which the first
/// `committed_bytes` are memory.
struct HeapSegment {
  std::byte* base = nullptr;
  std::size_t reserved_bytes = 0;
  std::size_t committed_bytes = 0;
};

class Memory : public PeerMemory {
 public:
  virtual const HeapSegment& heap() const noexcept = 0;
  /// Commits at least `bytes` more; false if the reserve or the memory is used up.
  virtual bool grow_heap(std::size_t bytes) = 0;
  /// Can this rank address the heap of `rank`? The own one it can.
  virtual bool shares(int rank) const noexcept = 0;
  /// Zero-filled memory, the same for every rank of the job that shares this node, for flags and
  /// small buffers of collectives; empty if not all ranks share one node.
  virtual std::span<std::byte> shared_scratch() noexcept { return {}; }

 protected:
  ~Memory() = default;
};

}  // namespace tasuki::transport
