// Counts or displacements that a program gives for each rank: ints, or larger numbers where it
// calls a function for large counts.
//
// The collectives with a count for each rank take them.
//
// Thread-safety: reads only.
#pragma once

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tasuki::mpi::collectives {

class Numbers {
 public:
  /// Not explicit, as programs have arrays.
  template <std::integral Number>
  Numbers(const Number* all) noexcept  // NOLINT(google-explicit-constructor)
      : all_(reinterpret_cast<const std::byte*>(all)), bytes_(sizeof(Number)) {
    static_assert(sizeof(Number) == sizeof(std::int32_t) || sizeof(Number) == sizeof(std::int64_t));
  }

  /// Has the program given any?
  explicit operator bool() const noexcept { return all_ != nullptr; }

  MPI_Count operator[](std::size_t index) const noexcept {
    return bytes_ == sizeof(std::int32_t) ? read<std::int32_t>(index) : read<std::int64_t>(index);
  }

 private:
  /// The program's numbers may be `long` or `long long`.
  template <typename Number>
  Number read(std::size_t index) const noexcept {
    Number number{};
    std::memcpy(&number, all_ + index * sizeof number, sizeof number);
    return number;
  }

  const std::byte* all_;
  std::size_t bytes_;
};

}  // namespace tasuki::mpi::collectives
