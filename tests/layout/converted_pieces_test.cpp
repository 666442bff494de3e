#include <gtest/gtest.h>
#include <tasuki/detail/layout/converted_pieces.hpp>
#include <tasuki/detail/layout/run_cursor.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <span>
#include <vector>

#include "layout/block_copies.hpp"
#include "layout/random_layout.hpp"

namespace tasuki::layout {
namespace {

using Bytes = std::vector<std::byte>;

Bytes random_bytes(RandomLayouts& random, std::size_t count) {
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.number(0, 255));
  return bytes;
}

/// Returns: of how many pieces the rank's block has been found to be; 0 if it is not converted.
int expect_pieces_as_by_elements(RandomLayouts& random, const ArrayLayout& layout, int rank,
                                 const ArrayView& view) {
  auto packing = ConvertedPieces::find(layout, rank, view);
  if (!packing) return 0;
  const Bytes array = random_bytes(random, memory_bytes(view, layout));
  Bytes expected(static_cast<std::size_t>(layout.local_bytes(rank)));
  pack_by_elements(layout, rank, view, array, expected);
  Bytes block;
  int pieces_count = 0;
  packing->pack_each(array.data(), [&](std::span<const std::byte> piece) {
    EXPECT_LE(piece.size(), ConvertedPieces::piece_bytes_most);
    block.insert(block.end(), piece.begin(), piece.end());
    ++pieces_count;
  });
  EXPECT_EQ(block, expected);

  Bytes unpacked(array.size());
  Bytes unpacked_by_elements(array.size());
  unpack_by_elements(layout, rank, view, block, unpacked_by_elements);
  std::span<const std::byte> left(block);
  ConvertedPieces::find(layout, rank, view)
      ->unpack_each(unpacked.data(), [&](std::span<std::byte> piece) {
        std::copy_n(left.begin(), piece.size(), piece.begin());
        left = left.subspan(piece.size());
      });
  EXPECT_TRUE(left.empty());
  EXPECT_EQ(unpacked, unpacked_by_elements);  // Nothing else is written.
  return pieces_count;
}

int expect_pieces_of_all(RandomLayouts& random, const ArrayLayout& layout, const ArrayView& view) {
  int pieces_count = 0;
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    pieces_count += expect_pieces_as_by_elements(random, layout, rank, view);
  }
  return pieces_count;
}

TEST(ConvertedPieces, CopyAsElementByElement) {
  RandomLayouts random(6);
  int pieces_count = 0;
  for (int round = 0; round < 300 && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const ArrayLayout layout = random.layout();
    pieces_count += expect_pieces_of_all(random, layout, random.view(layout));
    pieces_count += expect_pieces_of_all(random, layout, contiguous_view(layout, Order::row_major));
    pieces_count +=
        expect_pieces_of_all(random, layout, contiguous_view(layout, Order::column_major));
  }
  EXPECT_GT(pieces_count, 300);
}

TEST(ConvertedPieces, MatricesOfManyTilesHaveSeveralRowsInAPiece) {
  RandomLayouts random(7);
  for (const std::size_t element_bytes : {1, 2, 4, 8, 16, 12}) {
    const ArrayLayout layout({Axis(203, BlockCyclic{16}, 2), Axis(131, Block{}, 1)}, Grid({2, 1}),
                             element_bytes, Order::column_major);
    // Rows of 131 elements, 16 in each piece.
    EXPECT_EQ(expect_pieces_of_all(random, layout, contiguous_view(layout, Order::row_major)),
              9 + 9);
  }
}

TEST(ConvertedPieces, ARowThatIsTooLongIsDivided) {
  RandomLayouts random(8);
  constexpr std::int64_t long_extent = ConvertedPieces::piece_bytes_most / 8 + 1;
  const ArrayLayout matrix({Axis(3, Whole{}, 1), Axis(long_extent, Whole{}, 1)}, Grid({1, 1}), 8);
  EXPECT_EQ(expect_pieces_of_all(random, matrix, contiguous_view(matrix, Order::column_major)),
            3 * 2);
  const ArrayLayout vector({Axis(long_extent, Whole{}, 1)}, Grid({1}), 8);
  EXPECT_EQ(expect_pieces_of_all(random, vector, {0, {24}}), 2);
}

TEST(ConvertedPieces, PlanesThatAreTooLongAreDividedIntoRows) {
  RandomLayouts random(9);
  const std::vector<Axis> axes = {Axis(3, Whole{}, 1), Axis(300, Whole{}, 1),
                                  Axis(300, Whole{}, 1)};
  const ArrayLayout layout(axes, Grid({1, 1, 1}), 8);
  EXPECT_EQ(expect_pieces_of_all(random, layout, contiguous_view(layout, Order::column_major)),
            3 * 19);
}

TEST(ConvertedPieces, ThereAreNoneWhereRunsAreLongOrElementsSelected) {
  const ArrayLayout layout({Axis(4, Block{}, 2), Axis(5, Whole{}, 1)}, Grid({2, 1}), 8);
  const ArrayView rows = contiguous_view(layout, Order::row_major);
  const ArrayView columns = contiguous_view(layout, Order::column_major);
  EXPECT_FALSE(ConvertedPieces::find(layout, 0, rows));
  EXPECT_TRUE(ConvertedPieces::find(layout, 0, columns));
  EXPECT_FALSE(ConvertedPieces::find(layout.selecting({{0, 4, 1}, {1, 5, 2}}), 0, columns));
  const ArrayLayout none({Axis(1, Block{}, 2), Axis(5, Whole{}, 1)}, Grid({2, 1}), 8);
  EXPECT_FALSE(ConvertedPieces::find(none, 1, columns));
  EXPECT_THROW(ConvertedPieces::find(layout, 2, columns), error);
  EXPECT_THROW(ConvertedPieces::find(layout, 0, {0, {8}}), error);
}

}  // namespace
}  // namespace tasuki::layout
