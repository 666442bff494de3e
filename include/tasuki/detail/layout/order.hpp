// Which index changes fastest as memory, or the numbers of ranks, go on.
//
// Used by grids of ranks and by array layouts. Thread-safety: constants.
#pragma once

#include <cstdint>

namespace tasuki::layout {

enum class Order : std::uint8_t {
  row_major,     ///< The last index, as in C and in NumPy's order 'C'.
  column_major,  ///< The first index, as in Fortran and in NumPy's order 'F'.
};

}  // namespace tasuki::layout
