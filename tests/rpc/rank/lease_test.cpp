#include "rpc/rank/lease.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <atomic>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "rpc/rank/played_rank.hpp"
#include "rpc/wire/encrypted.hpp"
#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

const json call_of_fail = {{"message", "call"}, {"routine", "fail"}, {"scalars", json::object()}};
const json call_of_twice = {{"message", "call"}, {"routine", "twice"}, {"scalars", {{"n", 0}}}};

class LeaseTest : public PlayedRank {
 protected:
  LeaseTest() { lease_.emplace(program_, kept_, reporter_, link_, ordered(7)); }

  void say(const char* kind, json fields, std::int64_t number = 7) {
    fields["message"] = kind;
    fields["lease"] = number;
    send_frame(front_end_, fields);
  }
  /// All that the front end has said before is heard then.
  LeaseOrder ordered(std::int64_t number) {
    say("lease",
        {{"ticket", "t"},
         {"client", 5},
         {"user", "ann"},
         {"gone_clients", json::array()},
         {"call_most_bytes", 1000},
         {"client_most_s", 60}},
        number);
    return link_.next_lease([](const DiscardOrder&) {}, listener_).value();
  }
  /// Serves calls as the rank's service does. Returns: what the front end is told at the end.
  std::future<json> serving() {
    return std::async(std::launch::async, [this] {
      std::optional<error> fault;
      try {
        lease_->serve(std::move(rank_end_), {}, listener_);
      } catch (const error& one) {
        fault = one;
      }
      lease_->report_end(fault);
      return told("ended");
    });
  }
  void call() {
    send_frame(client_, call_of_twice);
    EXPECT_EQ(receive_frame(client_).at("message"), "results");
  }

  std::optional<Lease> lease_;
};

TEST_F(LeaseTest, WhoConnectsBetweenCallsIsRefused) {
  auto ended = serving();
  call();
  Socket stranger = Socket::connect({"127.0.0.1", listener_.port()}, patience);
  stranger.set_timeout(patience);
  std::byte none{};
  EXPECT_THROW(stranger.receive(&none, 1), error);
  call();
  client_.shut_down();
  ended.get();
}

TEST_F(LeaseTest, CallsAreServedUntilTheFrontEndHasTheRankBack) {
  auto ended = serving();
  call();
  call();
  say("hold", {{"has_client_gone", false}});
  EXPECT_EQ(told("held").at("calls"), 2);
  say("until", {{"calls", 3}});
  call();  // One that another rank has begun.
  const json last = ended.get();
  EXPECT_EQ(last.at("lease"), 7);
  EXPECT_EQ(last.at("calls"), 3);
  EXPECT_FALSE(last.contains("happened"));
  EXPECT_TRUE(lease_->is_over());
}

TEST_F(LeaseTest, ALeaseWithoutACallIsGivenBackOnceNobodyHasPatience) {
  say("hold", {{"has_client_gone", false}});
  pollfd one{front_end_.descriptor(), POLLIN, 0};
  while (poll(&one, 1, 1) == 0) lease_->lose_patience();  // Until it has heard that.
  EXPECT_EQ(told("held").at("calls"), 0);
  say("until", {{"calls", 0}});
  const json ended = serving().get();
  EXPECT_EQ(ended.at("calls"), 0);
  EXPECT_FALSE(ended.contains("happened"));
}

TEST_F(LeaseTest, ACallThatFailsEndsTheLeaseAndTheFrontEndHearsWhy) {
  auto ended = serving();
  send_frame(client_, call_of_fail);
  const json last = ended.get();
  EXPECT_EQ(last.at("calls"), 1);
  EXPECT_EQ(last.at("happened"), "the matrix is singular");
  EXPECT_EQ(receive_frame(client_).at("message"), "failed");
}

TEST_F(LeaseTest, ACallThatIsRefusedEndsTheLeaseAndTheFrontEndHearsThat) {
  auto ended = std::async(std::launch::async, [this] {
    try {
      lease_->serve(std::move(rank_end_), {}, listener_);
    } catch (const RefusedCall& fault) {
      lease_->report_refusal(fault);
    }
    return told("ended");
  });
  call();
  send_frame(client_, {{"message", "call"}, {"routine", "thrice"}});
  const json last = ended.get();
  EXPECT_EQ(last.at("calls"), 2);
  EXPECT_EQ(last.at("happened"), "the interface has no routine thrice");
  EXPECT_EQ(last.at("has_refused"), true);
  EXPECT_EQ(receive_frame(client_).at("message"), "failed");
}

TEST_F(LeaseTest, ThatACallWasBrokenOffTheFrontEndHears) {
  lease_->report_broken_off(BrokenOffCall(error("receive", "the client is gone", "call again")));
  const json last = told("ended");
  EXPECT_EQ(last.at("happened"), "the client is gone");
  EXPECT_EQ(last.at("is_broken_off"), true);
}

TEST_F(LeaseTest, AClientThatGoesEndsTheLease) {
  auto ended = serving();
  call();
  client_.shut_down();
  const json last = ended.get();
  EXPECT_EQ(last.at("calls"), 1);
  EXPECT_FALSE(last.contains("has_client_gone"));  // Nobody waits for it.
}

TEST_F(LeaseTest, ACallThatOtherRanksHaveAndThisOneNeverGetsIsToldOf) {
  client_.shut_down();
  say("hold", {{"has_client_gone", true}});
  EXPECT_EQ(told("held").at("calls"), 0);
  say("until", {{"calls", 1}});
  ordered(8);
  EXPECT_FALSE(lease_->is_over());
  const json ended = serving().get();
  EXPECT_EQ(ended.at("calls"), 0);
  EXPECT_EQ(ended.at("happened"), "the client has gone");
  EXPECT_EQ(ended.at("has_client_gone"), true);
}

TEST_F(LeaseTest, ARecordThatComesByteByByteKeepsTheRankFromNobody) {
  encrypt_both(client_, rank_end_);
  const std::vector<std::byte> record = record_of(client_, rank_end_, counted(10'000));
  std::atomic<bool> has_ended = false;
  std::thread trickling([&] { trickle_record(client_, record, has_ended); });
  auto ended = serving();
  say("hold", {{"has_client_gone", true}});
  say("until", {{"calls", 0}});
  EXPECT_EQ(ended.wait_for(patience), std::future_status::ready);
  has_ended = true;
  trickling.join();
  client_.shut_down();
  EXPECT_EQ(ended.get().at("calls"), 0);
}

TEST_F(LeaseTest, CallsOfAnEncryptedConnectionAreServed) {
  encrypt_both(client_, rank_end_);
  auto ended = serving();
  call();
  call();
  client_.shut_down();
  EXPECT_EQ(ended.get().at("calls"), 2);
}

TEST_F(LeaseTest, WhenTheFrontEndGoesNoCallIsServedAnyMore) {
  auto ended = std::async(std::launch::async,
                          [this] { lease_->serve(std::move(rank_end_), {}, listener_); });
  call();
  front_end_.shut_down();
  ended.get();
  EXPECT_TRUE(link_.has_gone());
}

}  // namespace
}  // namespace tasuki::rpc
