#include "rpc/server/staged_calls.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "rpc/interface/parameters.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Numbers = std::vector<std::int32_t>;

constexpr Socket::Seconds patience{60};

/// f(IN int64 n, INOUT int32 a[n], IN filename in, OUT filename out): a is dealt to two ranks.
Module module_of_f() {
  Module made{"m",
              {{"f",
                "",
                {parameter("n", Mode::in, Number::int64),
                 parameter("a", Mode::inout, Number::int32, json::array({"n"})),
                 file_parameter("in", Mode::in), file_parameter("out", Mode::out)}}},
              {}};
  made.routines[0].parameters[1].divisions = {CyclicDivision{Expression::from_json(1)}};
  return made;
}

/// A front end between a client and two ranks, both of which the test plays.
class StagedCallsTest
    : public testing::TestWithParam<std::tuple<const char*, const char*, std::int64_t>> {
 protected:
  explicit StagedCallsTest(Socket::Seconds client_most = patience) : client_most_(client_most) {
    std::vector<Socket> ends;
    for (int rank = 0; rank < 2; ++rank) {
      auto [near, far] = connected();
      ends.push_back(std::move(near));
      far.set_timeout(patience);
      ranks_.push_back(std::move(far));
    }
    links_.emplace(std::move(ends));
    client_.set_timeout(patience);
    serving_ = std::async(std::launch::async, [this] {
      const StagedModule staged{
          module_,
          staging_of(mode_),
          {room_,
           [this](bool) {
             if (!links_->has_ended()) was_slow_ = true;
           }},
          1'000'000'000,
          client_most_,
          [this](std::int64_t call, FrontEndPart part) { told_[call].push_back(part); }};
      StagedCalls calls(ends_.second, *links_, staged);
      return happened_in([&] { calls.serve(); });
    });
  }
  ~StagedCallsTest() override {
    client_.shut_down();
    for (Socket& one : ranks_) one.shut_down();
  }

  json call() const {
    json message = {{"message", "call"},
                    {"routine", "f"},
                    {"scalars", {{"n", count_}}},
                    {"files", {{"in", 5}}}};
    if (wire_ != "native") message["wire"] = wire_;
    return message;
  }
  /// To and from the form in which numbers travel between client and front end.
  Numbers converted(Numbers numbers) const {
    if (wire_ == "native") return numbers;
    for (std::int32_t& one : numbers) {
      one = static_cast<std::int32_t>(__builtin_bswap32(static_cast<std::uint32_t>(one)));
    }
    return numbers;
  }
  /// The client sends a call with 0, 1, 2, ... and a file.
  std::future<void> sent(json message) {
    return std::async(std::launch::async, [this, message = std::move(message)] {
      Numbers numbers(static_cast<std::size_t>(count_));
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i);
      const Numbers form = converted(numbers);
      send_frame(client_, message);
      client_.send(form.data(), form.size() * 4);
      client_.send("hello", 5);
    });
  }
  /// The rank gets its block and the file, negates its numbers and answers.
  std::future<json> play(std::size_t rank, json answer) {
    return std::async(std::launch::async, [this, rank, answer = std::move(answer)] {
      Socket& front_end = ranks_[rank];
      json message = receive_frame(front_end);
      const bool has_more = rank == 0 && count_ % 2 != 0;
      Numbers block(static_cast<std::size_t>(count_ / 2 + (has_more ? 1 : 0)));
      front_end.receive(block.data(), block.size() * 4);
      std::array<char, 5> file{};
      front_end.receive(file.data(), file.size());
      EXPECT_EQ(std::string(file.data(), file.size()), "hello");
      send_frame(front_end, answer);
      if (answer.at("message") != "results") return message;
      for (std::size_t i = 0; i < block.size(); ++i) {
        EXPECT_EQ(block[i], static_cast<std::int32_t>(2 * i + rank));
        block[i] = -block[i];
      }
      front_end.send(block.data(), block.size() * 4);
      if (rank == 0) front_end.send("bye", 3);
      return message;
    });
  }
  static json results(std::size_t rank) {
    json answer = {{"message", "results"}, {"seconds", {{"compute", 1.0}}}};
    if (rank == 0) answer["files"] = {{"out", 3}};
    return answer;
  }
  void expect_results() {
    const json answer = receive_frame(client_);
    EXPECT_EQ(answer.at("message"), "results");
    EXPECT_EQ(answer.at("seconds").at("ranks").size(), 2U);
    EXPECT_EQ(answer.at("files"), json({{"out", 3}}));
    Numbers numbers(static_cast<std::size_t>(count_));
    client_.receive(numbers.data(), numbers.size() * 4);
    numbers = converted(numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_EQ(numbers[i], -static_cast<std::int32_t>(i));
    }
    std::array<char, 3> file{};
    client_.receive(file.data(), file.size());
    EXPECT_EQ(std::string(file.data(), file.size()), "bye");
  }

  const std::string mode_ = std::get<0>(GetParam());
  const std::string wire_ = std::get<1>(GetParam());
  const std::int64_t count_ = std::get<2>(GetParam());
  const Module module_ = module_of_f();
  std::pair<Socket, Socket> ends_ = connected();
  Socket& client_ = ends_.first;
  std::vector<Socket> ranks_;
  std::optional<RankLinks> links_;
  const Socket::Seconds client_most_;
  /// Was the client said to move too little while the ranks had their connections?
  std::atomic<bool> was_slow_ = false;
  StagingRoom room_{4'000'009};  ///< For the longest array and the file.
  /// By call; read when the front end has ended.
  std::map<std::int64_t, std::vector<FrontEndPart>> told_;
  std::future<std::string> serving_;
};

// Fewer numbers than the ring of the buffering method has room for, and more.
INSTANTIATE_TEST_SUITE_P(Modes, StagedCallsTest,
                         testing::Combine(testing::Values("original", "buffering"),
                                          testing::Values("native", "xdr"),
                                          testing::Values(0, 7, 1'000'001)));

TEST_P(StagedCallsTest, ArraysAndFilesPassInBothDirectionsCallAfterCall) {
  for (const int number : {1, 2}) {
    auto sending = sent(call());
    auto first = play(0, results(0));
    auto second = play(1, results(1));
    expect_results();
    sending.get();
    for (auto* rank : {&first, &second}) {
      const json message = rank->get();
      EXPECT_EQ(message.at("call"), number);
      EXPECT_FALSE(message.contains("wire"));
      EXPECT_EQ(message.contains("callback_wire"), wire_ != "native");
    }
  }
  client_.shut_down();
  EXPECT_NE(serving_.get(), "");
  ASSERT_EQ(told_.size(), 2U);
  for (const std::int64_t number : {1, 2}) {
    ASSERT_EQ(told_[number].size(), 2U);  // Before the client gets results, and after.
    EXPECT_FALSE(told_[number][0].has_ended);
    EXPECT_TRUE(told_[number][1].has_ended);
    EXPECT_GE(told_[number][1].seconds, told_[number][0].seconds);
  }
}

TEST_P(StagedCallsTest, WhatTheRanksRefuseIsRefusedAndAnotherCallMayFollow) {
  const json refusal = {{"message", "refused"},
                        {"kind", "lost-array"},
                        {"operation", "find an array"},
                        {"happened", "it is not there"},
                        {"remedy", "put it"}};
  auto sending = sent(call());
  auto first = play(0, refusal);
  auto second = play(1, refusal);
  EXPECT_EQ(receive_frame(client_), refusal);
  for (auto* rank : {&first, &second}) rank->get();
  sending.get();
  sending = sent(call());
  first = play(0, results(0));
  second = play(1, results(1));
  expect_results();
  client_.shut_down();
  serving_.get();
  ASSERT_EQ(told_[1].size(), 1U);
  EXPECT_TRUE(told_[1][0].has_ended);
}

TEST_P(StagedCallsTest, TheFailureOfARankReachesTheClient) {
  const json failure = {{"message", "failed"}, {"happened", "singular"}, {"remedy", "pivot"}};
  auto sending = sent(call());
  auto first = play(0, failure);
  auto second = play(1, results(1));
  EXPECT_EQ(receive_frame(client_), failure);
  EXPECT_EQ(serving_.get(), "singular");
  for (Socket& one : ranks_) one.shut_down();
  for (auto* one : {&first, &second}) happened_in([&] { one->get(); });
  happened_in([&] { sending.get(); });
}

TEST_P(StagedCallsTest, WhatIsWrongWithACallIsToldBeforeItReachesTheRanks) {
  json message = call();
  message["routine"] = "g";
  send_frame(client_, message);
  EXPECT_EQ(receive_frame(client_).at("happened"), "module m has no routine g");
  client_.shut_down();
  EXPECT_EQ(serving_.get(), "module m has no routine g");
  EXPECT_EQ(links_->calls_count(), 0);
}

TEST_P(StagedCallsTest, ACallThatNeedsTooMuchIsRefusedBeforeItReachesTheRanks) {
  json message = call();
  message["files"]["in"] = 2'000'000'000;
  auto sending = sent(message);
  const json answer = receive_frame(client_);
  EXPECT_EQ(answer.at("message"), "failed");
  sending.get();  // The front end has taken it all.
  client_.shut_down();
  EXPECT_NE(serving_.get().find("and the server allows 1000000000"), std::string::npos);
  EXPECT_EQ(links_->calls_count(), 0);
}

TEST_P(StagedCallsTest, TheFrontEndHoldsNoMoreThanItsRoom) {
  const StagingRoom::Part of_others(room_, 4'000'009);
  if (mode_ == "original") {
    auto sending = sent(call());
    const json answer = receive_frame(client_);
    sending.get();
    client_.shut_down();
    EXPECT_NE(answer.at("remedy").get<std::string>().find("--staging-limit"), std::string::npos);
    EXPECT_EQ(serving_.get(), answer.at("happened").get<std::string>());
    EXPECT_EQ(links_->calls_count(), 0);
    return;
  }
  auto sending = sent(call());
  auto first = play(0, results(0));
  auto second = play(1, results(1));
  expect_results();
  sending.get();
  for (auto* rank : {&first, &second}) rank->get();
}

class SlowClientTest : public StagedCallsTest {
 protected:
  SlowClientTest() : StagedCallsTest(Socket::Seconds(1)) {}
};

// More numbers than systems buffer.
INSTANTIATE_TEST_SUITE_P(Modes, SlowClientTest,
                         testing::Combine(testing::Values("original", "buffering"),
                                          testing::Values("native"), testing::Values(1'000'001)));

TEST_P(SlowClientTest, OneThatSendsTooLittleIsSaidToBeSlowBeforeTheRanksEnd) {
  send_frame(client_, call());
  EXPECT_NE(serving_.get().find("did nothing for too long"), std::string::npos);
  EXPECT_TRUE(was_slow_);
}

TEST_P(SlowClientTest, OneThatTakesTooLittleIsSaidToBeSlowBeforeTheRanksEnd) {
  auto sending = sent(call());
  auto first = play(0, results(0));
  auto second = play(1, results(1));
  EXPECT_NE(serving_.get().find("did nothing for too long"), std::string::npos);
  EXPECT_TRUE(was_slow_);
  for (auto* one : {&first, &second}) happened_in([&] { one->get(); });
  sending.get();
}

class NoAnswerTest : public StagedCallsTest {
 protected:
  /// What happens when the ranks answer so.
  std::string happened(const json& answer) {
    auto sending = sent(call());
    auto first = play(0, answer);
    auto second = play(1, answer);
    const std::string happened = serving_.get();
    links_->shut_down();
    for (auto* rank : {&first, &second}) happened_in([&] { rank->get(); });
    happened_in([&] { sending.get(); });
    return happened;
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, NoAnswerTest,
                         testing::Combine(testing::Values("original", "buffering"),
                                          testing::Values("native"),
                                          testing::Values(7, 1'000'001)));

TEST_P(NoAnswerTest, AMessageOfAnotherKindIsAnError) {
  EXPECT_EQ(happened({{"message", "welcome"}}), "its field message is missing or of another type");
}

TEST_P(NoAnswerTest, ResultsWithoutTheirSecondsAreAnError) {
  EXPECT_EQ(happened({{"message", "results"}}), "its field seconds is missing or of another type");
}

TEST_P(StagedCallsTest, OfRanksThatHaveGoneTheClientAsksTheFrontEnd) {
  for (Socket& one : ranks_) one.shut_down();
  serving_.get();
  ends_.second.shut_down();
  std::byte told{};
  EXPECT_THROW(client_.receive(&told, 1), error);
}

TEST(StagingTest, ThereAreTwoModes) {
  EXPECT_NE(staging_of("original"), staging_of("buffering"));
  EXPECT_EQ(staging_of("relay"), nullptr);
}

TEST(PassToTest, ACallbackGoesToTheClientAndItsAnswerBack) {
  auto [client, far_client] = connected();
  auto [rank, far_rank] = connected();
  send_frame(far_client, {{"message", "returned"}, {"bytes", 2}});
  far_client.send("yz", 2);
  far_rank.send("abc", 3);
  const json message = {{"message", "callback"}, {"name", "g"}, {"bytes", 3}};
  pass_to(client)(message, rank);
  EXPECT_EQ(receive_frame(far_client), message);
  std::array<char, 3> bytes{};
  far_client.receive(bytes.data(), 3);
  EXPECT_EQ(std::string(bytes.data(), 3), "abc");
  EXPECT_EQ(receive_frame(far_rank).at("bytes"), 2);
  far_rank.receive(bytes.data(), 2);
  EXPECT_EQ(std::string(bytes.data(), 2), "yz");
}

}  // namespace
}  // namespace tasuki::rpc
