// A box of elements inside an array of any number of dimensions: where its parts lie in memory.
//
// Boxes of the same extents are packed in the same order, whatever the strides of their arrays.
// Used by halos. Thread-safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tasuki::containers {

/// Indices along each axis, from lower to before upper.
struct Box {
  std::vector<std::int64_t> lower = {};
  std::vector<std::int64_t> upper = {};

  std::int64_t extent(std::size_t dimension) const { return upper[dimension] - lower[dimension]; }
  std::size_t count() const;
  bool has(std::span<const std::int64_t> index) const;
};

/// Where the elements of an array are.
struct ArrayMemory {
  std::vector<std::int64_t> strides;  ///< In elements, by dimension.
  std::vector<std::size_t> fastest;   ///< The dimensions in the order of packing, fastest first.
  std::int64_t origin = 0;            ///< The element whose indices are all 0.
  std::size_t element_bytes = 1;
};

class MemoryBox {
 public:
  MemoryBox(const Box& box, const ArrayMemory& memory);

  std::size_t bytes() const noexcept { return bytes_; }
  /// Both return the end of what is packed.
  std::byte* pack(const std::byte* memory, std::byte* packed) const noexcept;
  const std::byte* unpack(const std::byte* packed, std::byte* memory) const noexcept;

 private:
  struct Loop {
    std::size_t count;
    std::ptrdiff_t stride_bytes;
  };
  template <class Copy>
  void for_each_run(Copy copy) const noexcept;

  std::ptrdiff_t offset_bytes_ = 0;
  std::size_t run_bytes_;
  std::size_t bytes_;
  Loop inner_ = {1, 0};      ///< Over the runs.
  std::vector<Loop> outer_;  ///< Over the inner loops, the fastest first.
};

}  // namespace tasuki::containers
