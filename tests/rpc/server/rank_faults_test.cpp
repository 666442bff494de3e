#include "rpc/server/rank_faults.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

TEST(RankFaults, ALostRankIsNamedWithHowItHasEnded) {
  EXPECT_EQ(lost_rank("linpack", {1, ""}, {}).operation, "call linpack on rank 1");
  EXPECT_EQ(lost_rank("linpack", {1, ""}, {}).happened, "the process has ended during the call");
  EXPECT_EQ(lost_rank("linpack", {1, "b"}, ProcessEnd{.signal = 11}).happened,
            "the process on host b has ended during the call, by signal 11 (Segmentation fault)");
}

TEST(RankFaults, ASilentRankIsNamedWithTheTime) {
  EXPECT_EQ(silent_rank("linpack", {1, ""}, 2.5).happened,
            "the rank has not answered for 2.5 s: its process is stopped, or its machine is too"
            " busy");
  EXPECT_EQ(silent_rank("linpack", {1, "b"}, 2.5).happened,
            "the rank on host b has not answered for 2.5 s: its process is stopped, or its machine"
            " is too busy");
}

TEST(RankFaults, ASilentHostIsNamedWithItsRanks) {
  EXPECT_EQ(silent_host("linpack", {"b", {2, 3, 4, 6}}, true, 30).happened,
            "host b with ranks 2-4, 6 has vanished: there has been no sign of life from it for"
            " 30 s");
  EXPECT_EQ(silent_host("linpack", {"b", {0}}, false, 30).happened,
            "host b with rank 0 has not answered for 30 s: its processes are stopped, or it is"
            " paused or too busy");
}

TEST(RankFaults, AProgramThatDoesNotStartIsQuoted) {
  EXPECT_EQ(failed_start("linpack", {}, "").happened(),
            "its program has ended before all its ranks have joined");
  EXPECT_EQ(
      failed_start("linpack", ProcessEnd{.code = 127}, "env: 'srun': no such file").happened(),
      "its program has ended before all its ranks have joined, by exit code 127; it has"
      " printed: env: 'srun': no such file");
}

TEST(RankFaults, OperatorsReadWhyRanksEnd) {
  EXPECT_EQ(end_notice("linpack", "the server ends"),
            "module linpack: its ranks have to end: the server ends");
}

}  // namespace
}  // namespace tasuki::rpc
