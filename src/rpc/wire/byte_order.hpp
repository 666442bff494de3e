// Numbers in the byte order that is not this machine's, as callers may have them in memory.
//
// Used by the client around arrays that it sends and receives: what travels has the order that the
// wire format says. Thread-safety: a function, and one thread for each ByteSwapper.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "rpc/interface/module.hpp"
#include "rpc/wire/short_run.hpp"

namespace tasuki::rpc {

/// Requires: `numbers` has whole numbers of the type.
void swap_byte_order(Number number, std::span<std::byte> numbers) noexcept;

/// Swaps copies of numbers, piece by piece through a small buffer.
///     ByteSwapper swapper;
///     swapper.each_piece(Number::float64, run, [&](std::span<const std::byte> piece) { .. });
class ByteSwapper {
 public:
  /// Calls `take` with the numbers in the other byte order, which are there until it returns.
  template <class Take>
  void each_piece(Number number, std::span<const std::byte> numbers, Take take) {
    if (buffer_.empty()) buffer_.resize(run_buffer_bytes);
    while (!numbers.empty()) {
      const auto piece = numbers.first(std::min(buffer_.size(), numbers.size()));
      const auto swapped = std::span(buffer_).first(piece.size());
      std::memcpy(swapped.data(), piece.data(), piece.size());
      swap_byte_order(number, swapped);
      take(std::span<const std::byte>(swapped));
      numbers = numbers.subspan(piece.size());
    }
  }

 private:
  static_assert(run_buffer_bytes % 16 == 0, "a piece has whole numbers of each type");
  std::vector<std::byte> buffer_;
};

}  // namespace tasuki::rpc
