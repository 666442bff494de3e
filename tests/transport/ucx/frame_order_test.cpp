#include "transport/ucx/frame_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace tasuki::transport::ucx {
namespace {

/// The order in which frames are taken that come in this one; each is its sequence.
std::vector<std::uint32_t> taken(const std::vector<std::uint32_t>& come) {
  FrameOrder<std::uint32_t> order;
  std::vector<std::uint32_t> taken;
  for (const std::uint32_t frame : come) {
    order.put(frame, frame, [&](std::uint32_t next) { taken.push_back(next); });
  }
  EXPECT_EQ(order.is_settled(), taken.size() == come.size());
  return taken;
}

TEST(FrameOrder, hands_on_at_once_what_comes_in_order) {
  EXPECT_EQ(taken({0, 1, 2}), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(FrameOrder, keeps_what_comes_early) {
  EXPECT_EQ(taken({1, 2}), (std::vector<std::uint32_t>{}));
  EXPECT_EQ(taken({0, 2}), (std::vector<std::uint32_t>{0}));
}

TEST(FrameOrder, restores_any_order) {
  std::vector<std::uint32_t> sent(100);
  std::iota(sent.begin(), sent.end(), 0);
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    std::vector<std::uint32_t> come = sent;
    std::shuffle(come.begin(), come.end(), std::mt19937(seed));
    EXPECT_EQ(taken(come), sent) << "seed " << seed;
  }
}

TEST(FrameOrder, goes_on_after_the_largest_number) {
  FrameOrder<std::uint32_t> order(UINT32_MAX);
  std::vector<std::uint32_t> taken;
  for (const std::uint32_t frame : {std::uint32_t{0}, UINT32_MAX, std::uint32_t{1}}) {
    order.put(frame, frame, [&](std::uint32_t next) { taken.push_back(next); });
  }
  EXPECT_EQ(taken, (std::vector<std::uint32_t>{UINT32_MAX, 0, 1}));
}

}  // namespace
}  // namespace tasuki::transport::ucx
