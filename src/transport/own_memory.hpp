// The memory of a rank whose process has no memory file: a heap of the process, in reach of the
// ranks that live in the same process.
//
// Used by the backends whose ranks do not, or not always, share memory. Thread-safety: none.
#pragma once

#include <tasuki/detail/transport/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tasuki::transport {

class OwnMemory : public Memory {
 public:
  /// Throws tasuki::error if there is no address space for the reserve.
  OwnMemory(int rank, std::size_t reserved_bytes);
  virtual ~OwnMemory();
  OwnMemory(const OwnMemory&) = delete;
  OwnMemory& operator=(const OwnMemory&) = delete;

  std::byte* map(int rank, std::uintptr_t address, std::size_t bytes) noexcept override;
  bool put_private(int rank, std::uintptr_t address, std::span<const std::byte> data) override;
  bool get_private(int rank, std::uintptr_t address, std::span<std::byte> data) override;
  void notify(int /*rank*/) noexcept override {}
  const HeapSegment& heap() const noexcept override { return segment_; }
  bool grow_heap(std::size_t bytes) noexcept override;
  bool shares(int rank) const noexcept override { return heap_of(rank) != nullptr; }

 protected:
  /// The heap of a rank that lives in this process, else nullptr.
  virtual const HeapSegment* heap_of(int rank) const noexcept {
    return rank == owner_ ? &segment_ : nullptr;
  }

 private:
  int owner_;  ///< The own rank.
  HeapSegment segment_;
};

}  // namespace tasuki::transport
