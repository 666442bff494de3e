#include <gtest/gtest.h>

#include <cstdint>
#include <future>
#include <vector>

#include "rpc/interface/call_layout.hpp"
#include "rpc/interface/parameters.hpp"
#include "rpc/server/staged_call.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/transfers.hpp"
#include "rpc/wire/waiting_bytes.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Bytes = std::vector<std::byte>;

constexpr Socket::Seconds patience{60};
constexpr std::size_t number_bytes = 8;

/// A front end between a client and a rank, both of which the test plays, and a routine with one
/// array INOUT.
class CallOriginalTest : public testing::Test {
 protected:
  CallOriginalTest() {
    for (Socket* one : {&client_, &rank_}) one->set_timeout(patience);
  }
  ~CallOriginalTest() override {
    client_.shut_down();
    rank_.shut_down();
  }

  void begin(std::int64_t size) {
    routine_.parameters = {parameter("a", Mode::inout, Number::float64, json::array({size}))};
    layout_ = layout_of(routine_, {}, 1);
    whole_ = whole_layout_of(routine_, {});
    const StagedArray array{routine_.parameters[0], *layout_[0], *whole_[0]};
    StagedCall call{{{"message", "call"}, {"routine", "f"}}};
    call.sent.push_back(array);
    call.returned.push_back(array);
    serving_ = std::async(std::launch::async, [this, call = std::move(call)] {
      return happened_in([&] { call_original(front_end_, links_, call, terms_); });
    });
  }

  std::pair<Socket, Socket> of_client_ = connected();
  std::pair<Socket, Socket> of_rank_ = connected();
  Socket& client_ = of_client_.first;
  Socket& front_end_ = of_client_.second;
  Socket& rank_ = of_rank_.first;
  RankLinks links_ = [this] {
    std::vector<Socket> ends;
    ends.push_back(std::move(of_rank_.second));
    return RankLinks(std::move(ends));
  }();
  StagingRoom room_{INT64_MAX};
  const StagingTerms terms_{room_, [](bool) {}};
  Routine routine_{"f", "", {}};
  CallLayout layout_;
  CallLayout whole_;
  std::future<std::string> serving_;
};

TEST_F(CallOriginalTest, AllIsHeldBeforeAnythingGoesOnInBothDirections) {
  constexpr std::size_t bytes = std::size_t{4} << 20;
  const Bytes numbers = counted(bytes);
  Bytes got(bytes);
  begin(bytes / number_bytes);
  client_.send(numbers.data(), bytes - number_bytes);
  EXPECT_TRUE(await_waiting_bytes(front_end_, 0));
  EXPECT_FALSE(comes_soon(rank_));
  client_.send(numbers.data() + bytes - number_bytes, number_bytes);
  EXPECT_EQ(receive_frame(rank_).at("message"), "call");
  rank_.receive(got.data(), bytes);
  EXPECT_EQ(got, numbers);

  const Bytes results(numbers.rbegin(), numbers.rend());
  send_frame(rank_, {{"message", "results"}, {"seconds", json::object()}});
  rank_.send(results.data(), bytes - number_bytes);
  EXPECT_TRUE(await_waiting_bytes(links_[0].socket(), 0));
  EXPECT_FALSE(comes_soon(client_));
  rank_.send(results.data() + bytes - number_bytes, number_bytes);
  EXPECT_EQ(receive_frame(client_).at("message"), "results");
  client_.receive(got.data(), bytes);
  EXPECT_EQ(got, results);
  EXPECT_EQ(serving_.get(), "");
}

TEST_F(CallOriginalTest, AnArrayThatNoMemoryHoldsIsRefusedBeforeTheRanksHearOfIt) {
  begin(std::int64_t{1} << 57);
  EXPECT_EQ(serving_.get(), "the front end has no memory for 1152921504606846976 bytes of a");
  EXPECT_EQ(links_.calls_count(), 0);
}

}  // namespace
}  // namespace tasuki::rpc
