// How long idle ranks may wait for the MPI library.
#include "runtime/collectives/unfinished_requests.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using UnfinishedRequestsTest = RankTest;
using runtime::patience_ns;
using runtime::UnfinishedRequest;
using runtime::UnfinishedRequests;
using Kind = UnfinishedRequest::Kind;

constexpr std::int64_t for_ever_ns = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t bytes = 1'000'000;
constexpr std::int64_t second_ns = 1'000'000'000;

UnfinishedRequest send(int to, std::uint32_t number) { return {Kind::send, to, number, bytes}; }
UnfinishedRequest receive(int from, std::uint32_t number) {
  return {Kind::receive, from, number, bytes};
}
UnfinishedRequest collective(std::uint32_t number) { return {Kind::collective, -1, number, bytes}; }
UnfinishedRequest partial(std::uint32_t number) {
  return {Kind::partial_collective, -1, number, bytes};
}

TEST_F(UnfinishedRequestsTest, without_any_the_ranks_are_stuck) {
  EXPECT_EQ(patience_ns({{0, 0, {}}, {1, 0, {}}}), 0);
}

TEST_F(UnfinishedRequestsTest, a_message_ends_by_itself_once_both_ends_are_there) {
  EXPECT_EQ(patience_ns({{0, 0, {send(1, 7)}}, {1, 0, {receive(0, 7)}}}), for_ever_ns);
  EXPECT_EQ(patience_ns({{0, 0, {send(1, 7)}}, {1, 0, {receive(0, 6)}}}), 0);
  EXPECT_EQ(patience_ns({{0, 0, {send(1, 7)}}, {1, 0, {send(0, 7)}}}), 0);
  EXPECT_EQ(patience_ns({{0, 0, {receive(1, 7)}}, {1, 0, {receive(0, 7)}}}), 0);
  EXPECT_EQ(patience_ns({{0, 0, {send(2, 7)}}, {1, 0, {receive(0, 7)}}, {2, 0, {}}}), 0);
}

TEST_F(UnfinishedRequestsTest, a_message_and_a_receive_of_other_length_never_meet) {
  UnfinishedRequest shorter = receive(0, 7);
  shorter.bytes = bytes / 2;
  const std::vector<UnfinishedRequests> stuck{{0, 0, {send(1, 7)}}, {1, 0, {shorter}}};
  EXPECT_EQ(patience_ns(stuck), 0);
  const auto mismatch = runtime::length_mismatch_of(stuck);
  ASSERT_TRUE(mismatch.has_value());
  EXPECT_EQ(mismatch->source, 0);
  EXPECT_EQ(mismatch->arrived_bytes, bytes);
  EXPECT_EQ(mismatch->expected_bytes, bytes / 2);
}

TEST_F(UnfinishedRequestsTest, requests_of_other_numbers_or_ranks_are_no_mismatch) {
  UnfinishedRequest shorter = receive(0, 6);
  shorter.bytes = bytes / 2;
  EXPECT_FALSE(runtime::length_mismatch_of({{0, 0, {send(1, 7)}}, {1, 0, {shorter}}}));
  shorter.number = 7;
  EXPECT_FALSE(runtime::length_mismatch_of({{0, 0, {send(1, 7)}}, {2, 0, {shorter}}}));
  EXPECT_FALSE(runtime::length_mismatch_of({{0, 0, {send(1, 7)}}, {1, 0, {receive(0, 7)}}}));
  EXPECT_FALSE(runtime::length_mismatch_of({{0, 0, {send(1, 7)}}, {1, 0, {send(0, 7)}}}));
}

TEST_F(UnfinishedRequestsTest, a_collective_ends_by_itself_once_all_have_begun_it) {
  EXPECT_EQ(patience_ns({{0, 3, {collective(2)}}, {1, 3, {collective(2)}}}), for_ever_ns);
  EXPECT_EQ(patience_ns({{0, 3, {collective(2)}}, {1, 3, {}}}), for_ever_ns);
  EXPECT_EQ(patience_ns({{0, 3, {collective(2)}}, {1, 2, {}}}), 0);
  EXPECT_EQ(patience_ns({{0, 4, {collective(2), collective(3)}}, {1, 3, {}}}), for_ever_ns);
}

TEST_F(UnfinishedRequestsTest, where_a_root_may_do_without_others_a_slow_network_has_its_time) {
  EXPECT_EQ(patience_ns({{0, 3, {partial(2)}}, {1, 3, {partial(2)}}}), for_ever_ns);
  EXPECT_EQ(patience_ns({{0, 3, {partial(2)}}, {1, 3, {partial(2)}}, {2, 2, {}}}), 2 * second_ns);
}

TEST_F(UnfinishedRequestsTest, huge_sizes_do_not_overflow) {
  const UnfinishedRequest huge{Kind::partial_collective, -1, 2, std::uint64_t{1} << 62};
  EXPECT_GT(patience_ns({{0, 3, {huge}}, {1, 2, {}}}), std::int64_t{1} << 61);
}

}  // namespace
}  // namespace tasuki::test
