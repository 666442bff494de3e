#include "rpc/wire/frame.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <tasuki/error.hpp>
#include <vector>

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
