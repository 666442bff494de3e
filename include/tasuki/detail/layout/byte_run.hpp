// Bytes that lie without gaps both in a whole array and in a rank's block of it.
//
// Given by RunCursor and SelectionCursor. Thread-safety: a value.
#pragma once

#include <cstdint>

namespace tasuki::layout {

struct ByteRun {
  std::int64_t array_offset_bytes = 0;
  std::int64_t block_offset_bytes = 0;
  std::int64_t bytes = 0;

  bool operator==(const ByteRun&) const = default;
};

}  // namespace tasuki::layout
