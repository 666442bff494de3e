#include "rpc/wire/byte_order.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace tasuki::rpc {
namespace {

std::vector<std::byte> counted(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i % 251);
  return bytes;
}

TEST(ByteOrderTest, EachWordIsReversedByItself) {
  for (const Number number : {Number::int8, Number::uint16, Number::float32, Number::int64,
                              Number::complex64, Number::complex128}) {
    const std::size_t word_bytes = word_bytes_of(number);
    std::vector<std::byte> expected = counted(6 * bytes_of(number));
    std::vector<std::byte> numbers = expected;
    for (std::size_t i = 0; i < expected.size(); i += word_bytes) {
      const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(i);
      std::reverse(begin, begin + static_cast<std::ptrdiff_t>(word_bytes));
    }
    swap_byte_order(number, numbers);
    EXPECT_EQ(numbers, expected) << name_of(number);
  }
}

TEST(ByteOrderTest, PiecesTogetherAreTheSwappedNumbersAndTheirOriginalsStay) {
  const std::vector<std::byte> numbers = counted(2 * run_buffer_bytes + 48);
  std::vector<std::byte> expected = numbers;
  swap_byte_order(Number::complex128, expected);
  std::vector<std::byte> joined;
  ByteSwapper swapper;
  swapper.each_piece(Number::complex128, numbers, [&](std::span<const std::byte> piece) {
    EXPECT_LE(piece.size(), run_buffer_bytes);
    joined.insert(joined.end(), piece.begin(), piece.end());
  });
  EXPECT_EQ(joined, expected);
  EXPECT_EQ(numbers, counted(numbers.size()));
}

}  // namespace
}  // namespace tasuki::rpc
