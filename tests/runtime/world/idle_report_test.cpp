#include "runtime/world/idle_report.hpp"

#include <string>
#include <tasuki/detail/runtime/calls/rank.hpp>

#include "runtime/world/own_idle_work.hpp"
#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using predict::Mode;
using IdleReportTest = RankTest;

TEST_F(IdleReportTest, tells_what_became_of_the_predictions) {
  OwnIdleWork work(Mode::always);
  work.be_idle();
  const std::string line = runtime::idle_report_line(runtime::Rank::current(), *work);
  const std::string begin = "{\"rank\": " + std::to_string(rank()) +
                            ", \"ranks\": " + std::to_string(size()) + ", \"mode\": \"always\"";
  EXPECT_EQ(line.rfind(begin, 0), 0u) << line;
  EXPECT_TRUE(contains(line, "\"idle\": 1, ")) << line;
  EXPECT_TRUE(contains(line, "\"redone\": {\"result\": 0, ")) << line;
}

}  // namespace
}  // namespace tasuki::test
