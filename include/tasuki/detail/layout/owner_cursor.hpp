// The owners of a whole array's elements, in the order of the array's memory.
//
// Used by who has the bytes of an array one after the other and passes each on to its rank, or
// collects them from there. As each rank's block is in the same order, the bytes of a rank are
// those of its block from the begin to the end. Thread-safety: one thread per cursor.
#pragma once

#include <cstdint>
#include <optional>
#include <tasuki/detail/layout/array_layout.hpp>
#include <vector>

namespace tasuki::layout {

/// Bytes of an array that follow each other, and whose they are.
struct OwnedRun {
  int rank = 0;
  std::int64_t bytes = 0;

  bool operator==(const OwnedRun&) const = default;
};

/// Of an array that is not divided, all is rank 0's. The elements that the layout selects lie
/// without gaps, in its order.
///     OwnerCursor cursor(layout);
///     while (const auto run = cursor.next()) pass_on(run->rank, run->bytes);
class OwnerCursor {
 public:
  /// Requires: the layout outlives it.
  explicit OwnerCursor(const ArrayLayout& layout);

  /// Returns: the next run; nothing after the last.
  std::optional<OwnedRun> next();

 private:
  void advance(std::int64_t steps);
  std::int64_t global(std::size_t n, std::int64_t index) const noexcept;

  const ArrayLayout& layout_;
  const Grid* grid_;                 ///< nullptr if the array is not divided.
  std::int64_t piece_bytes_;         ///< Of the axes that change fastest and are not divided.
  std::vector<int> dimensions_;      ///< Of the others, the fastest first.
  std::vector<std::int64_t> index_;  ///< Among the selected ones along each axis.
  std::vector<int> coordinates_;     ///< In the grid.
  bool at_end_ = false;
};

}  // namespace tasuki::layout
