#include "predict/earlier_run.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "predict/arrivals.hpp"
#include "predict/streams.hpp"

namespace tasuki::predict {
namespace {

Score score_beside(Form form, const std::vector<Arrival>& earlier,
                   const std::vector<Arrival>& arrivals) {
  const auto predictor =
      make_predictor(predictor_named("earlier_run"), {.form = form, .earlier = earlier});
  return score_of(*predictor, arrivals);
}

TEST(EarlierRun, TheSameRunIsKnown) {
  const auto arrivals = bench::random_stream(1000, 2);
  for (const Form form : {Form::whole, Form::fields, Form::channel}) {
    EXPECT_EQ(score_beside(form, arrivals, arrivals).whole.right_count, 1000) << name_of(form);
  }
}

TEST(EarlierRun, OneMessageTooManyOrTooFewIsSoonForgotten) {
  const auto earlier = bench::random_stream(1000, 2);
  std::vector<Arrival> more = earlier, fewer = earlier;
  more.insert(more.begin() + 500, bench::random_stream(1, 3)[0]);
  fewer.erase(fewer.begin() + 500);
  EXPECT_GE(score_beside(Form::whole, earlier, more).whole.right_count, 995);
  EXPECT_GE(score_beside(Form::whole, earlier, fewer).whole.right_count, 994);
}

TEST(EarlierRun, AnotherOrderOfChannelsChangesNothingInChannels) {
  const auto earlier = bench::interleaved_stream(1000, 1);
  std::vector<Arrival> arrivals = earlier;
  for (std::size_t i = 0; i + 1 < arrivals.size(); i += 2) {
    const bool is_same_source = arrivals[i].message.source == arrivals[i + 1].message.source;
    if (!is_same_source) std::swap(arrivals[i], arrivals[i + 1]);
  }
  EXPECT_EQ(score_beside(Form::channel, earlier, arrivals).whole.right_count, 1000);
  EXPECT_LT(score_beside(Form::whole, earlier, arrivals).whole.right_count, 900);
}

TEST(EarlierRun, ALongerRunIsNotKnownToItsEnd) {
  const auto arrivals = bench::random_stream(1000, 2);
  const std::vector<Arrival> earlier(arrivals.begin(), arrivals.begin() + 600);
  const Score score = score_beside(Form::whole, earlier, arrivals);
  EXPECT_EQ(score.whole.predictions_count, 600);
  EXPECT_EQ(score.whole.right_count, 600);
}

TEST(EarlierRun, WithoutALogNothingIsPredicted) {
  const auto arrivals = bench::random_stream(10, 2);
  EXPECT_EQ(score_beside(Form::whole, {}, arrivals).whole.predictions_count, 0);
}

}  // namespace
}  // namespace tasuki::predict
