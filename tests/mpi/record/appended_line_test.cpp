#include "mpi/record/appended_line.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace tasuki::mpi::record {
namespace {

TEST(AppendedLine, MakesTheFileAndKeepsWhatIsThere) {
  const std::string path = ::testing::TempDir() + "appended_line_test";
  std::remove(path.c_str());
  append_line(path, "one\n");
  append_line(path, "two\n");
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, "one\ntwo\n");
  std::remove(path.c_str());
}

TEST(AppendedLine, SaysWhereItCannotBeWritten) {
  ::testing::internal::CaptureStderr();
  append_line("/nowhere/at/all", "one\n");
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("/nowhere/at/all"), std::string::npos);
}

}  // namespace
}  // namespace tasuki::mpi::record
