#include "linpack/blocks.hpp"

#include <algorithm>
#include <array>

#include "apps/linpack/random_equations.hpp"
#include "linpack/dgefa.hpp"
#include "support/rank_test.hpp"

namespace linpack {
namespace {

using BlocksTest = tasuki::test::RankTest;
using Numbers = std::vector<double>;

constexpr double tolerance = 1e-9;

/// How a[columns][rows] lies on a grid of all ranks, BLOCK in both dimensions, as a rank sees it.
class GridLayout {
 public:
  GridLayout(std::int64_t columns, std::int64_t rows, int grid_columns)
      : extents_{columns, rows}, grid_{grid_columns, tasuki::size() / grid_columns} {
    coordinates_ = {tasuki::rank() / grid_[1], tasuki::rank() % grid_[1]};
    for (std::size_t i = 0; i < 2; ++i) {
      block_extents_[i] = (extents_[i] + grid_[i] - 1) / grid_[i];
      begin_[i] = std::min(extents_[i], coordinates_[i] * block_extents_[i]);
      local_extents_[i] = std::min(extents_[i] - begin_[i], block_extents_[i]);
    }
  }

  tasuki_array_layout in_c() const {
    tasuki_array_layout layout{};
    layout.dimensions = 2;
    layout.extents = extents_.data();
    layout.local_extents = local_extents_.data();
    layout.block_extents = block_extents_.data();
    layout.grid = grid_.data();
    layout.coordinates = coordinates_.data();
    layout.leading_dimension = local_extents_[1];
    return layout;
  }

  /// The rank's block of n columns of n elements; rows below them are never to be used.
  Numbers block_of(const Numbers& columns) const {
    const std::int64_t n = extents_[0];
    Numbers block;
    for (std::int64_t j = begin_[0]; j < begin_[0] + local_extents_[0]; ++j) {
      for (std::int64_t i = begin_[1]; i < begin_[1] + local_extents_[1]; ++i) {
        block.push_back(i < n ? columns[at(j * n + i)] : 1e9);
      }
    }
    return block;
  }

 private:
  std::array<std::int64_t, 2> extents_;
  std::array<int, 2> grid_;
  std::array<int, 2> coordinates_{};
  std::array<std::int64_t, 2> begin_{};
  std::array<std::int64_t, 2> block_extents_{};
  std::array<std::int64_t, 2> local_extents_{};
};

/// What one process finds.
Numbers solved(Numbers columns, Numbers b, bool is_transposed) {
  const Matrix a{std::ssize(b), columns};
  dgesl(a, dgefa(a), b, is_transposed);
  return b;
}

Numbers solved_by_all(const GridLayout& layout, const Numbers& columns, Numbers b,
                      bool is_transposed) {
  Blocks blocks(layout.in_c(), layout.block_of(columns).data(), std::ssize(b));
  blocks.factor();
  blocks.solve(b, is_transposed);
  return b;
}

/// Of all ranks, with any number of columns.
std::vector<int> grids() {
  std::vector<int> found;
  for (int columns = 1; columns <= tasuki::size(); ++columns) {
    if (tasuki::size() % columns == 0) found.push_back(columns);
  }
  return found;
}

TEST_F(BlocksTest, solve_what_one_process_solves_on_any_grid) {
  for (const std::int64_t n : {0, 1, 2, 7, 30}) {
    RandomEquations random(n, static_cast<unsigned>(n));
    const Numbers columns = random.columns();
    const Numbers b = random.right_side();
    for (const int grid_columns : grids()) {
      for (const std::int64_t rows : {n, n + 5}) {
        const GridLayout layout(n, rows, grid_columns);
        for (const bool is_transposed : {false, true}) {
          const Numbers expected = solved(columns, b, is_transposed);
          const Numbers found = solved_by_all(layout, columns, b, is_transposed);
          for (std::int64_t i = 0; i < n; ++i) {
            EXPECT_NEAR(found[at(i)], expected[at(i)], tolerance)
                << "n = " << n << ", " << grid_columns << " columns of ranks";
          }
        }
      }
    }
  }
}

TEST_F(BlocksTest, exchange_rows_of_several_ranks) {
  // Each pivot is in the last row that is left, so that nearly all exchanges cross the grid.
  constexpr std::int64_t n = 12;
  Numbers columns(n * n);
  Numbers b(n);
  for (std::int64_t k = 0; k < n; ++k) {
    columns[at(k * n + n - 1 - k)] = 2;
    b[at(k)] = static_cast<double>(k);
  }
  for (const int grid_columns : grids()) {
    const Numbers found = solved_by_all(GridLayout(n, n, grid_columns), columns, b, false);
    for (std::int64_t k = 0; k < n; ++k) {
      EXPECT_EQ(found[at(k)], static_cast<double>(n - 1 - k) / 2);
    }
  }
}

}  // namespace
}  // namespace linpack
