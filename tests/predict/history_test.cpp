#include "predict/history.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "predict/arrivals.hpp"
#include "predict/streams.hpp"

namespace tasuki::predict {
namespace {

/// The definition, with dictionaries in place of hashes, and without any limit.
class Definition {
 public:
  std::optional<std::int64_t> guess() const {
    for (const std::size_t order : {4, 2, 1}) {
      const auto found = followers_.find(newest_values(order));
      if (found != followers_.end() && has_begun_) return found->second;
    }
    if (!has_begun_) return std::nullopt;
    return past_.back();
  }

  void learn(std::int64_t value) {
    for (const std::size_t order : {4, 2, 1}) {
      const auto [follower, is_new] = followers_.try_emplace(newest_values(order), value);
      const bool was_right = !is_new && follower->second == value;
      follower->second = value;
      if (was_right) break;
    }
    past_.push_back(value);
    has_begun_ = true;
  }

 private:
  std::vector<std::int64_t> newest_values(std::size_t order) const {
    return {past_.end() - static_cast<std::ptrdiff_t>(order), past_.end()};
  }

  std::vector<std::int64_t> past_ = {-1, -1, -1, -1};  // No stream has these values.
  std::map<std::vector<std::int64_t>, std::int64_t> followers_;
  bool has_begun_ = false;
};

TEST(History, AgreesWithItsDefinition) {
  constexpr int values_count = 1000;
  int others_count = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 engine(seed);
    const unsigned kinds = 2 + engine() % 6;
    History<std::int64_t> history({2, 1024});
    Definition definitions[2];
    for (int i = 0; i < values_count; ++i) {
      const std::size_t stream = engine() % 2;
      const auto guess = history.guess(stream);
      const std::optional<std::int64_t> expected = definitions[stream].guess();
      ASSERT_EQ(guess.value != nullptr, expected.has_value());
      if (expected && *guess.value != *expected) ++others_count;
      // Most are random, some as was predicted.
      const bool is_right = expected.has_value() && engine() % 4 == 0;
      const std::int64_t value = is_right ? *expected : engine() % kinds;
      definitions[stream].learn(value);
      history.learn(stream, value, i);
    }
  }
  // Where two contexts have the same place in the table, the older one is gone.
  EXPECT_LT(others_count, 20 * values_count / 50);
}

TEST(History, KnowsAPeriodOnceItHasSeenIt) {
  for (const std::size_t period : {1U, 2U, 5U, 138U, 500U}) {
    const auto arrivals = bench::periodic_stream(4 * period + 1000, period, 3);
    for (const Form form : {Form::whole, Form::channel}) {
      const Score score = score_of("history", form, arrivals, 2 * period + 8);
      // Four of the eight sizes in succession may stand in the period twice.
      const auto least = static_cast<double>(score.messages_count) * 0.75;
      EXPECT_GE(static_cast<double>(score.whole.right_count), least) << period;
    }
  }
}

TEST(History, ValuesThatAreGoneFromTheHistoryAreNotPredicted) {
  History<std::int64_t> history({1, 8});
  for (const std::int64_t value : {1, 2, 3, 4, 5}) history.learn(0, value, 0);
  for (std::int64_t value = 10; value < 20; ++value) history.learn(0, value, 0);
  for (const std::int64_t value : {1, 2, 3, 4}) history.learn(0, value, 0);
  EXPECT_EQ(*history.guess(0).value, 4);  // Not 5: only the last value is left.
}

TEST(History, ConfidenceIsThatOfTheContext) {
  History<std::int64_t> history({1, 1024});
  for (int round = 0; round < 4; ++round) {
    for (const std::int64_t value : {1, 2, 3, 4, 5}) history.learn(0, value, 0);
    history.learn(0, 100 + round, 0);
  }
  for (const std::int64_t value : {1, 2, 3, 4}) history.learn(0, value, 0);
  EXPECT_EQ(*history.guess(0).value, 5);
  EXPECT_EQ(history.guess(0).confidence, 3);
  history.learn(0, 5, 0);
  EXPECT_EQ(*history.guess(0).value, 103);
  EXPECT_EQ(history.guess(0).confidence, 0);
}

TEST(History, InterleavedChannelsDoNotDisturbEachOther) {
  const auto arrivals = bench::interleaved_stream(4000, 1);
  EXPECT_EQ(score_of("history", Form::channel, arrivals, 100).whole.right_count, 3900);
  EXPECT_LT(score_of("history", Form::whole, arrivals, 100).whole.right_count, 3000);
}

TEST(History, AForgottenStreamBeginsAnew) {
  History<std::int64_t> history({2, 64});
  for (int i = 0; i < 20; ++i) {
    history.learn(0, i % 3, 0);
    history.learn(1, i % 3, 0);
  }
  history.forget(0);
  EXPECT_EQ(history.guess(0).value, nullptr);
  EXPECT_EQ(*history.guess(1).value, 2);
}

}  // namespace
}  // namespace tasuki::predict
