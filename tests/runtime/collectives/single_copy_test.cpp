// Which teams may copy straight from each other's private memory: those of a job in which every
// rank can read the next one's, for no rank has tried more than that.
#include <gtest/gtest.h>

#include <tasuki/tasuki.hpp>

#include "node/teams/node_segment.hpp"
#include "runtime/collectives/team_state.hpp"
#include "support/thread_job.hpp"

namespace tasuki::test {
namespace {

/// Requires: the team's ranks share memory.
bool reads_peers(const Team& team) { return team.state().node_segment->reads_peers(); }

TEST(SingleCopyTest, ATeamWhoseRanksCanAllReadMayNotWhereAnotherRankCannot) {
  run_threads(3,
              [] {
                EXPECT_FALSE(reads_peers(world_team()));
                const Team readers = world_team().split(rank() == 2);
                if (rank() != 2) {
                  EXPECT_FALSE(reads_peers(readers));
                }
                EXPECT_FALSE(reads_peers(world_team().split(0, -rank())));
              },
              {.readers_count = 2});
}

TEST(SingleCopyTest, WhereAllCanReadTeamsMay) {
  run_threads(3,
              [] {
                EXPECT_TRUE(reads_peers(world_team()));
                EXPECT_TRUE(reads_peers(world_team().split(0, -rank())));
              },
              {.readers_count = 3});
}

}  // namespace
}  // namespace tasuki::test
