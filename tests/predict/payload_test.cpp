#include <gtest/gtest.h>
#include <tasuki/detail/predict/payload.hpp>

#include <cstdint>
#include <cstring>

namespace tasuki::predict {
namespace {

struct Argument {
  std::int32_t row = 0;
  std::int32_t column = 0;
  double scale = 0;
  std::int16_t kind = 0;
  std::int16_t unused[3] = {};
};

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

template <class T>
T guess_of(const PayloadPredictor& predictor) {
  T value;
  std::memcpy(&value, predictor.guess().data(), sizeof value);
  return value;
}

TEST(PayloadPredictor, NeedsTwoPayloads) {
  PayloadPredictor predictor(sizeof(int));
  EXPECT_FALSE(predictor.has_guess());
  predictor.observe(bytes_of(1));
  EXPECT_FALSE(predictor.has_guess());
  predictor.observe(bytes_of(2));
  EXPECT_TRUE(predictor.has_guess());
}

TEST(PayloadPredictor, EachNumberOfThePayloadGoesOnInItsOwnSteps) {
  PayloadPredictor predictor(sizeof(Argument));
  for (int step = 0; step < 100; ++step) {
    const Argument argument{100 + 3 * step, 900 - 2 * step, 0.25, 7};
    if (predictor.has_guess()) {
      const auto guess = guess_of<Argument>(predictor);
      EXPECT_EQ(guess.row, argument.row);
      EXPECT_EQ(guess.column, argument.column);
      EXPECT_EQ(guess.scale, argument.scale);
      EXPECT_EQ(guess.kind, argument.kind);
    }
    predictor.observe(bytes_of(argument));
  }
}

TEST(PayloadPredictor, NumbersPassTheEndsOfTheirTypes) {
  PayloadPredictor predictor(sizeof(std::uint64_t));
  predictor.observe(bytes_of(UINT64_MAX - 1));
  predictor.observe(bytes_of(UINT64_MAX));
  EXPECT_EQ(guess_of<std::uint64_t>(predictor), 0u);
}

TEST(PayloadPredictor, BytesAfterTheLastWordCountToo) {
  struct Odd {
    std::uint8_t numbers[11];
  };
  PayloadPredictor predictor(sizeof(Odd));
  predictor.observe(bytes_of(Odd{{1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 30}}));
  predictor.observe(bytes_of(Odd{{1, 2, 3, 4, 5, 6, 7, 9, 11, 22, 33}}));
  const auto guess = guess_of<Odd>(predictor);
  EXPECT_EQ(guess.numbers[7], 10);
  EXPECT_EQ(guess.numbers[8], 12);
  EXPECT_EQ(guess.numbers[9], 24);
  EXPECT_EQ(guess.numbers[10], 36);
}

TEST(PayloadPredictor, AfterAJumpItGoesOnFromThere) {
  PayloadPredictor predictor(sizeof(std::int64_t));
  for (const std::int64_t value : {5, 6, 7, 1000}) predictor.observe(bytes_of(value));
  predictor.observe(bytes_of(std::int64_t{1001}));
  EXPECT_EQ(guess_of<std::int64_t>(predictor), 1002);
}

}  // namespace
}  // namespace tasuki::predict
