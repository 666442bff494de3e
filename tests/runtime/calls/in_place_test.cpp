// What arrives is read where it arrived: the transport's counters say so.
#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using InPlaceTest = RankTest;

constexpr int rounds = 100;
constexpr std::size_t block_bytes = 464;

const transport::Transport& transport_here() { return runtime::Rank::current().transport; }

struct Window {
  std::uint64_t header = 0;
  std::array<std::byte, block_bytes> body{};
};

TEST_F(InPlaceTest, bodies_of_short_messages_are_not_copied) {
  using Body = std::array<std::uint64_t, 50>;
  auto* sum = new std::uint64_t(0);
  const auto theirs = allgather(global_ptr(sum))[static_cast<std::size_t>(next_rank())];
  quiesce();
  const transport::Counters before = transport_here().counters();
  barrier();  // Nobody sends before all have read their counters.
  for (int round = 0; round < rounds; ++round) {
    Body body;
    body.fill(static_cast<std::uint64_t>(round));
    post(
        next_rank(), [](GlobalPtr<std::uint64_t> at, const Body& got) { *at.raw() += got.back(); },
        theirs, body);
    flush();
  }
  quiesce();
  const transport::Counters& after = transport_here().counters();
  EXPECT_EQ(*sum, rounds * (rounds - 1) / 2);
  EXPECT_EQ(after.received_copied, before.received_copied);
  EXPECT_EQ(after.bytes_copied, before.bytes_copied);
  EXPECT_EQ(after.received_in_place - before.received_in_place, after.receives - before.receives);
  if (size() > 1) {
    EXPECT_GE(after.received_in_place - before.received_in_place, std::uint64_t{rounds});
  }
  barrier();
  delete sum;
}

TEST_F(InPlaceTest, puts_into_shared_memory_are_no_messages_at_all) {
  const auto mine = new_<Window>();
  const auto theirs = allgather(mine)[static_cast<std::size_t>(next_rank())];
  // On several nodes some ranks do: what all do together is the same.
  const bool maps_peers = allreduce(theirs.local() != nullptr ? 1 : 0, Min{}) == 1;
  const GlobalPtr<std::byte> body{theirs.rank(), theirs.raw()->body.data()};
  const GlobalPtr<std::uint64_t> header{theirs.rank(), &theirs.raw()->header};
  quiesce();
  const transport::Counters before = transport_here().counters();
  barrier();  // Nobody sends before all have read their counters.
  for (int round = 1; round <= rounds; ++round) {
    std::array<std::byte, block_bytes> block;
    block.fill(static_cast<std::byte>(round));
    body.nwrite_signal(block.data(), block.size(), header);
    wait_signal(&mine.local()->header, static_cast<std::uint64_t>(round));
    EXPECT_EQ(mine.local()->body.front(), block.front());
    EXPECT_EQ(mine.local()->body.back(), block.back());
    // The next block must not come before everybody has seen this one.
    if (!maps_peers) quiesce();
    barrier();
  }
  const transport::Counters& after = transport_here().counters();
  EXPECT_EQ(after.received_copied, before.received_copied);
#ifdef TASUKI_DEBUG
  const bool barriers_are_flags = false;  // The ranks tell each other what they call.
#else
  const bool barriers_are_flags = transport_here().name() == std::string("shm");
#endif
  if (maps_peers && barriers_are_flags) {
    EXPECT_EQ(after.receives, before.receives);
  }
  barrier();
  delete_(mine);
}

TEST_F(InPlaceTest, long_data_are_copied_once) {
  constexpr std::size_t bytes = 200'000;
  const std::vector<std::byte> data(bytes, std::byte{7});
  auto* got_bytes = new std::size_t(0);
  const auto theirs = allgather(global_ptr(got_bytes))[static_cast<std::size_t>(next_rank())];
  quiesce();
  const transport::Counters before = transport_here().counters();
  barrier();  // Nobody sends before all have read their counters.
  invoke(
      next_rank(),
      [](GlobalPtr<std::size_t> at, const std::vector<std::byte>& got) { *at.raw() = got.size(); },
      theirs, data);
  quiesce();
  const transport::Counters& after = transport_here().counters();
  EXPECT_EQ(*got_bytes, bytes);
  const std::uint64_t copied_bytes = after.bytes_copied - before.bytes_copied;
  const std::uint64_t copied = after.received_copied - before.received_copied;
  EXPECT_LE(copied, 1U);
  // With what travels beside the data.
  EXPECT_LE(copied_bytes, bytes + 200);
  if (size() > 1 && transport_here().name() == std::string("shm")) {
    EXPECT_EQ(copied, 1U);
    EXPECT_GE(copied_bytes, bytes);
  }
  barrier();
  delete got_bytes;
}

}  // namespace
}  // namespace tasuki::test
