#include "transport/shm/ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace tasuki::transport::shm {
namespace {

/// A ring in memory of this process.
class OwnRing {
 public:
  explicit OwnRing(std::size_t bytes, std::uint64_t first_line = 0)
      : data_(static_cast<std::byte*>(std::aligned_alloc(line_bytes, bytes))) {
    std::memset(data_, 0, bytes);
    memory = {data_, bytes, &consumed_, first_line};
    consumed_.position = memory.first_position();
  }
  ~OwnRing() { std::free(data_); }
  OwnRing(const OwnRing&) = delete;
  OwnRing& operator=(const OwnRing&) = delete;

  RingMemory memory;

 private:
  std::byte* data_;
  RingConsumed consumed_{};
};

/// Sizes that both ends draw from the same seed: mostly one line, sometimes up to the largest.
class Sizes {
 public:
  Sizes(std::uint64_t seed, std::size_t largest) : random_(seed), largest_(largest) {}
  std::size_t next() {
    const std::uint64_t drawn = random_();
    switch (drawn % 8) {
      case 0:
        return 1 + (drawn >> 8) % largest_;
      case 1:
        return largest_;
      case 2:
        return 56 + (drawn >> 8) % 16;
      default:
        return 1 + (drawn >> 8) % 56;
    }
  }

 private:
  std::mt19937_64 random_;
  std::size_t largest_;
};

/// Nonzero bytes, so that stale payload looks like a header if the protocol lets it.
std::byte content(std::uint64_t number, std::size_t index) {
  return static_cast<std::byte>(1 + (number * 31 + index * 7) % 255);
}

void fill(std::byte* room, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) room[i] = content(number, i);
}

bool holds(const std::byte* payload, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    if (payload[i] != content(number, i)) return false;
  }
  return true;
}

std::uint64_t seed_of_test() {
  const char* text = std::getenv("TASUKI_TEST_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 1;
}

TEST(Ring, IsEmptyAtFirst) {
  OwnRing ring(ring_min_bytes);
  RingReader reader(ring.memory);
  EXPECT_EQ(reader.peek().kind, RingKind::none);
  EXPECT_FALSE(reader.arrived());
}

TEST(Ring, HandsOverInPlace) {
  OwnRing ring(ring_min_bytes);
  RingWriter writer(ring.memory);
  RingReader reader(ring.memory);
  std::byte* const room = writer.acquire(40);
  ASSERT_NE(room, nullptr);
  EXPECT_FALSE(reader.arrived()) << "seen before it was published";
  fill(room, 1, 40);
  writer.commit({40, RingKind::message, 7});
  const RingHeader header = reader.peek();
  EXPECT_EQ(header.bytes, 40u);
  EXPECT_EQ(header.kind, RingKind::message);
  EXPECT_EQ(header.slot, 7);
  EXPECT_EQ(reader.payload(), room);
  EXPECT_TRUE(holds(reader.payload(), 1, 40));
  reader.release(40);
  EXPECT_EQ(reader.peek().kind, RingKind::none);
}

TEST(Ring, OneLineCarries56Bytes) {
  EXPECT_EQ(ring_lines_bytes(56), line_bytes);
  EXPECT_EQ(ring_lines_bytes(57), 2 * line_bytes);
  EXPECT_EQ(ring_lines_bytes(0), line_bytes);
}

TEST(Ring, RefusesWhenFullAndRecovers) {
  OwnRing ring(ring_min_bytes);
  RingWriter writer(ring.memory);
  RingReader reader(ring.memory);
  std::uint64_t sent = 0;
  while (writer.acquire(100) != nullptr) {
    writer.commit({100, RingKind::message, 0});
    ASSERT_LT(++sent, ring_min_bytes / line_bytes);
  }
  EXPECT_TRUE(writer.starved());
  EXPECT_FALSE(writer.reader_advanced());
  EXPECT_GT(sent * 2 * line_bytes, ring_min_bytes * 3 / 4);
  std::uint64_t received = 0;
  while (reader.peek().kind != RingKind::none) {
    reader.release(100);
    ++received;
  }
  EXPECT_EQ(received, sent);
  EXPECT_TRUE(writer.reader_advanced());
  ASSERT_NE(writer.acquire(ring.memory.payload_max_bytes()), nullptr);
  EXPECT_FALSE(writer.starved());
}

/// Whatever is left unreported by the reader and lost to a skip, an empty ring has room.
TEST(Ring, LargestMessageFitsAnEmptyRingAtEveryPosition) {
  OwnRing ring(ring_min_bytes);
  RingWriter writer(ring.memory);
  RingReader reader(ring.memory);
  const std::size_t largest = ring.memory.payload_max_bytes();
  for (std::size_t step = 0; step < 3 * ring_min_bytes / line_bytes; ++step) {
    for (const std::size_t bytes : {largest, std::size_t{1}}) {
      ASSERT_NE(writer.acquire(bytes), nullptr) << "step " << step;
      writer.commit({static_cast<std::uint32_t>(bytes), RingKind::message, 0});
      ASSERT_EQ(reader.peek().bytes, bytes);
      reader.release(bytes);
    }
  }
}

TEST(Ring, CancelledAndShortenedSlotsLeaveNoTrace) {
  OwnRing ring(ring_min_bytes);
  RingWriter writer(ring.memory);
  RingReader reader(ring.memory);
  Sizes sizes(seed_of_test(), ring.memory.payload_max_bytes());
  for (std::uint64_t number = 0; number < 20'000; ++number) {
    const std::size_t room_bytes = sizes.next();
    std::byte* room = writer.acquire(room_bytes);
    ASSERT_NE(room, nullptr);
    if (number % 3 == 0) {
      writer.cancel();
      ASSERT_EQ(reader.peek().kind, RingKind::none) << "seed " << seed_of_test();
      continue;
    }
    const std::size_t bytes = 1 + number % room_bytes;
    fill(room, number, bytes);
    writer.commit({static_cast<std::uint32_t>(bytes), RingKind::message, 0});
    ASSERT_EQ(reader.peek().bytes, bytes);
    ASSERT_TRUE(holds(reader.payload(), number, bytes));
    reader.release(bytes);
    ASSERT_EQ(reader.peek().kind, RingKind::none) << "seed " << seed_of_test();
  }
}

void stream(std::size_t ring_bytes, std::uint64_t seed, std::uint64_t message_count) {
  OwnRing ring(ring_bytes, seed);
  const std::size_t largest = ring.memory.payload_max_bytes();
  std::thread writing([&] {
    RingWriter writer(ring.memory);
    Sizes sizes(seed, largest);
    for (std::uint64_t number = 0; number < message_count; ++number) {
      const std::size_t bytes = sizes.next();
      const std::size_t room_bytes = std::min(largest, bytes + number % 3 * 100);
      std::byte* room = nullptr;
      while ((room = writer.acquire(room_bytes)) == nullptr) std::this_thread::yield();
      fill(room, number, bytes);
      writer.commit({static_cast<std::uint32_t>(bytes), RingKind::message,
                     static_cast<std::uint8_t>(number)});
    }
  });
  RingReader reader(ring.memory);
  Sizes sizes(seed, largest);
  for (std::uint64_t number = 0; number < message_count; ++number) {
    const std::size_t bytes = sizes.next();
    RingHeader header;
    while ((header = reader.peek()).kind == RingKind::none) std::this_thread::yield();
    if (header.bytes != bytes || header.slot != static_cast<std::uint8_t>(number) ||
        !holds(reader.payload(), number, bytes)) {
      ADD_FAILURE() << "message " << number << " of seed " << seed << ": " << header.bytes
                    << " bytes, expected " << bytes;
      std::abort();
    }
    reader.release(bytes);
  }
  writing.join();
  EXPECT_EQ(reader.peek().kind, RingKind::none);
}

TEST(Ring, StreamsBetweenThreads) {
  for (std::uint64_t seed = seed_of_test(); seed < seed_of_test() + 4; ++seed) {
    stream(ring_min_bytes, seed, 20'000);
    stream(64 * 1024, seed, 20'000);
  }
}

/// One message at a time, to and fro: the reader is always at the writer's heels.
TEST(Ring, AnswersBetweenThreads) {
  constexpr std::uint64_t rounds = 20'000;
  OwnRing there(ring_min_bytes);
  OwnRing back(ring_min_bytes);
  const auto exchange = [](RingMemory in, RingMemory out, bool begins) {
    RingReader reader(in);
    RingWriter writer(out);
    for (std::uint64_t number = 0; number < 2 * rounds; ++number) {
      if ((number % 2 == 0) == begins) {
        std::byte* room = writer.acquire(8);
        if (room == nullptr) std::abort();
        std::memcpy(room, &number, sizeof number);
        writer.commit({8, RingKind::message, 0});
      } else {
        while (reader.peek().kind == RingKind::none) std::this_thread::yield();
        if (std::memcmp(reader.payload(), &number, sizeof number) != 0) std::abort();
        reader.release(8);
      }
    }
  };
  std::thread other([&] { exchange(there.memory, back.memory, false); });
  exchange(back.memory, there.memory, true);
  other.join();
}

}  // namespace
}  // namespace tasuki::transport::shm
