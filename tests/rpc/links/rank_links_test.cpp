#include "rpc/links/rank_links.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <list>
#include <string>
#include <tasuki/error.hpp>
#include <thread>
#include <vector>

#include "rpc/interface/parameters.hpp"
#include "rpc/links/failed_call.hpp"
#include "rpc/links/lost.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/port_of_nobody.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// More than a connection holds of what nobody receives.
constexpr std::int64_t socket_most_bytes = 4 << 20;

json results() { return {{"message", "results"}, {"seconds", json::object()}}; }

Parameter dealt(Parameter made) {
  made.divisions = {CyclicDivision{Expression::from_json(1)}};
  return made;
}

/// Two ranks that the test plays: an array is dealt to them, and comes back.
class RankLinksTest : public testing::TestWithParam<std::int64_t> {
 protected:
  RankLinksTest() {
    std::vector<Socket> ends;
    for (int rank = 0; rank < 2; ++rank) {
      auto [near, far] = connected();
      ends.push_back(std::move(near));
      ranks_.push_back(std::move(far));
    }
    links_.emplace(std::move(ends));
  }

  Exchange exchange() {
    return {.message = {{"message", "call"}},
            .sent = {{parameter_, layout_, argument_}},
            .returned = {{parameter_, layout_, argument_}}};
  }
  /// The rank receives its block, answers, and sends that back with the first byte changed, if it
  /// has results.
  void serve_block(int rank, const json& answer) {
    Socket& client = ranks_[static_cast<std::size_t>(rank)];
    std::vector<std::byte> block(static_cast<std::size_t>(layout_.local_bytes(rank)));
    client.receive(block.data(), block.size());
    send_frame(client, answer);
    if (answer["message"] != "results") return;
    block.front() = static_cast<std::byte>(0xa0 + rank);
    client.send(block.data(), block.size());
  }
  std::future<json> play(int rank, json answer) {
    return std::async(std::launch::async, [this, rank, answer = std::move(answer)] {
      json message = receive_frame(ranks_[static_cast<std::size_t>(rank)]);
      serve_block(rank, answer);
      return message;
    });
  }

  const std::int64_t count_ = GetParam();
  const Parameter parameter_ = dealt(parameter("a", Mode::inout, Number::int8, {count_}));
  const ArrayLayout layout_{{Axis(count_, layout::Cyclic{}, 2)}, Grid({2}), 1};
  std::vector<std::byte> memory_ = counted(static_cast<std::size_t>(count_));
  const ArrayArgument argument_{memory_.data(), memory_.size(),
                                contiguous_view(layout_, layout::Order::row_major)};
  std::vector<Socket> ranks_;
  std::optional<RankLinks> links_;
};

// Few bytes go to one rank after the other, many to all at once.
INSTANTIATE_TEST_SUITE_P(Sizes, RankLinksTest, testing::Values(100, 4 * socket_most_bytes));

TEST_P(RankLinksTest, EachRankGetsItsBlockAndGivesItsOwn) {
  const std::vector<std::byte> before = memory_;
  for (const std::int64_t number : {1, 2}) {
    auto first = play(0, results());
    auto second = play(1, results());
    const std::vector<json> answers = links_->call(exchange());
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(first.get().at("call"), number);
    EXPECT_EQ(second.get().at("call"), number);
  }
  EXPECT_EQ(memory_[0], std::byte{0xa0});
  EXPECT_EQ(memory_[1], std::byte{0xa1});
  EXPECT_TRUE(std::equal(memory_.begin() + 2, memory_.end(), before.begin() + 2));
  EXPECT_EQ(links_->calls_count(), 2);
  EXPECT_GE(links_->moved_bytes(), 4 * count_);
}

TEST_P(RankLinksTest, ACallThatAllRefuseIsLostAndAnotherMayFollow) {
  const json refusal = {{"message", "refused"},
                        {"kind", "lost-array"},
                        {"operation", "find an array"},
                        {"happened", "it is not there"},
                        {"remedy", "put it"}};
  auto first = play(0, refusal);
  auto second = play(1, refusal);
  try {
    links_->call(exchange());
    FAIL();
  } catch (const Lost& fault) {
    EXPECT_EQ(fault.kind(), "lost-array");
    EXPECT_EQ(fault.happened(), "it is not there");
  }
  first.get();
  second.get();
  first = play(0, results());
  second = play(1, results());
  EXPECT_EQ(links_->call(exchange()).size(), 2U);
}

TEST_P(RankLinksTest, TheFailureOfOneRankFailsTheCall) {
  auto first = play(0, results());
  auto second = play(1, {{"message", "failed"}, {"happened", "no memory"}, {"remedy", "buy"}});
  EXPECT_THROW(links_->call(exchange()), FailedCall);
  second.get();
  happened_in([&] { first.get(); });  // Nobody may have waited for it.
}

TEST_P(RankLinksTest, ARankThatHasGoneIsSeenAndFailsTheCall) {
  EXPECT_FALSE(links_->has_ended());
  ranks_[1].shut_down();
  EXPECT_TRUE(links_->has_ended());
  auto first = play(0, results());
  EXPECT_NE(happened_in([this] { links_->call(exchange()); }), "");
  ranks_[0].shut_down();
  happened_in([&] { first.get(); });
}

TEST_P(RankLinksTest, ACallEndsWhenTheConnectionsAreShutDown) {
  auto call = std::async(std::launch::async,
                         [this] { return happened_in([this] { links_->call(exchange()); }); });
  receive_frame(ranks_[0]);  // It is under way, and nobody answers.
  links_->shut_down();
  EXPECT_NE(call.get(), "");
}

TEST_P(RankLinksTest, WhoWatchesEndsACallThatWaits) {
  links_->watch([] { throw error("wait", "the server is silent", "see to it"); });
  EXPECT_EQ(happened_in([&] { links_->call(exchange()); }), "the server is silent");
}

TEST_P(RankLinksTest, WhoWatchesIsAskedAlsoWhileSignalsEndEachWait) {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGUSR1, &action, nullptr), 0);
  const pthread_t self = pthread_self();
  std::atomic<bool> are_signals_over = false;
  std::atomic<bool> is_over = false;
  std::thread signaller([&] {
    for (int i = 0; i < 100 && !is_over; ++i) {
      pthread_kill(self, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    are_signals_over = true;
  });
  links_->watch([&] {
    if (pthread_equal(pthread_self(), self) == 0) return;  // The other threads get no signals.
    throw error("wait", are_signals_over ? "asked too late" : "asked in time", "");
  });
  EXPECT_EQ(happened_in([&] { links_->call(exchange()); }), "asked in time");
  is_over = true;
  signaller.join();
}

TEST_P(RankLinksTest, WhoWatchesAndIsContentLetsACallWait) {
  std::atomic<int> checks_count = 0;
  links_->watch([&] { ++checks_count; });
  const auto play_late = [&](int rank, int least_count) {
    return std::async(std::launch::async, [&, rank, least_count] {
      const json message = receive_frame(ranks_[static_cast<std::size_t>(rank)]);
      while (checks_count < least_count) std::this_thread::yield();
      serve_block(rank, results());
    });
  };
  [[maybe_unused]] const auto first = play_late(0, 2);
  [[maybe_unused]] const auto second = play_late(1, 4);
  EXPECT_EQ(links_->call(exchange()).size(), 2U);
}

TEST_P(RankLinksTest, RanksThatTakeTurnsGetTheirBlocksOneAfterTheOther) {
  links_->take_turns();
  auto call = std::async(std::launch::async, [this] { return links_->call(exchange()).size(); });
  EXPECT_EQ(receive_frame(ranks_[0]).at("call"), 1);
  if (layout_.local_bytes(0) > socket_most_bytes) {
    pollfd second{ranks_[1].descriptor(), POLLIN, 0};
    EXPECT_EQ(poll(&second, 1, 20), 0);  // The first one has not taken its block.
  }
  auto second = play(1, results());
  serve_block(0, results());
  EXPECT_EQ(second.get().at("call"), 1);
  EXPECT_EQ(call.get(), 2U);
}

TEST_P(RankLinksTest, WhoeverHasTheBlocksPieceByPieceSendsTheMessageAlone) {
  links_->begin({{"message", "call"}});
  for (Socket& one : ranks_) EXPECT_EQ(receive_frame(one).at("call"), 1);
  links_->shut_down();
  std::byte more{};
  EXPECT_THROW(ranks_[0].receive(&more, 1), error);
}

TEST_P(RankLinksTest, ARankGetsWhatTheCallerHadThoughAnotherHasWrittenItAlready) {
  const Parameter whole = parameter("a", Mode::inout, Number::int8, {count_});
  const ArrayLayout to_all{{Axis(count_, layout::Whole{}, 1)}, layout::Replicated{2}, 1};
  const std::vector<std::byte> before = memory_;
  const std::vector<std::byte> result(memory_.size(), std::byte{0xff});
  std::promise<void> is_result_taken;
  auto first = std::async(std::launch::async, [&] {
    receive_frame(ranks_[0]);
    std::vector<std::byte> block(before.size());
    ranks_[0].receive(block.data(), block.size());
    send_frame(ranks_[0], results());
    ranks_[0].send(result.data(), result.size());
    is_result_taken.set_value();
  });
  auto second = std::async(std::launch::async, [&] {
    receive_frame(ranks_[1]);
    // It would be taken now, if the client did not wait for this rank.
    is_result_taken.get_future().wait_for(std::chrono::milliseconds(200));
    std::vector<std::byte> block(before.size());
    ranks_[1].receive(block.data(), block.size());
    send_frame(ranks_[1], results());
    return block;
  });
  links_->call({.message = {{"message", "call"}},
                .sent = {{whole, to_all, argument_}},
                .returned = {{whole, to_all, argument_}}});
  first.get();
  EXPECT_EQ(second.get(), before);
  EXPECT_EQ(memory_, result);
}

/// Two ranks that play for a call without arrays.
class WaitingRanksTest : public testing::Test {
 protected:
  WaitingRanksTest() {
    std::vector<Socket> ends;
    for (Socket* const one : {&first_, &second_}) {
      auto [near, far] = connected();
      ends.push_back(std::move(near));
      *one = std::move(far);
    }
    links_.emplace(std::move(ends));
  }

  auto call(ServeCallback serve_callback = {}) {
    return std::async(std::launch::async, [this, serve_callback = std::move(serve_callback)] {
      return links_->call({.message = {{"message", "call"}}, .serve_callback = serve_callback});
    });
  }

  Socket first_{-1, ""};
  Socket second_{-1, ""};
  std::optional<RankLinks> links_;
};

TEST_F(WaitingRanksTest, AnswersAreThoseOfTheRanksInWhateverOrderTheyCome) {
  auto answers = call();
  receive_frame(second_);
  json answer = results();
  answer["texts"] = "second";
  send_frame(second_, answer);
  second_.shut_down();  // Its lease is over.
  receive_frame(first_);
  send_frame(first_, results());
  const std::vector<json> found = answers.get();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_FALSE(found[0].contains("texts"));
  EXPECT_EQ(found[1]["texts"], "second");
}

TEST_F(WaitingRanksTest, ARankThatWaitsForOneThatHasGoneIsNotWaitedFor) {
  auto answers = call();
  receive_frame(second_);
  second_.shut_down();
  EXPECT_THROW(answers.get(), error);
}

TEST_F(WaitingRanksTest, TheSameAfterACallback) {
  auto answers = call([](const json&, Socket& rank) {
    send_frame(rank, {{"message", "returned"}});
  });
  receive_frame(first_);
  send_frame(first_, {{"message", "callback"}});
  EXPECT_EQ(receive_frame(first_)["message"], "returned");
  second_.shut_down();
  EXPECT_THROW(answers.get(), error);
}

TEST_F(WaitingRanksTest, WhoReceivesTheAnswersIsToldAsWell) {
  links_->begin({{"message", "call"}});
  second_.shut_down();
  EXPECT_THROW(links_->receive_answer(0, {}), error);
}

TEST(UnreachableRankTest, IsAnErrorThatNamesIt) {
  const PortOfNobody port;
  std::vector<RankAddress> addresses(1);
  addresses[0].endpoint = port.endpoint();
  EXPECT_EQ(happened_in([&] {
              const RankLinks links(addresses);
            }).find(text_of(port.endpoint()) + " does not answer"),
            0U);
}

}  // namespace
}  // namespace tasuki::rpc
