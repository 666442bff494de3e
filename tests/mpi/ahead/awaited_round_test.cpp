#include "mpi/ahead/awaited_round.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <tasuki/detail/predict/registry.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace tasuki::mpi::ahead {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t communicator = 7;

/// Expects the message before, and keeps what it is told.
class Kept final : public predict::Predictor {
 public:
  explicit Kept(std::vector<predict::Message>& seen) : seen_(seen) {}
  predict::Prediction predict(const predict::Receive&) const noexcept override {
    if (seen_.empty()) return {};
    return {.message = seen_.back(), .fields = predict::FieldSet::all()};
  }
  void observe(const predict::Arrival& arrival) noexcept override {
    seen_.push_back(arrival.message);
  }

 private:
  std::vector<predict::Message>& seen_;
};

class AwaitedRoundTest : public ::testing::Test {
 protected:
  std::span<const std::byte> room(std::size_t bytes) const {
    return std::span(memory_).first(bytes);
  }
  Json counts() const { return Json::parse(report_.line(0, 1, predict::Mode::always, 0)); }
  void make_all_steps() {
    while (round_.step()) {
    }
  }

  std::array<std::byte, 100> memory_{};
  Report report_;
  std::vector<predict::Message> seen_;
  Predictions predictions_{std::make_unique<Kept>(seen_), false, report_};
  AwaitedRound round_{predictions_, communicator};
};

TEST_F(AwaitedRoundTest, TellsWhatHasCome) {
  EXPECT_EQ(round_.expect(3, room(40)), 0U);
  EXPECT_EQ(round_.expect(1, room(8)), 1U);
  round_.arrived(1);
  round_.arrived(0);
  const predict::Message first{.source = 1,
                               .communicator = communicator,
                               .kind = predict::kind_in_collective,
                               .message_bytes = 8};
  ASSERT_EQ(seen_.size(), 2U);
  EXPECT_EQ(seen_[0], first);
  EXPECT_EQ(seen_[1].source, 3);
  EXPECT_EQ(seen_[1].message_bytes, 40);
  EXPECT_EQ(counts()["idle"], 0) << "no poll has found that a message is missing";
}

TEST_F(AwaitedRoundTest, CountsPredictionsAsThoseOfTheProgram) {
  round_.expect(3, room(40));
  make_all_steps();
  round_.arrived(0);
  EXPECT_EQ(counts()["idle"], 1);
  EXPECT_EQ(counts()["predicted"], 0) << "nothing was known before";
  round_.expect(3, room(40));
  make_all_steps();
  round_.arrived(0);
  EXPECT_EQ(counts()["hit"], 1);
  round_.expect(3, room(16));
  make_all_steps();
  round_.arrived(0);
  EXPECT_EQ(counts()["idle"], 3);
  EXPECT_EQ(counts()["miss"], 1);
  EXPECT_EQ(counts()["redone"]["bytes"], 1);
}

TEST_F(AwaitedRoundTest, ARoundBeginsWhenAllOfTheOneBeforeHaveCome) {
  EXPECT_FALSE(round_.step()) << "nothing is awaited";
  round_.expect(0, room(4));
  round_.expect(1, room(4));
  round_.arrived(0);
  EXPECT_EQ(round_.expect(2, room(4)), 2U);
  round_.arrived(1);
  round_.arrived(2);
  EXPECT_FALSE(round_.step());
  EXPECT_EQ(round_.expect(0, room(4)), 0U);
}

}  // namespace
}  // namespace tasuki::mpi::ahead
