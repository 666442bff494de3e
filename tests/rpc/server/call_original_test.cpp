#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "rpc/interface/call_layout.hpp"
#include "rpc/interface/parameters.hpp"
#include "rpc/server/staged_ends.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/waiting_bytes.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Bytes = std::vector<std::byte>;

constexpr std::size_t number_bytes = 8;

/// A front end between a client and a rank, both of which the test plays, and a routine with one
/// array INOUT.
class CallOriginalTest : public testing::Test, protected StagedEnds {
 protected:
  void begin(std::int64_t size) {
    routine_.parameters = {parameter("a", Mode::inout, Number::float64, json::array({size}))};
    layout_ = layout_of(routine_, {}, 1);
    whole_ = whole_layout_of(routine_, {});
    const StagedArray array{routine_.parameters[0], *layout_[0], *whole_[0]};
    StagedCall call{{{"message", "call"}, {"routine", "f"}}};
    call.sent.push_back(array);
    call.returned.push_back(array);
    serve(call_original, std::move(call));
  }
};

TEST_F(CallOriginalTest, AllIsHeldBeforeAnythingGoesOnInBothDirections) {
  constexpr std::size_t bytes = std::size_t{4} << 20;
  const Bytes numbers = counted(bytes);
  Bytes got(bytes);
  begin(bytes / number_bytes);
  client_.send(numbers.data(), bytes - number_bytes);
  EXPECT_TRUE(await_waiting_bytes(front_end_of_client_, 0));
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
