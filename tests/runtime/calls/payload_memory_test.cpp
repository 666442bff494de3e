#include "runtime/calls/payload_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace tasuki::test {
namespace {

using runtime::Payload;
using runtime::PayloadMemory;

constexpr std::size_t long_bytes = std::size_t{1} << 20;

TEST(PayloadMemory, ServesTheNextPayloadThatFits) {
  PayloadMemory memory;
  Payload first = memory.take(long_bytes);
  const std::byte* const place = first.memory.get();
  memory.give_back(std::move(first));
  const Payload second = memory.take(long_bytes / 2);
  EXPECT_EQ(second.memory.get(), place);
  EXPECT_EQ(second.bytes, long_bytes / 2);
  EXPECT_EQ(second.memory_bytes, long_bytes);
}

TEST(PayloadMemory, ServesOnePayloadAtATime) {
  PayloadMemory memory;
  memory.give_back(memory.take(long_bytes));
  const Payload first = memory.take(long_bytes);
  const Payload second = memory.take(long_bytes);
  EXPECT_NE(first.memory.get(), second.memory.get());
}

TEST(PayloadMemory, DoesNotServeLongerPayloads) {
  PayloadMemory memory;
  memory.give_back(memory.take(long_bytes));
  EXPECT_GE(memory.take(long_bytes + 1).memory_bytes, long_bytes + 1);
}

TEST(PayloadMemory, ShrinksWithThePayloads) {
  PayloadMemory memory;
  memory.give_back(memory.take(64 * long_bytes));
  memory.give_back(memory.take(long_bytes));
  EXPECT_EQ(memory.take(long_bytes).memory_bytes, long_bytes);
  EXPECT_EQ(memory.take(64 * long_bytes).memory_bytes, 64 * long_bytes);
}

TEST(PayloadMemory, KeepsNeitherShortNorVeryLongOnes) {
  PayloadMemory memory;
  memory.give_back(memory.take(PayloadMemory::kept_most_bytes + 1));
  EXPECT_EQ(memory.take(PayloadMemory::kept_most_bytes).memory_bytes,
            PayloadMemory::kept_most_bytes);
  memory.give_back(memory.take(PayloadMemory::kept_least_bytes - 1));
  EXPECT_EQ(memory.take(1000).memory_bytes, 1000u);
}

TEST(PayloadMemory, APayloadHoldsACopyOfAValue) {
  const std::uint64_t number = 0x0123456789abcdef;
  const Payload payload = Payload::of(number);
  ASSERT_EQ(payload.bytes, sizeof number);
  EXPECT_EQ(std::memcmp(payload.memory.get(), &number, sizeof number), 0);
}

}  // namespace
}  // namespace tasuki::test
