#include <gtest/gtest.h>
#include <tasuki/detail/base/appended_line.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support/temporary_folder.hpp"

namespace tasuki::base {
namespace {

TEST(AppendedLine, ComesAfterThoseBefore) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "lines";
  append_line(path, "first\n");
  append_line(path, "second\n");
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "first\nsecond\n");
}

TEST(AppendedLine, SaysWhereItCannotBeWritten) {
  testing::internal::CaptureStderr();
  append_line("/there/is/no/such/folder", "line\n");
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("/there/is/no/such/folder: No such file"), std::string::npos) << text;
}

}  // namespace
}  // namespace tasuki::base
