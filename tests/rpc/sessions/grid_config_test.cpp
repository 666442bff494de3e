#include "rpc/sessions/grid_config.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tasuki::rpc {
namespace {

class GridConfigTest : public testing::Test {
 protected:
  ~GridConfigTest() override { std::filesystem::remove(file_); }

  GridConfig read(const std::string& text) {
    std::ofstream(file_) << text;
    return read_grid_config(file_);
  }
  std::string error_of(const std::string& text) {
    try {
      read(text);
    } catch (const error& fault) {
      return fault.happened().substr(file_.size());
    }
    return "";
  }

 private:
  /// Of this process alone: each test is one, and they run at once.
  std::string file_ = testing::TempDir() + "grid_config_test_" + std::to_string(getpid());
};

TEST_F(GridConfigTest, ServersAndWaysAreRead) {
  const GridConfig config = read(
      "# Two servers.\n\nserver tasuki://first:1\n  server second  # Another.\n"
      "mode relay\nwire xdr");
  EXPECT_EQ(config.servers, "tasuki://first:1,second");
  EXPECT_EQ(config.options.mode, TransferMode::relay);
  EXPECT_EQ(config.options.wire, WireFormat::xdr);
}

TEST_F(GridConfigTest, AnEmptyFileSaysNothing) {
  const GridConfig config = read("");
  EXPECT_TRUE(config.servers.empty());
  EXPECT_FALSE(config.options.mode);
  EXPECT_FALSE(config.options.wire);
}

TEST_F(GridConfigTest, ErrorsNameTheLine) {
  EXPECT_EQ(error_of("mode auto\nspeed high\n"), ":2: 'speed' has no meaning");
  EXPECT_EQ(error_of("server\n"), ":1: 'server' has not one value");
  EXPECT_EQ(error_of("server a b\n"), ":1: 'server' has not one value");
  EXPECT_EQ(error_of("server http://a\n"), ":1: 'http://a' is no address");
  EXPECT_EQ(error_of("mode fast\n"), ":1: there is no mode fast");
  EXPECT_EQ(error_of("wire thin\n"), ":1: there is no wire format thin");
}

TEST_F(GridConfigTest, AFileThatIsNotThereIsAnErrorOfItsOwn) {
  EXPECT_THROW(read_grid_config("/nowhere/grid.conf"), NoGridConfig);
}

TEST_F(GridConfigTest, WithoutAFileTheSettingNamesTheServer) {
  unsetenv("TASUKI_SERVER");
  EXPECT_TRUE(usual_grid_config().servers.empty());
  setenv("TASUKI_SERVER", "host:1", 1);
  EXPECT_EQ(usual_grid_config().servers, "host:1");
  unsetenv("TASUKI_SERVER");
}

}  // namespace
}  // namespace tasuki::rpc
