#include "predict/forms.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "predict/arrivals.hpp"
#include "predict/last_value.hpp"
#include "predict/streams.hpp"

namespace {

std::size_t allocations_count = 0;

}  // namespace

void* operator new(std::size_t bytes) {
  ++allocations_count;
  if (void* const memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }

namespace tasuki::predict {
namespace {

TEST(Forms, NoMessageAllocates) {
  const auto earlier = bench::interleaved_stream(500, 3);
  const auto arrivals = bench::random_stream(5000, 7);
  for (const PredictorDescriptor& one : all_predictors()) {
    for (const Form form : one.forms) {
      const auto predictor = make_predictor(one, {form, earlier});
      const std::size_t before_count = allocations_count;
      score_of(*predictor, arrivals);
      EXPECT_EQ(allocations_count, before_count) << one.name << " " << name_of(form);
    }
  }
}

TEST(Forms, ANewChannelIsExpectedToFillItsBuffer) {
  const auto predictor = make_in_form<LastValue>({.form = Form::channel});
  EXPECT_EQ(predictor->predict(receive_of(message(1, 2, 3), 77)).message, message(77, 2, 3));
  EXPECT_FALSE(predictor->predict(from_any_source(message(1))).is_complete());
}

TEST(Forms, AFullBufferSaysNothingWhereThereIsNone) {
  const auto predictor = make_in_form<LastValue>({.form = Form::channel});
  Receive receive = receive_of(message(64), 64);
  predictor->observe({receive, message(64), 0});
  receive.given.erase(Field::message_bytes);
  EXPECT_FALSE(predictor->predict(receive).fields.contains(Field::message_bytes));
  predictor->observe({receive, message(32), 0});
  EXPECT_EQ(predictor->predict(receive).message, message(32));
}

TEST(Forms, MoreChannelsThanPlacesAreStillServed) {
  const auto predictor = make_in_form<LastValue>({.form = Form::channel});
  Score score;
  for (std::int32_t tag = 0; tag < 10'000; ++tag) {
    const Arrival arrival{receive_of(message(64, 1, tag)), message(64, 1, tag), tag};
    predictor->observe(arrival);
    score.count(predictor->predict(arrival.receive), arrival);
  }
  EXPECT_EQ(score.whole.right_count, 10'000);
}

TEST(Forms, NothingThatIsRandomIsPredictedAndNothingBreaks) {
  const auto arrivals = bench::random_stream(20'000, 7);
  for (const PredictorDescriptor& one : all_predictors()) {
    for (const Form form : one.forms) {
      const Score score = score_of(one.name, form, arrivals);
      EXPECT_LT(score.whole.right_count, 20) << one.name << " " << name_of(form);
      EXPECT_EQ(score.messages_count, 20'000);
    }
  }
}

TEST(Forms, EveryPredictorIsAtLeastRightAboutAConstant) {
  const auto arrivals = bench::constant_stream(1000);
  for (const PredictorDescriptor& one : all_predictors()) {
    for (const Form form : one.forms) {
      if (std::string(one.name) == "posted" || one.uses_earlier) continue;
      EXPECT_EQ(score_of(one.name, form, arrivals, 10).whole.right_count, 990) << one.name;
    }
  }
}

}  // namespace
}  // namespace tasuki::predict
