#include "rpc/server/ring_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <tasuki/error.hpp>
#include <thread>
#include <vector>

namespace tasuki::rpc {
namespace {

constexpr std::size_t ring_bytes = 160;

/// Numbers of so many bytes each; the array has `bytes` of them in all.
struct Array {
  std::size_t number_bytes;
  std::vector<std::byte> bytes;
};

std::vector<Array> arrays_of(unsigned seed) {
  constexpr std::array<std::size_t, 5> sizes = {1, 2, 4, 8, 16};
  std::mt19937 engine(seed);
  std::vector<Array> arrays(1 + engine() % 6);
  for (Array& one : arrays) {
    one.number_bytes = sizes[engine() % sizes.size()];
    one.bytes.resize(engine() % 100 * one.number_bytes);
    for (std::byte& value : one.bytes) value = static_cast<std::byte>(engine());
  }
  return arrays;
}

void fill(RingBuffer& ring, const std::vector<Array>& arrays, unsigned seed) {
  std::mt19937 engine(seed);
  for (const Array& one : arrays) {
    ring.begin_filling_array();
    std::size_t done = 0;
    while (done < one.bytes.size()) {
      const auto room = ring.room(one.number_bytes);
      ASSERT_GT(room.size(), 0U);
      const std::size_t most = std::min(room.size(), one.bytes.size() - done) / one.number_bytes;
      const std::size_t part = (1 + engine() % most) * one.number_bytes;
      std::memcpy(room.data(), one.bytes.data() + done, part);
      ring.fill(part);
      done += part;
    }
  }
  ring.end_filling();
}

void drain(RingBuffer& ring, const std::vector<Array>& arrays, unsigned seed) {
  std::mt19937 engine(seed);
  for (const Array& one : arrays) {
    ring.begin_draining_array();
    std::vector<std::byte> got;
    while (got.size() < one.bytes.size()) {
      const auto content = ring.content(one.number_bytes);
      ASSERT_GT(content.size(), 0U);
      const std::size_t most =
          std::min(content.size(), one.bytes.size() - got.size()) / one.number_bytes;
      const std::size_t part = (1 + engine() % most) * one.number_bytes;
      got.insert(got.end(), content.begin(), content.begin() + static_cast<std::ptrdiff_t>(part));
      ring.drain(part);
    }
    EXPECT_EQ(got, one.bytes);
  }
}

TEST(RingBufferTest, NumbersComeOutAsTheyWentInWhateverTheParts) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const std::vector<Array> arrays = arrays_of(seed);
    RingBuffer ring(ring_bytes, ring_bytes / 5 * 4);
    const std::jthread filling([&] { fill(ring, arrays, seed + 1); });
    drain(ring, arrays, seed + 2);
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
}

TEST(RingBufferTest, DrainingBeginsWhenEnoughIsThere) {
  RingBuffer ring(ring_bytes, 128);
  ring.fill(120);
  bool has_begun = false;
  std::jthread draining([&] {
    EXPECT_EQ(ring.content(8).size(), 128U);
    has_begun = true;
  });
  EXPECT_FALSE(has_begun);  // Else the thread has found 120 bytes, and fails.
  ring.fill(8);
}

TEST(RingBufferTest, WhoGivesUpEndsTheOthersWait) {
  RingBuffer ring(ring_bytes, 128);
  std::jthread draining([&] { EXPECT_THROW(ring.content(8), error); });
  ring.give_up();
  EXPECT_THROW(ring.room(8), error);
}

}  // namespace
}  // namespace tasuki::rpc
