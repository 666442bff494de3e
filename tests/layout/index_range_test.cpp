#include <gtest/gtest.h>
#include <tasuki/detail/layout/index_range.hpp>

namespace tasuki::layout {
namespace {

TEST(IndexRange, CountsItsIndices) {
  for (std::int64_t lower = 0; lower < 7; ++lower) {
    for (std::int64_t upper = lower; upper < 12; ++upper) {
      for (std::int64_t step = 1; step < 6; ++step) {
        const IndexRange range{lower, upper, step};
        std::int64_t count = 0;
        for (std::int64_t i = 0; i < upper; ++i) {
          EXPECT_EQ(range.count_below(i), count);
          if (i >= lower && (i - lower) % step == 0) ++count;
        }
        EXPECT_EQ(range.count(), count);
      }
    }
  }
}

}  // namespace
}  // namespace tasuki::layout
