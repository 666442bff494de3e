#include <gtest/gtest.h>
#include <tasuki/detail/layout/scalapack.hpp>
#include <tasuki/error.hpp>

#include <limits>

namespace tasuki::layout {
namespace {

/// NUMROC as the documentation of ScaLAPACK defines it.
int numroc(int n, int nb, int iproc, int isrcproc, int nprocs) {
  const int distance = (nprocs + iproc - isrcproc) % nprocs;
  const int whole_blocks = n / nb;
  const int extra_blocks = whole_blocks % nprocs;
  const int own = whole_blocks / nprocs * nb;
  if (distance < extra_blocks) return own + nb;
  return distance == extra_blocks ? own + n % nb : own;
}

ArrayLayout matrix_of(std::int64_t rows, std::int64_t columns, Order order = Order::column_major) {
  return ArrayLayout({Axis(rows, BlockCyclic{64}, 2), Axis(columns, BlockCyclic{32}, 3)},
                     Grid({2, 3}), sizeof(double), order);
}

TEST(Scalapack, LocalExtentsAreThoseOfNumroc) {
  for (int extent = 0; extent <= 70; ++extent)
    for (int block_extent = 1; block_extent <= 20; ++block_extent)
      for (int processes = 1; processes <= 5; ++processes) {
        const Axis axis(extent, BlockCyclic{block_extent}, processes);
        for (int process = 0; process < processes; ++process)
          EXPECT_EQ(axis.local_extent(process),
                    numroc(extent, block_extent, process, 0, processes));
      }
}

TEST(Scalapack, DescribesAMatrix) {
  const ArrayLayout matrix = matrix_of(1000, 500);
  EXPECT_EQ(descriptor_of(matrix, 0, 7),
            (ScalapackDescriptor{1, 7, 1000, 500, 64, 32, 0, 0, numroc(1000, 64, 0, 0, 2)}));
  EXPECT_EQ(descriptor_of(matrix, 5, 7)[8], numroc(1000, 64, 1, 0, 2));
  EXPECT_EQ(descriptor_of(matrix_of(3, 500), 5, 7)[8], 1);  // Never 0.
}

TEST(Scalapack, RefusesWhatItsDescriptorCannotSay) {
  EXPECT_THROW(descriptor_of(matrix_of(10, 10, Order::row_major), 0, 0), error);
  EXPECT_THROW(descriptor_of(matrix_of(10, 10), 6, 0), error);
  const std::int64_t beyond = std::int64_t{std::numeric_limits<int>::max()} + 1;
  EXPECT_THROW(descriptor_of(matrix_of(beyond, 1), 0, 0), error);
  const ArrayLayout replicated({Axis(2, Whole{}, 1), Axis(2, Whole{}, 1)}, Replicated{2}, 8,
                               Order::column_major);
  EXPECT_THROW(descriptor_of(replicated, 0, 0), error);
}

}  // namespace
}  // namespace tasuki::layout
