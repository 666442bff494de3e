#include <tasuki/detail/layout/scalapack.hpp>

#include <fmt/format.h>
#include <tasuki/error.hpp>

#include <cstdint>
#include <limits>
#include <variant>

namespace tasuki::layout {
namespace {

constexpr int dense = 1;

int checked_int(const char* what, std::int64_t value) {
  if (value <= std::numeric_limits<int>::max()) return static_cast<int>(value);
  throw error("descriptor_of", fmt::format("the {} is {}, beyond int", what, value),
              "divide the matrix, or use fewer rows, columns or larger grids");
}

}  // namespace

ScalapackDescriptor descriptor_of(const ArrayLayout& matrix, int rank, int context) {
  if (matrix.dimensions() != 2 || matrix.order() != Order::column_major ||
      !std::holds_alternative<Grid>(matrix.placement())) {
    throw error("descriptor_of", "the array is no column-major matrix on a grid",
                "lay out two axes in column-major order on a grid of two dimensions");
  }
  matrix.check_rank(rank);
  const Axis& rows = matrix.axis(0);
  const Axis& columns = matrix.axis(1);
  constexpr int first_process = 0;
  return {dense,
          context,
          checked_int("number of rows", rows.extent()),
          checked_int("number of columns", columns.extent()),
          checked_int("block extent of rows", rows.block_extent()),
          checked_int("block extent of columns", columns.block_extent()),
          first_process,
          first_process,
          checked_int("leading dimension", matrix.leading_dimension(rank))};
}

}  // namespace tasuki::layout
