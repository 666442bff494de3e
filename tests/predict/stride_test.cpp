#include "predict/stride.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "predict/arrivals.hpp"
#include "predict/streams.hpp"

namespace tasuki::predict {
namespace {

TEST(Stride, FollowsAStep) {
  const auto arrivals = bench::stride_stream(1000);
  for (const Form form : {Form::whole, Form::fields}) {
    EXPECT_EQ(score_of("stride", form, arrivals, 3).whole.right_count, 997) << name_of(form);
  }
  EXPECT_EQ(score_of("last_value", Form::whole, arrivals).whole.right_count, 0);
}

TEST(Stride, OneOtherStepChangesNothing) {
  Stride<std::int64_t> stride({1, 64});
  for (const std::int64_t value : {6, 7, 8, 100}) stride.learn(0, value, 0);
  EXPECT_EQ(*stride.guess(0).value, 101);
}

TEST(Stride, LargeValuesWrapAround) {
  Stride<std::int64_t> stride({1, 64});
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t value : {most - 2, most - 1, most}) stride.learn(0, value, 0);
  EXPECT_EQ(*stride.guess(0).value, std::numeric_limits<std::int64_t>::min());
}

TEST(Stride, OfMessagesIsThatOfAllFields) {
  Stride<Message> stride({1, 64});
  for (std::int32_t i = 0; i < 4; ++i) stride.learn(0, message(100 - i, 2 * i, 7), 0);
  EXPECT_EQ(*stride.guess(0).value, message(96, 8, 7));
}

}  // namespace
}  // namespace tasuki::predict
