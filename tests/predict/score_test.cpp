#include <gtest/gtest.h>
#include <tasuki/detail/predict/score.hpp>

#include "predict/arrivals.hpp"

namespace tasuki::predict {
namespace {

const Successes& of_field(const Score& score, Field field) {
  return score.fields[static_cast<std::size_t>(field)];
}

TEST(Score, CountsWholeMessagesAndFields) {
  Score score;
  const Arrival arrival{from_any_source(message(100, 3)), message(100, 3), 0};
  score.count({message(100, 3), FieldSet::all()}, arrival);
  score.count({message(100, 2), FieldSet::all()}, arrival);
  EXPECT_EQ(score.messages_count, 2);
  EXPECT_EQ(score.whole.predictions_count, 2);
  EXPECT_EQ(score.whole.right_count, 1);
  EXPECT_EQ(of_field(score, Field::source).right_count, 1);
  EXPECT_EQ(of_field(score, Field::message_bytes).right_count, 2);
  EXPECT_EQ(score.free.right_count, 1);
}

TEST(Score, FieldsThatAreNotPredictedDoNotCount) {
  Score score;
  const Arrival arrival{Receive{}, message(100, 3), 0};
  score.count({message(100, 3), FieldSet::all().erase(Field::tag)}, arrival);
  EXPECT_EQ(score.whole.predictions_count, 0);
  EXPECT_EQ(of_field(score, Field::tag).predictions_count, 0);
  EXPECT_EQ(of_field(score, Field::source).predictions_count, 1);
  EXPECT_EQ(score.free.predictions_count, 0);
  EXPECT_EQ(score.free_messages_count, 1);
}

TEST(Score, WhatTheArgumentsFixIsNotFree) {
  Score score;
  const Arrival arrival{receive_of(message(100)), message(100), 0};
  score.count({message(100, 9), FieldSet::all()}, arrival);
  EXPECT_EQ(score.whole.right_count, 0);
  EXPECT_EQ(score.free.right_count, 1);
}

TEST(Score, MessagesWithoutFreeFieldsDoNotCountThere) {
  Score score;
  score.count({message(0), FieldSet::all()}, {receive_of(message(0), 0), message(0), 0});
  EXPECT_EQ(score.whole.right_count, 1);
  EXPECT_EQ(score.free_messages_count, 0);
  EXPECT_EQ(score.free.predictions_count, 0);
}

}  // namespace
}  // namespace tasuki::predict
