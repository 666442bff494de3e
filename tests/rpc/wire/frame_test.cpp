#include "rpc/wire/frame.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <future>
#include <random>
#include <tasuki/error.hpp>
#include <thread>
#include <vector>

#include "rpc/wire/happened.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

TEST(FrameTest, AMessageComesBack) {
  const json message = {
      {"message", "call"}, {"scalars", {{"n", 3}, {"x", 1.5}}}, {"list", {1, -2}}};
  const Bytes frame = encode_frame(message);
  FrameHead head{};
  std::copy_n(frame.begin(), head.size(), head.begin());
  EXPECT_EQ(body_bytes(head), frame.size() - head.size());
  EXPECT_EQ(decode_body(std::span(frame).subspan(head.size())), message);
}

TEST(FrameTest, ALengthBeyondTheLimitIsRefused) {
  EXPECT_EQ(body_bytes({1, 0, 0, 0}), frame_most_bytes);
  EXPECT_THROW(body_bytes({1, 0, 0, 1}), error);
  EXPECT_THROW(body_bytes({0, 0, 0, 0}), error);
  EXPECT_THROW(body_bytes({'H', 'T', 'T', 'P'}), error);
  EXPECT_THROW(encode_frame({{"text", std::string(frame_most_bytes, 'x')}}), error);
}

TEST(FrameTest, WhatIsNoObjectIsRefused) {
  EXPECT_THROW(decode_body(Bytes{}), error);
  EXPECT_THROW(decode_body(Bytes{0x01}), error);
  EXPECT_THROW(decode_body(Bytes{0x90}), error);
  EXPECT_THROW(decode_body(Bytes{0xc1}), error);
}

TEST(FrameTest, AnArrayThatClaimsMoreThanThereIsIsRefused) {
  EXPECT_THROW(decode_body(Bytes{0x81, 0xa1, 'a', 0xdd, 0xff, 0xff, 0xff, 0xff}), error);
}

TEST(FrameTest, DeepNestingIsRefused) {
  Bytes body = {0x81, 0xa1, 'a'};
  body.insert(body.end(), 1'000'000, 0x91);
  EXPECT_THROW(decode_body(body), error);
}

TEST(FrameTest, AMessageHasSoManyValuesAndNoMore) {
  Bytes body = {0x81, 0xa1, 'a', 0xdd, 0, 0, 0, 0};
  // The object and the list are values, too.
  for (const std::size_t count : {frame_values_most - 2, frame_values_most - 1}) {
    for (std::size_t i = 0; i < 4; ++i)
      body[4 + i] = static_cast<std::uint8_t>(count >> (24 - 8 * i));
    body.resize(8);
    body.insert(body.end(), count, 0x80);  // Empty objects.
    if (count < frame_values_most - 1) {
      EXPECT_EQ(decode_body(body)["a"].size(), count);
    } else {
      EXPECT_THROW(decode_body(body), error);
    }
  }
}

TEST(FrameTest, AHeadThatClaimsMuchCostsNoMemory) {
  auto [near, far] = connected();
  near.send(Bytes{1, 0, 0, 0}.data(), frame_head_bytes);
  const auto before = ::mallinfo2();
  auto receiving = std::async(std::launch::async,
                              [&far = far] { return happened_in([&] { receive_body(far); }); });
  while (far.moved_bytes() < static_cast<std::int64_t>(frame_head_bytes) || !far.is_waiting()) {
    std::this_thread::yield();
  }
  const auto after = ::mallinfo2();
  near.shut_down();
  EXPECT_NE(receiving.get(), "");
  const auto bytes_of = [](const auto& info) {
    return static_cast<std::int64_t>(info.hblkhd + info.uordblks);
  };
  EXPECT_LT(bytes_of(after) - bytes_of(before), static_cast<std::int64_t>(frame_most_bytes) / 2);
}

TEST(FrameTest, ALongMessageComesBack) {
  auto [near, far] = connected();
  const json message = {{"text", std::string(frame_most_bytes / 3, 'x')}};
  auto sending = std::async(std::launch::async, [&, &near = near] { send_frame(near, message); });
  EXPECT_EQ(receive_frame(far), message);
  sending.get();
}

TEST(FrameTest, EveryTruncationAndMostDamageIsNoticedOrGivesAnObject) {
  const Bytes frame = encode_frame({{"message", "call"}, {"scalars", {{"n", 3}}}});
  const std::span<const std::uint8_t> body = std::span(frame).subspan(frame_head_bytes);
  for (std::size_t bytes = 0; bytes < body.size(); ++bytes) {
    EXPECT_THROW(decode_body(body.first(bytes)), error) << bytes;
  }
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    Bytes damaged(body.begin(), body.end());
    damaged[random() % damaged.size()] = static_cast<std::uint8_t>(random());
    try {
      EXPECT_TRUE(decode_body(damaged).is_object());
    } catch (const error&) {
      continue;
    }
  }
}

TEST(FrameTest, AFieldThatIsMissingOrOfAnotherTypeIsNamed) {
  const json message = {{"port", "many"}};
  for (const char* name : {"port", "host"}) {
    try {
      field_of<int>(message, name);
      FAIL() << name;
    } catch (const error& fault) {
      EXPECT_NE(fault.happened().find(name), std::string::npos) << fault.happened();
    }
  }
}

}  // namespace
}  // namespace tasuki::rpc
