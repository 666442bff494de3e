#include "rpc/server/rank_faults.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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
  const LeaseFault vanished = silent_hosts("linpack", {.vanished = {{"b", {2, 3, 4, 6}}}}, 30);
  EXPECT_EQ(vanished.operation, "call linpack");
  EXPECT_EQ(vanished.happened,
            "host b with ranks 2-4, 6 has vanished: there has been no sign of life from it for"
            " 30 s");
  EXPECT_EQ(silent_hosts("linpack", {.stopped = {{"b", {0}}}}, 30).happened,
            "host b with rank 0 has not answered for 30 s: its processes are stopped, or it is"
            " paused or too busy");
}

TEST(RankFaults, AllSilentHostsAreNamed) {
  const RankHost b{"b", {0}}, c{"c", {1, 2}}, d{"d", {3}}, e{"e", {4}};
  EXPECT_EQ(silent_hosts("linpack", {.vanished = {b, c}, .stopped = {d, e}}, 9).happened,
            "host b with rank 0; host c with ranks 1-2 have vanished: there has been no sign of"
            " life from them for 9 s; host d with rank 3; host e with rank 4 have not answered for"
            " 9 s: their processes are stopped, or they are paused or too busy");
}

TEST(RankFaults, WhereAllOthersHaveVanishedThisHostMayBeTheOneThatIsCutOff) {
  const std::vector<RankHost> vanished = {{"b", {0}}};
  EXPECT_EQ(silent_hosts("linpack", {.vanished = vanished}, 9).remedy.find("cut off"),
            std::string::npos);
  EXPECT_NE(silent_hosts("linpack", {.vanished = vanished, .cut_off = "a"}, 9)
                .remedy.find("with host a, the server's own, which may be the one that is cut off"),
            std::string::npos);
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
