// A rank's own memory: a heap that no other process sees, and copies that notice bad addresses.
//
// Used by the backends whose ranks do not, or not always, share memory. Thread-safety: none.
#pragma once

#include <tasuki/detail/transport/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tasuki::transport {

/// Anonymous address space that becomes memory as it grows.
class OwnHeap {
 public:
  /// Throws tasuki::error if there is no room for the reserve.
  explicit OwnHeap(std::size_t reserved_bytes);
  ~OwnHeap();
  OwnHeap(const OwnHeap&) = delete;
  OwnHeap& operator=(const OwnHeap&) = delete;

  const HeapSegment& segment() const noexcept { return segment_; }
  /// As Transport::grow_heap.
  bool grow(std::size_t bytes) noexcept;

 private:
  HeapSegment segment_;
};

/// Copies between addresses of this process by means of the kernel, which notices addresses that
/// do not exist. `rank` is whose memory it is, for the message. Returns: false if the kernel
/// forbids such copies. Throws tasuki::error if the address does not exist.
bool put_checked(int rank, std::uintptr_t address, std::span<const std::byte> data);
bool get_checked(int rank, std::uintptr_t address, std::span<std::byte> data);

/// Where `[address, address + bytes)` is in `heap`, or nullptr if it is not inside.
std::byte* find_in_heap(const HeapSegment& heap, std::uintptr_t address,
                        std::size_t bytes) noexcept;

}  // namespace tasuki::transport
