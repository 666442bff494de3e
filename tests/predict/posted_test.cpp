#include <gtest/gtest.h>

#include "predict/arrivals.hpp"

namespace tasuki::predict {
namespace {

TEST(Posted, PredictsTheArguments) {
  const auto predictor = make_predictor(predictor_named("posted"), {});
  const Prediction prediction = predictor->predict(receive_of(message(1, 2, 3), 100));
  EXPECT_EQ(prediction.message, message(100, 2, 3));
  EXPECT_TRUE(prediction.is_complete());
}

TEST(Posted, SaysNothingOfWildcards) {
  const auto predictor = make_predictor(predictor_named("posted"), {});
  EXPECT_EQ(predictor->predict(from_any_source(message(1))).fields,
            FieldSet::all().erase(Field::source));
}

TEST(Posted, LearnsNothing) {
  const std::vector<Arrival> arrivals = arrivals_of({8, 8, buffer_bytes, 8});
  EXPECT_EQ(score_of("posted", Form::whole, arrivals).whole.right_count, 1);
}

}  // namespace
}  // namespace tasuki::predict
