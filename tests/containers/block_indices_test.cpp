#include <tasuki/detail/containers/block_indices.hpp>

#include <gtest/gtest.h>

#include "layout/random_layout.hpp"

namespace tasuki::containers {
namespace {

TEST(BlockIndicesTest, they_are_those_of_the_block_in_its_order) {
  layout::RandomLayouts random(2);
  for (int i = 0; i < 200; ++i) {
    const layout::ArrayLayout layout = random.layout();
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      BlockIndices indices(layout, rank);
      for (const layout::Index& expected : layout::indices_of(layout, rank)) {
        const auto index = indices.index();
        ASSERT_EQ(layout::Index(index.begin(), index.end()), expected);
        indices.advance();
      }
    }
  }
}

}  // namespace
}  // namespace tasuki::containers
