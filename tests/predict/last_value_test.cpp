#include "predict/last_value.hpp"

#include <gtest/gtest.h>

#include "predict/arrivals.hpp"

namespace tasuki::predict {
namespace {

TEST(LastValue, IsRightWhileNothingChanges) {
  const Score score = score_of("last_value", Form::whole, arrivals_of({8, 8, 8, 16, 16}));
  EXPECT_EQ(score.whole.predictions_count, 4);
  EXPECT_EQ(score.whole.right_count, 3);
}

TEST(LastValue, FieldsAreRightByThemselves) {
  // Sources alternate and sizes do not.
  std::vector<Arrival> arrivals;
  for (int i = 0; i < 10; ++i) arrivals.push_back({{}, message(64, i % 2), i});
  const Score score = score_of("last_value", Form::fields, arrivals);
  EXPECT_EQ(score.whole.right_count, 0);
  EXPECT_EQ(score.fields[static_cast<std::size_t>(Field::message_bytes)].right_count, 9);
  EXPECT_EQ(score.fields[static_cast<std::size_t>(Field::source)].right_count, 0);
}

TEST(LastValue, ChannelsDoNotDisturbEachOther) {
  std::vector<Arrival> arrivals;
  for (int i = 0; i < 10; ++i) {
    const Message one = message(i % 2 == 0 ? 64 : 128, i % 2);
    arrivals.push_back({receive_of(one), one, i});
  }
  EXPECT_EQ(score_of("last_value", Form::whole, arrivals, 2).whole.right_count, 0);
  EXPECT_EQ(score_of("last_value", Form::channel, arrivals, 2).whole.right_count, 8);
}

TEST(LastValue, AFullBufferStaysFullInAChannel) {
  std::vector<Arrival> arrivals;
  for (std::int64_t i = 1; i < 10; ++i) {
    const Message one = message(100 * i);
    arrivals.push_back({receive_of(one, one.message_bytes), one, i});
  }
  EXPECT_EQ(score_of("last_value", Form::channel, arrivals).whole.right_count, 9);
}

TEST(LastValue, ConfidenceCountsSuccessesInSuccession) {
  const auto predictor = make_predictor(predictor_named("last_value"), {.form = Form::whole});
  const std::vector<Arrival> same = arrivals_of({8, 8, 8});
  for (const Arrival& one : same) predictor->observe(one);
  EXPECT_EQ(predictor->predict(same[0].receive).confidence, 2);
  predictor->observe(arrivals_of({9})[0]);
  EXPECT_EQ(predictor->predict(same[0].receive).confidence, 0);
}

}  // namespace
}  // namespace tasuki::predict
