#include "mpi/ahead/predictions.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <tasuki/detail/predict/registry.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "fresh_memory.hpp"

namespace tasuki::mpi::ahead {
namespace {

using predict::Field;
using predict::Message;
using predict::Receive;
using Json = nlohmann::json;

/// Each reading is 10 ns later.
std::int64_t counting_clock() noexcept {
  static std::int64_t now_ns = 0;
  return now_ns += 10;
}

/// Predicts the same message, whatever comes.
class Told final : public predict::Predictor {
 public:
  explicit Told(const Message& message) : message_(message) {}
  predict::Prediction predict(const Receive& receive) const noexcept override {
    predict::Prediction prediction{.message = message_, .fields = predict::FieldSet::all()};
    predict::put_arguments(prediction, receive);
    return prediction;
  }
  void observe(const predict::Arrival&) noexcept override {}

 private:
  Message message_;
};

constexpr Message usual{.source = 1, .tag = 2, .message_bytes = 100};

/// A receive of up to `room_bytes` from anybody.
Receive wildcard(std::int64_t room_bytes) {
  Receive receive;
  receive.arguments.message_bytes = room_bytes;
  receive.given.insert(Field::message_bytes).insert(Field::communicator).insert(Field::kind);
  return receive;
}

Predictions told(const Message& message, bool is_guarded, Report& report) {
  return {std::make_unique<Told>(message), is_guarded, report, counting_clock};
}

Json written(const Report& report) {
  return Json::parse(report.line(0, 1, predict::Mode::always, 0));
}

/// A call that waits for one message, which comes after all steps.
void receive_one(Predictions& predictions, const Receive& receive, const Message& message,
                 const void* buffer = nullptr) {
  predictions.begin();
  predictions.expect(receive, buffer);
  while (predictions.step()) {
  }
  predictions.arrived(0, message);
}

TEST(Predictions, ARightOneIsCommitted) {
  Report report;
  Predictions predictions = told(usual, false, report);
  receive_one(predictions, wildcard(1000), usual);
  const Json counts = written(report);
  EXPECT_EQ(counts["idle"], 1);
  EXPECT_EQ(counts["predicted"], 1);
  EXPECT_EQ(counts["hit"], 1);
  EXPECT_EQ(counts["committed"], 3);
}

TEST(Predictions, OnlyWrongFieldsAreDoneAgain) {
  Report report;
  Predictions predictions = told(usual, false, report);
  Message other = usual;
  other.message_bytes = 50;
  receive_one(predictions, wildcard(1000), other);
  const Json counts = written(report);
  EXPECT_EQ(counts["miss"], 1);
  EXPECT_EQ(counts["redone"], Json::parse(R"({"source": 0, "tag": 0, "bytes": 1})"));
  EXPECT_EQ(counts["committed"], 2);
}

TEST(Predictions, AMessageThatIsThereIsNotPredicted) {
  Report report;
  Predictions predictions = told(usual, false, report);
  predictions.begin();
  predictions.expect(wildcard(1000), nullptr);
  predictions.arrived(0, usual);
  EXPECT_EQ(written(report)["idle"], 0);
  EXPECT_EQ(written(report)["predicted"], 0);
}

TEST(Predictions, OfSeveralThoseCountThatHaveCome) {
  Report report;
  Predictions predictions = told(usual, false, report);
  predictions.begin();
  predictions.expect(wildcard(1000), nullptr);
  predictions.expect(wildcard(1000), nullptr);
  EXPECT_TRUE(predictions.step());
  EXPECT_TRUE(predictions.step());
  EXPECT_FALSE(predictions.step());
  predictions.arrived(1, usual);
  EXPECT_EQ(written(report)["idle"], 1);
  EXPECT_EQ(written(report)["predicted"], 1);
}

TEST(Predictions, AnIncompleteOneIsNone) {
  Report report;
  const auto& descriptor = predict::predictor_named("last_value");
  Predictions predictions(predict::make_predictor(descriptor, {}), false, report, counting_clock);
  receive_one(predictions, wildcard(1000), usual);  // Nothing came before.
  EXPECT_EQ(written(report)["predicted"], 0);
  receive_one(predictions, wildcard(1000), usual);
  EXPECT_EQ(written(report)["hit"], 1);
}

TEST(Predictions, GuardedOnesEndWhereTheyAreAlwaysWrong) {
  constexpr int messages_count = 100'000;
  Report report;
  Predictions predictions = told(usual, true, report);
  Message message = usual;
  std::int64_t steps_count = 0;
  for (int i = 0; i < messages_count; ++i) {
    message.message_bytes = 200 + i % 7;
    predictions.begin();
    predictions.expect(wildcard(1000), nullptr);
    while (predictions.step()) ++steps_count;
    predictions.arrived(0, message);
  }
  EXPECT_EQ(written(report)["idle"], messages_count);
  EXPECT_EQ(written(report)["hit"], 0);
  // The guard closes at once, and tries again after 64, 128, ... 8192 messages: a trial is a step.
  EXPECT_GE(steps_count, 2);
  EXPECT_LE(steps_count, 10 + messages_count / predict::Guard::longest_pause_count + 1);
}

TEST(Predictions, GuardedOnesEndWhereTheyGainNothing) {
  constexpr int messages_count = 10'000;
  Report report;
  Predictions predictions = told(usual, true, report);
  for (int i = 0; i < messages_count; ++i) receive_one(predictions, wildcard(1000), usual);
  EXPECT_LE(written(report)["predicted"], 20) << "a header alone is no work";
}

TEST(Predictions, PagesOfALargeBufferAreTouchedAsLongAsThatGains) {
  constexpr auto bytes = static_cast<std::size_t>(Pages::least_bytes) * 2;
  Report report;
  Message large = usual;
  large.message_bytes = bytes;
  Predictions predictions = told(large, true, report);
  constexpr int fresh_count = 50;
  for (int i = 0; i < fresh_count; ++i) {
    const FreshMemory memory(bytes);
    receive_one(predictions, wildcard(bytes), large, memory.begin());
    EXPECT_TRUE(memory.is_there(bytes / 2)) << i;
  }
  EXPECT_EQ(written(report)["predicted"], fresh_count);
  // A buffer that is used again has nothing to touch.
  const FreshMemory used(bytes);
  constexpr int used_count = 10'000;
  for (int i = 0; i < used_count; ++i) {
    receive_one(predictions, wildcard(bytes), large, used.begin());
  }
  EXPECT_LE(written(report)["predicted"], fresh_count + 200);
}

}  // namespace
}  // namespace tasuki::mpi::ahead
