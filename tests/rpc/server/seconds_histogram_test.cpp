#include "rpc/server/seconds_histogram.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

TEST(SecondsHistogramTest, ADurationIsInEachBucketThatItFits) {
  SecondsHistogram histogram;
  histogram.add(1e-2);  // The end of a bucket belongs to it.
  histogram.add(0.5, 3);
  EXPECT_EQ(histogram.count(), 4);
  EXPECT_DOUBLE_EQ(histogram.sum_s(), 1.51);
  for (std::size_t i = 0; i < SecondsHistogram::bounds_s.size(); ++i) {
    const double bound_s = SecondsHistogram::bounds_s[i];
    EXPECT_EQ(histogram.count_within(i), (bound_s >= 1e-2 ? 1 : 0) + (bound_s >= 0.5 ? 3 : 0));
  }
}

TEST(SecondsHistogramTest, WhatIsLongerThanAllBucketsIsCounted) {
  SecondsHistogram histogram;
  histogram.add(1000);
  EXPECT_EQ(histogram.count(), 1);
  EXPECT_EQ(histogram.count_within(SecondsHistogram::bounds_s.size() - 1), 0);
}

}  // namespace
}  // namespace tasuki::rpc
