// Blocks of a rank's memory at a stride or at given indices: what GlobalPtr's strided and indexed
// operations come down to.
//
// Small blocks travel many to a message, large ones as remote reads and writes of their own.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/runtime/memory/rma.hpp>

namespace tasuki::runtime {

/// `count` blocks behind an address of another rank, and where they lie here.
struct Scattered {
  std::size_t block_bytes = 0;
  std::size_t count = 0;
  std::size_t remote_step_bytes = 0;
  std::size_t local_stride_bytes = 0;
  /// Block i is indices[i] steps behind the address; without indices, i steps.
  const std::size_t* indices = nullptr;

  bool is_empty() const noexcept { return count == 0 || block_bytes == 0; }
  std::size_t remote_offset(std::size_t i) const noexcept {
    return (indices == nullptr ? i : indices[i]) * remote_step_bytes;
  }
  /// From the address to the end of the block that is furthest behind it; as many as there are if
  /// that wraps around. Requires: not empty.
  std::size_t extent_bytes() const noexcept;
  /// Copies the blocks between where they are (or belong) remotely and here.
  void copy_there(std::byte* there, const std::byte* here) const noexcept;
  void copy_here(std::byte* here, const std::byte* there) const noexcept;
};

/// Returns when `from` and the indices may be reused. Visible at the latest when `fence` returns.
void put_scattered(Rank& self, RemoteAddress to, const std::byte* from, const Scattered& blocks);
/// The same; the future is ready when the data are visible. `from` must stay unchanged until then.
Future<void> put_scattered_async(Rank& self, RemoteAddress to, const std::byte* from,
                                 const Scattered& blocks);
/// The same as put_scattered, then `put_signal` without data: the counter says that all are there.
void put_scattered_signal(Rank& self, RemoteAddress to, const std::byte* from,
                          const Scattered& blocks, RemoteAddress signal_at,
                          std::uint64_t increment);
/// The future is ready when the data are here. The indices may be reused at once.
Future<void> get_scattered_async(Rank& self, RemoteAddress from, std::byte* into,
                                 const Scattered& blocks);

}  // namespace tasuki::runtime
