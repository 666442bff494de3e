#include "runtime/world/idle_report.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <tasuki/detail/runtime/calls/rank.hpp>

#include "runtime/world/own_idle_work.hpp"
#include "support/rank_test.hpp"
#include "support/temporary_folder.hpp"

namespace tasuki::test {
namespace {

using predict::Mode;
using IdleReportTest = RankTest;

TEST_F(IdleReportTest, writes_a_line_of_what_became_of_the_predictions) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "report";
  ::setenv("TASUKI_PREDICT_REPORT", path.c_str(), 1);
  OwnIdleWork work(Mode::always);
  work.be_idle();
  runtime::append_idle_report(runtime::Rank::current(), *work);
  ::unsetenv("TASUKI_PREDICT_REPORT");
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  const std::string begin = "{\"rank\": " + std::to_string(rank()) +
                            ", \"ranks\": " + std::to_string(size()) + ", \"mode\": \"always\"";
  EXPECT_EQ(text.str().rfind(begin, 0), 0u) << text.str();
  EXPECT_TRUE(contains(text.str(), "\"idle\": 1, ")) << text.str();
  EXPECT_TRUE(contains(text.str(), "\"redone\": {\"result\": 0}")) << text.str();
}

}  // namespace
}  // namespace tasuki::test
