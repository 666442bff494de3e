// How a tag of MPI tells which message of the collectives it is: by its number and, of long
// messages, by their length, so that none meets a receive of another length.
//
// Used by MpiOperations. Thread-safety: pure functions of a value.
#pragma once

#include <tasuki/detail/transport/mpi_operations.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tasuki::transport::mpi {

class TagParts {
 public:
  /// `tag_most` is the largest tag that the library allows, at least 32767.
  explicit TagParts(int tag_most) noexcept
      : lengths_count_(std::clamp((static_cast<std::uint32_t>(tag_most) >> numbers_bits) + 1,
                                  lengths_least, lengths_most)),
        numbers_count_(static_cast<std::uint32_t>(tag_most) / lengths_count_) {}

  /// Tags repeat after so many numbers. Two lengths have one tag by chance in 1 / `lengths_count`.
  int of(std::uint32_t number, std::size_t bytes) const noexcept {
    const std::uint32_t of_length = bytes < MpiOperations::tagged_length_least_bytes
                                        ? 0
                                        : 1 + hash(bytes) % (lengths_count_ - 1);
    return static_cast<int>(of_length * numbers_count_ + number % numbers_count_);
  }

  std::uint32_t numbers_count() const noexcept { return numbers_count_; }
  std::uint32_t lengths_count() const noexcept { return lengths_count_; }

 private:
  /// More collectives than can be under way at once.
  static constexpr int numbers_bits = 18;
  static constexpr std::uint32_t lengths_least = 8;
  static constexpr std::uint32_t lengths_most = 4096;

  /// Multiplicative (Knuth, The Art of Computer Programming 3, section 6.4).
  static std::uint32_t hash(std::size_t bytes) noexcept {
    return static_cast<std::uint32_t>((bytes * 0x9E3779B97F4A7C15U) >> 32);
  }

  std::uint32_t lengths_count_;
  std::uint32_t numbers_count_;
};

}  // namespace tasuki::transport::mpi
