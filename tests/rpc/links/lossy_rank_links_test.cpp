#include <gtest/gtest.h>

#include <future>
#include <list>
#include <string>
#include <vector>

#include "rpc/interface/parameters.hpp"
#include "rpc/links/rank_links.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/lossy_wire.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr std::int64_t numbers_count = 30'000;

/// A rank that gives its block back twice, changed: two calls.
void play(Socket& client, std::size_t block_bytes) {
  for (int call = 0; call < 2; ++call) {
    receive_frame(client);
    std::vector<std::byte> block(block_bytes);
    client.receive(block.data(), block.size());
    for (std::byte& one : block) one ^= std::byte{1};
    send_frame(client, {{"message", "results"}, {"seconds", json::object()}});
    client.send(block.data(), block.size());
  }
}

/// Two calls by wires to two ranks, of which the first one loses what comes after `most_bytes`.
class LossyRankLinksTest : public testing::Test {
 protected:
  LossyRankLinksTest() { parameter_.divisions = {CyclicDivision{Expression::from_json(1)}}; }

  /// Returns: what has happened to the calls; "" if they were right.
  std::string call_twice(unsigned seed, std::int64_t most_bytes) {
    LossyWire first(seed, most_bytes);
    LossyWire second(seed + 1'000'000);
    std::list<std::future<void>> ranks;
    std::vector<Socket> ends;
    int rank = 0;
    for (LossyWire* const wire : {&first, &second}) {
      ends.push_back(wire->take_near());
      ranks.push_back(std::async(
          std::launch::async,
          [bytes = static_cast<std::size_t>(layout_.local_bytes(rank++)),
           far = wire->take_far()]() mutable { happened_in([&] { play(far, bytes); }); }));
    }
    std::vector<std::byte> memory = counted(numbers_count);
    const std::vector<std::byte> before = memory;
    const ArrayArgument argument{memory.data(), memory.size(),
                                 contiguous_view(layout_, layout::Order::row_major)};
    RankLinks links(std::move(ends));
    const auto call = [&] {
      links.call({.message = {{"message", "call"}},
                  .sent = {{parameter_, layout_, argument}},
                  .returned = {{parameter_, layout_, argument}}});
    };
    std::string happened = happened_in([&] {
      call();
      EXPECT_EQ(std::to_integer<int>(memory[0] ^ before[0]), 1);
      EXPECT_EQ(std::to_integer<int>(memory[numbers_count - 1] ^ before[numbers_count - 1]), 1);
      call();
      EXPECT_EQ(memory, before);
    });
    passed_bytes_ = first.passed_bytes();
    links.shut_down();
    ranks.clear();
    return happened;
  }

  Parameter parameter_ = parameter("a", Mode::inout, Number::int8, json::array({numbers_count}));
  const ArrayLayout layout_{{Axis(numbers_count, layout::Cyclic{}, 2)}, Grid({2}), 1};
  std::int64_t passed_bytes_ = 0;  ///< By the first wire.
};

TEST_F(LossyRankLinksTest, PiecesThatComeLateMakeNoDifference) {
  for (const unsigned seed : wire_seeds()) {
    SCOPED_TRACE(seed);
    EXPECT_EQ(call_twice(seed, LossyWire::loses_nothing), "");
  }
}

TEST_F(LossyRankLinksTest, AConnectionThatEndsAtAnyByteFailsTheCall) {
  call_twice(0, LossyWire::loses_nothing);
  const auto all_bytes = static_cast<std::uint32_t>(passed_bytes_);
  for (const unsigned seed : wire_seeds()) {
    SCOPED_TRACE(seed);
    EXPECT_NE(call_twice(seed, std::mt19937(seed)() % all_bytes), "");
  }
}

}  // namespace
}  // namespace tasuki::rpc
