#include <gtest/gtest.h>
#include <tasuki/detail/layout/copy_block.hpp>
#include <tasuki/error.hpp>

#include <cstring>
#include <vector>

#include "layout/random_layout.hpp"

namespace tasuki::layout {
namespace {

using Bytes = std::vector<std::byte>;

Bytes random_bytes(RandomLayouts& random, std::size_t count) {
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.number(0, 255));
  return bytes;
}

Bytes packed_by_elements(const ArrayLayout& layout, int rank, const ArrayView& view,
                         const Bytes& array) {
  Bytes block;
  for (const Index& index : indices_of(layout, rank)) {
    const auto begin = array.begin() + offset_bytes(view, index);
    block.insert(block.end(), begin, begin + layout.element_bytes());
  }
  return block;
}

void expect_copies_as_by_elements(RandomLayouts& random, const ArrayLayout& layout,
                                  const ArrayView& view) {
  const Bytes array = random_bytes(random, memory_bytes(view, layout));
  Bytes unpacked(array.size());
  Bytes expected(array.size());
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    Bytes block(static_cast<std::size_t>(layout.local_bytes(rank)));
    pack_block(layout, rank, view, array, block);
    ASSERT_EQ(block, packed_by_elements(layout, rank, view, array)) << "rank " << rank;
    unpack_block(layout, rank, view, block, unpacked);
    for (const Index& index : indices_of(layout, rank)) {
      const auto offset = static_cast<std::size_t>(offset_bytes(view, index));
      std::memcpy(&expected[offset], &array[offset],
                  static_cast<std::size_t>(layout.element_bytes()));
    }
    ASSERT_EQ(unpacked, expected) << "rank " << rank;  // Nothing else is written.
  }
}

TEST(CopyBlock, CopiesAsElementByElement) {
  RandomLayouts random(6);
  for (int round = 0; round < 300; ++round) {
    const ArrayLayout layout = random.layout();
    expect_copies_as_by_elements(random, layout, random.view(layout));
    expect_copies_as_by_elements(random, layout, contiguous_view(layout, Order::row_major));
    expect_copies_as_by_elements(random, layout, contiguous_view(layout, Order::column_major));
  }
}

TEST(CopyBlock, CopiesOnlySelectedElements) {
  RandomLayouts random(10);
  for (int round = 0; round < 200; ++round) {
    const ArrayLayout layout = random.selection(random.layout());
    const ArrayView view = random.view(layout);
    const Bytes array = random_bytes(random, memory_bytes(view, layout));
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      Bytes block = random_bytes(random, static_cast<std::size_t>(layout.local_bytes(rank)));
      Bytes expected = block;
      std::size_t at = 0;
      for (const Index& index : indices_of(layout, rank)) {
        const auto bytes = static_cast<std::size_t>(layout.element_bytes());
        if (is_selected(layout, index)) {
          std::memcpy(&expected[at], &array[static_cast<std::size_t>(offset_bytes(view, index))],
                      bytes);
        }
        at += bytes;
      }
      pack_block(layout, rank, view, array, block);
      ASSERT_EQ(block, expected) << "round " << round;
    }
  }
}

TEST(CopyBlock, TransposesMatricesOfManyTiles) {
  RandomLayouts random(7);
  for (const std::size_t element_bytes : {1, 2, 4, 8, 16, 12}) {
    const ArrayLayout layout({Axis(203, BlockCyclic{16}, 2), Axis(131, Block{}, 1)}, Grid({2, 1}),
                             element_bytes, Order::column_major);
    expect_copies_as_by_elements(random, layout, contiguous_view(layout, Order::row_major));
  }
}

TEST(CopyBlock, RefusesWhatDoesNotFit) {
  const ArrayLayout layout({Axis(4, Block{}, 2)}, Grid({2}), 8);
  const ArrayView view = contiguous_view(layout, Order::row_major);
  Bytes array(32);
  Bytes block(16);
  EXPECT_NO_THROW(pack_block(layout, 1, view, array, block));
  EXPECT_THROW(pack_block(layout, 2, view, array, block), error);
  EXPECT_THROW(pack_block(layout, 1, view, std::span(array).first(31), block), error);
  EXPECT_THROW(unpack_block(layout, 1, view, std::span(block).first(15), array), error);
}

}  // namespace
}  // namespace tasuki::layout
