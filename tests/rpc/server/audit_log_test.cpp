#include "rpc/server/audit_log.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <string>
#include <tasuki/error.hpp>
#include <vector>

#include "support/temporary_folder.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

std::vector<json> lines_of(const std::string& path) {
  std::vector<json> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line));
  return lines;
}

class AuditLogTest : public testing::Test {
 protected:
  const test::TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path().string();
};

TEST_F(AuditLogTest, WhatAClientHasSentMakesNoLongLines) {
  {
    AuditLog log(folder_ + "/log");
    log.write("refusal", {{"happened", std::string(1'000'000, 'a')}});
    log.write("reload", {{"happened", {"first", "second"}}});
  }
  const std::vector<json> lines = lines_of(folder_ + "/log");
  EXPECT_EQ(lines.at(0)["happened"], std::string(1000, 'a') + "...");
  EXPECT_EQ(lines.at(1)["happened"].size(), 2U);
}

TEST_F(AuditLogTest, EachEventIsALineWithItsTime) {
  const std::string path = folder_ + "/log";
  {
    AuditLog log(path);
    log.write("connect", {{"user", "ann"}});
    log.write("call", {{"user", "\xff no text\n"}});
  }
  const std::vector<json> lines = lines_of(path);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0]["event"], "connect");
  EXPECT_EQ(lines[0]["user"], "ann");
  EXPECT_GT(lines[1]["time"].get<double>(), 1e9);
  struct stat found {};
  ASSERT_EQ(stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
}

TEST_F(AuditLogTest, AFileThatWasMovedAwayIsMadeAnew) {
  const std::string path = folder_ + "/log";
  {
    AuditLog log(path);
    log.write("connect", json::object());
    std::filesystem::rename(path, path + ".1");
    log.write("connect", json::object());
    log.reopen();
    log.write("disconnect", json::object());
  }
  EXPECT_EQ(lines_of(path + ".1").size(), 2U);
  EXPECT_EQ(lines_of(path).size(), 1U);
}

TEST_F(AuditLogTest, AFileThatTakesNothingHoldsNobodyUpAndWhatIsLeftOutIsCounted) {
  const std::string path = folder_ + "/log";
  ASSERT_EQ(mkfifo(path.c_str(), S_IRUSR | S_IWUSR), 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  constexpr std::int64_t events_count = 2 * AuditLog::waiting_most_bytes / 1000;
  std::future<std::string> reading;
  {
    AuditLog log(path);
    for (std::int64_t i = 0; i < events_count; ++i) {
      log.write("refusal", {{"happened", std::string(1000, 'a')}});
    }
    fcntl(reader, F_SETFL, 0);
    reading = std::async(std::launch::async, [reader] {
      std::string text;
      std::array<char, 65536> part{};
      for (ssize_t bytes = 0; (bytes = read(reader, part.data(), part.size())) > 0;) {
        text.append(part.data(), static_cast<std::size_t>(bytes));
      }
      return text;
    });
  }
  std::istringstream lines(reading.get());
  close(reader);
  std::int64_t found_count = 0;
  for (std::string line; std::getline(lines, line);) {
    const json event = json::parse(line);
    found_count += event["event"] == "lost" ? event["count"].get<std::int64_t>() : 1;
  }
  EXPECT_EQ(found_count, events_count);
}

TEST_F(AuditLogTest, AFileThatCannotBeIsAnErrorAndNoneIsNone) {
  EXPECT_THROW(AuditLog(folder_ + "/none/log"), error);
  AuditLog none("");
  none.write("connect", json::object());
  none.reopen();
}

}  // namespace
}  // namespace tasuki::rpc
