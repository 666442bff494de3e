// The layout of a call's array as tasuki/routines.h describes it.
//
// Owned by the memory of a call. Thread-safety: a value that nobody changes.
#pragma once

#include <tasuki/routines.h>

#include <cstdint>
#include <tasuki/detail/layout/array_layout.hpp>
#include <vector>

namespace tasuki::rpc {

class LayoutInC {
 public:
  LayoutInC(const layout::ArrayLayout& array, int rank);
  LayoutInC(LayoutInC&&) = default;
  LayoutInC& operator=(LayoutInC&&) = default;

  const tasuki_array_layout& get() const noexcept { return view_; }
  /// Returns: -1 if there is no such dimension or index.
  std::int64_t global_index(int dimension, std::int64_t local_index) const noexcept;

 private:
  std::vector<layout::Axis> axes_;
  std::vector<std::int64_t> extents_;
  std::vector<std::int64_t> local_extents_;
  std::vector<std::int64_t> block_extents_;
  std::vector<int> grid_;
  std::vector<int> coordinates_;
  tasuki_array_layout view_{};
};

}  // namespace tasuki::rpc
