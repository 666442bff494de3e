#include <gtest/gtest.h>
#include <tasuki/detail/predict/message.hpp>

namespace tasuki::predict {
namespace {

TEST(FieldSet, HoldsWhatWasInserted) {
  FieldSet set;
  EXPECT_TRUE(set.is_empty());
  set.insert(Field::tag).insert(Field::kind).erase(Field::kind);
  EXPECT_TRUE(set.contains(Field::tag));
  EXPECT_FALSE(set.contains(Field::kind));
  EXPECT_FALSE(set.contains(Field::source));
  EXPECT_TRUE(FieldSet::all().contains(set));
  EXPECT_FALSE(set.contains(FieldSet::all()));
  EXPECT_EQ(FieldSet::all().without(set).with(set), FieldSet::all());
}

TEST(Message, FieldsAreSetAndRead) {
  Message message;
  std::int64_t value = 10;
  for (const Field field : all_fields) set_value(message, field, value++);
  EXPECT_EQ(
      message,
      (Message{.source = 10, .tag = 11, .communicator = 13, .kind = 14, .message_bytes = 12}));
  value = 10;
  for (const Field field : all_fields) EXPECT_EQ(value_of(message, field), value++);
}

TEST(Message, OnlyTheWrongFieldsDiffer) {
  const Message predicted{.source = 1, .tag = 2, .communicator = 3, .kind = 4, .message_bytes = 8};
  EXPECT_TRUE(differing(predicted, predicted).is_empty());
  FieldSet all;
  for (const Field field : all_fields) {
    Message actual = predicted;
    set_value(actual, field, 99);
    EXPECT_EQ(differing(predicted, actual), FieldSet().insert(field)) << name_of(field);
    all.insert(field);
  }
  EXPECT_EQ(differing(predicted,
                      {.source = 9, .tag = 9, .communicator = 9, .kind = 9, .message_bytes = 9}),
            all);
}

}  // namespace
}  // namespace tasuki::predict
