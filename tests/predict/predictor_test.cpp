#include <gtest/gtest.h>
#include <tasuki/detail/predict/predictor.hpp>

#include "predict/arrivals.hpp"

namespace tasuki::predict {
namespace {

Prediction with_arguments(Prediction prediction, const Receive& receive) {
  put_arguments(prediction, receive);
  return prediction;
}

TEST(PutArguments, TakesWhatTheReceiveFixes) {
  const Prediction guess{message(100, 3, 4), FieldSet::all(), 5};
  const Prediction filled = with_arguments(guess, receive_of(message(0, 1, 7)));
  EXPECT_EQ(filled.message, message(100, 1, 7));
  EXPECT_EQ(filled.confidence, 5);
}

TEST(PutArguments, LeavesWildcardsToThePrediction) {
  const Prediction guess{message(100, 3, 4), FieldSet::all(), 5};
  EXPECT_EQ(with_arguments(guess, from_any_source(message(0, 1, 7))).message, message(100, 3, 7));
  EXPECT_EQ(with_arguments(guess, Receive{}).message, guess.message);
}

TEST(PutArguments, MakesNoMessageLongerThanTheBuffer) {
  const Prediction guess{message(5000), FieldSet::all(), 5};
  EXPECT_EQ(with_arguments(guess, receive_of(message(0))).message, message(buffer_bytes));
}

TEST(PutArguments, FixedFieldsAreAllThatIsKnownWithoutAGuess) {
  const Prediction nothing = with_arguments({}, receive_of(message(0, 1, 7)));
  EXPECT_EQ(nothing.fields, FieldSet::all().erase(Field::message_bytes));
  EXPECT_FALSE(nothing.is_complete());
}

TEST(PutArguments, AnEmptyBufferFixesTheSize) {
  const Prediction known = with_arguments({}, receive_of(message(0), 0));
  EXPECT_TRUE(known.is_complete());
  EXPECT_EQ(known.message, message(0));
}

}  // namespace
}  // namespace tasuki::predict
