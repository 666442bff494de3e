// Files .npy that all ranks of a team write or read together.
//
// The array is in slabs then, as slabs_of gives them, so that each rank has one piece of the file.
// Used by Array. Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tasuki/detail/containers/npy_header.hpp>
#include <tasuki/detail/containers/shared_file.hpp>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/team.hpp>

namespace tasuki::containers {

/// Replaces the file. Collective. Throws the same tasuki::error on all ranks if it cannot be
/// written.
void write_npy(const std::string& path, const NpyHeader& header, const layout::ArrayLayout& slabs,
               std::span<const std::byte> mine, const Team& team);

/// One that is read.
class NpyFile {
 public:
  /// Collective. Throws the same tasuki::error on all ranks if the file is none of elements of the
  /// type and extents that are `expected`; the order may be another one.
  NpyFile(const std::string& path, const NpyHeader& expected, const Team& team);

  layout::Order order() const noexcept { return header_.order; }
  /// Collective. Throws the same tasuki::error on all ranks if the file cannot be read.
  void read(const layout::ArrayLayout& slabs, std::span<std::byte> mine, const Team& team);

 private:
  SharedFile file_;
  NpyHeader header_ = {};
  std::uint64_t header_bytes_ = 0;
};

}  // namespace tasuki::containers
