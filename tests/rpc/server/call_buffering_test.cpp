#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstdint>
#include <future>
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

// As the paper says: 1 MiB, of which 80 % are 838,860 bytes and a fraction.
constexpr std::size_t ring_bytes = std::size_t{1} << 20;
constexpr std::size_t less_than_drained_bytes = 838'848;

enum class Direction { to_rank, to_client };

/// A front end between a client and a rank, both of which the test plays: arrays of so many float64
/// go from one to the other.
class CallBufferingTest : public testing::TestWithParam<Direction>, protected StagedEnds {
 protected:
  /// The front end serves a call with these arrays, and passes on what the source gives.
  void begin(const std::vector<std::int64_t>& sizes) {
    const bool is_sent = GetParam() == Direction::to_rank;
    for (const std::int64_t size : sizes) {
      const Mode mode = is_sent ? Mode::in : Mode::out;
      routine_.parameters.push_back(parameter("a", mode, Number::float64, json::array({size})));
    }
    layout_ = layout_of(routine_, {}, 1);
    whole_ = whole_layout_of(routine_, {});
    StagedCall call{{{"message", "call"}, {"routine", "f"}}};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      auto& arrays = is_sent ? call.sent : call.returned;
      arrays.push_back({routine_.parameters[i], *layout_[i], *whole_[i]});
    }
    serve(call_buffering, std::move(call));
    EXPECT_EQ(receive_frame(rank_).at("message"), "call");
    if (!is_sent) answer();
  }
  void answer() {
    send_frame(rank_, {{"message", "results"}, {"seconds", json::object()}});
    EXPECT_EQ(receive_frame(client_).at("message"), "results");
  }
  /// Of the whole call.
  std::string end() {
    if (GetParam() == Direction::to_rank) answer();
    return serving_.get();
  }

  Socket& source() { return GetParam() == Direction::to_rank ? client_ : rank_; }
  Socket& sink() { return GetParam() == Direction::to_rank ? rank_ : client_; }
  /// The front end's ends of the same connections.
  Socket& front_end_of_source() {
    return GetParam() == Direction::to_rank ? front_end_of_client_ : links_[0].socket();
  }
  Socket& front_end_of_sink() {
    return GetParam() == Direction::to_rank ? links_[0].socket() : front_end_of_client_;
  }
  Bytes received(std::size_t bytes) {
    Bytes data(bytes);
    sink().receive(data.data(), bytes);
    return data;
  }
};

INSTANTIATE_TEST_SUITE_P(Directions, CallBufferingTest,
                         testing::Values(Direction::to_rank, Direction::to_client));

TEST_P(CallBufferingTest, NothingGoesOnBeforeFourFifthsOfTheRingAreFilled) {
  const Bytes first = counted(less_than_drained_bytes), second = counted(16), third = counted(8);
  begin({std::ssize(first) / 8, 2, 1});
  source().send(first.data(), first.size());
  EXPECT_TRUE(await_waiting_bytes(front_end_of_source(), 0));
  EXPECT_FALSE(comes_soon(sink()));
  source().send(second.data(), second.size());
  // All that is there comes now, though the third array does not.
  EXPECT_EQ(received(first.size()), first);
  EXPECT_EQ(received(second.size()), second);
  EXPECT_FALSE(comes_soon(sink()));
  source().send(third.data(), third.size());
  EXPECT_EQ(received(third.size()), third);
  EXPECT_EQ(end(), "");
}

TEST_P(CallBufferingTest, TheRingIsFilledUpToOneMebibyteWhileItIsDrained) {
  const Bytes array = counted(3 * ring_bytes + 8);
  begin({std::ssize(array) / 8});
  // Less than is drained at once: so draining waits for the sink, in the midst.
  const int send_buffer_bytes = 64 << 10;
  ASSERT_EQ(setsockopt(front_end_of_sink().descriptor(), SOL_SOCKET, SO_SNDBUF, &send_buffer_bytes,
                       sizeof send_buffer_bytes),
            0);
  constexpr std::size_t drained_bytes = std::size_t{13} << 16;  // Pieces of 64 KiB.
  source().send(array.data(), drained_bytes);
  EXPECT_EQ(sink().first_byte(), array.front());
  source().send(array.data() + drained_bytes, ring_bytes - drained_bytes);
  EXPECT_TRUE(await_waiting_bytes(front_end_of_source(), 0));
  // There is no room for a number more, until the sink takes what is there.
  source().send(array.data() + ring_bytes, 8);
  EXPECT_TRUE(keeps_waiting_bytes(front_end_of_source(), 8));
  auto sending = std::async(std::launch::async, [&] {
    source().send(array.data() + ring_bytes + 8, array.size() - ring_bytes - 8);
  });
  EXPECT_EQ(received(array.size()), array);
  sending.get();
  EXPECT_EQ(end(), "");
}

}  // namespace
}  // namespace tasuki::rpc
