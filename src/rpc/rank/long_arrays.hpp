// Copies of arrays of one call in which a `long` has C's 64 bits, and not the 32 that travel.
//
// Used by the memory of the call. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "rpc/interface/module.hpp"

namespace tasuki::rpc {

class LongArrays {
 public:
  /// Requires: `number` is int32 or uint32. Returns: a copy of the block's `count` elements, the
  /// same one whenever it is called for the block; nullptr if there is no memory for it.
  void* widen(const void* block, Number number, std::size_t count);
  /// Copies the elements back into the block, which belongs to argument `name`. Throws
  /// tasuki::error that names an element that does not fit. Requires: the block was widened.
  void narrow(void* block, std::string_view name) const;
  /// Returns: the block that was copied to `copy`; nullptr if there is none.
  const void* block_of(const void* copy) const noexcept;

 private:
  struct Copy {
    Number number;
    std::vector<std::int64_t> elements;
  };

  std::map<const void*, Copy> copies_;  ///< By their blocks.
};

}  // namespace tasuki::rpc
