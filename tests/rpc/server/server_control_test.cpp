#include "rpc/server/server_control.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Outcome = ServerControl::Outcome;

class ServerControlTest : public testing::Test {
 protected:
  ~ServerControlTest() override { std::filesystem::remove(path_); }

  /// Ends the log, whose thread has then written all lines: nothing may be asked of control_ after.
  std::vector<json> end_log() {
    audit_.reset();
    std::vector<json> lines;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line));
    return lines;
  }

  CallOrigin origin_ = {"linpack", "solve", "ann", "127.0.0.1", 3};
  const User ann_{"ann"};
  const User bob_{"bob"};
  const std::string path_ = testing::TempDir() + "server_control_test_" + std::to_string(getpid());
  std::optional<AuditLog> audit_{path_};
  CallLog calls_;
  KeptTable kept_;
  ModuleTable modules_{{"127.0.0.1", 0}, {}, 1, calls_, kept_};
  ServerControl control_{modules_, calls_, kept_, *audit_};
};

TEST_F(ServerControlTest, UsersCancelTheirOwnCalls) {
  EXPECT_EQ(control_.cancel({ann_, "host"}, 1), Outcome::not_there);
  calls_.queue(origin_);
  EXPECT_EQ(control_.cancel({bob_, "host"}, 1), Outcome::not_allowed);
  // No group of ranks has it: it has just ended.
  EXPECT_EQ(control_.cancel({ann_, "host"}, 1), Outcome::not_there);
  EXPECT_TRUE(end_log().empty());
}

TEST_F(ServerControlTest, UsersFreeWhatIsTheirsAndTheLogSaysWho) {
  kept_.take(
      "program", origin_,
      {{"kept", {{{"name", "a"}, {"is_object", false}, {"bytes", 8}, {"about", json::object()}}}}});
  EXPECT_EQ(control_.begin_to_free({bob_, "host"}, "a"), Outcome::not_there);
  EXPECT_EQ(control_.free({bob_, "host"}, "a"), Outcome::not_there);
  EXPECT_EQ(control_.free({ann_, "host"}, "b"), Outcome::not_there);
  EXPECT_EQ(control_.begin_to_free({ann_, "host"}, "a"), Outcome::done);
  EXPECT_EQ(control_.begin_to_free({ann_, "host"}, "a"), Outcome::done);
  const std::vector<json> lines = end_log();
  ASSERT_EQ(lines.size(), 1U);
  json line = lines.front();
  line.erase("time");
  EXPECT_EQ(line, json({{"event", "free"},
                        {"client", {{"host", "host"}}},
                        {"user", "ann"},
                        {"module", "linpack"},
                        {"kept", "a"}}));
}

}  // namespace
}  // namespace tasuki::rpc
