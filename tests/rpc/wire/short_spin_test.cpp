#include "rpc/wire/short_spin.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace tasuki::rpc {
namespace {

TEST(ShortSpinTest, WhatIsReadyIsAskedOnce) {
  int asked_count = 0;
  EXPECT_TRUE(short_spin([&] {
    ++asked_count;
    return true;
  }));
  EXPECT_EQ(asked_count, 1);
}

TEST(ShortSpinTest, WhatIsNeverReadyIsGivenUpAfterTheMoment) {
  int asked_count = 0;
  const std::int64_t begin_ns = base::now_ns();
  EXPECT_FALSE(short_spin([&] {
    ++asked_count;
    return false;
  }));
  EXPECT_GE(base::now_ns() - begin_ns, short_spin_ns);
  EXPECT_GE(asked_count, 1);
}

TEST(ShortSpinTest, WhatBecomesReadyIsSeenByTheNextQuestion) {
  int asked_count = 0;
  const auto is_second = [&] { return ++asked_count == 2; };
  while (!short_spin(is_second)) asked_count = 0;  // Unless others had the core all the time.
  EXPECT_EQ(asked_count, 2);
}

}  // namespace
}  // namespace tasuki::rpc
