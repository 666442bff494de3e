#include "rpc/server/printed_lines.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace tasuki::rpc {
namespace {

void write_to(PrintedLines& lines, std::string_view text) {
  EXPECT_EQ(write(lines.descriptor(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

TEST(PrintedLines, TheLastOnesAreRememberedAndAllArePassedOn) {
  testing::internal::CaptureStderr();
  std::string all;
  {
    PrintedLines lines;
    EXPECT_EQ(lines.last(), "");
    for (int i = 0; i < 1000; ++i) {
      all += fmt::format("line {}\n\n", i);
      write_to(lines, fmt::format("line {}\n\n", i));
    }
    EXPECT_EQ(lines.last(), "line 996; line 997; line 998; line 999");
    all += "a half";
    write_to(lines, "a half");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), all);
}

TEST(PrintedLines, WhatTasukiHasSaidOfAHostLastIsKept) {
  testing::internal::CaptureStderr();
  {
    PrintedLines lines;
    EXPECT_EQ(lines.told_of_host(), "");
    write_to(lines, "mpiexec: host b is lost\ntasuki: running as root.\n");
    EXPECT_EQ(lines.told_of_host(), "");
    write_to(lines, "tasuki: host b with ranks 2-3 cannot be reached any more.\n");
    EXPECT_EQ(lines.told_of_host(), "host b with ranks 2-3 cannot be reached any more");
    write_to(lines, "tasuki: rank 0: host c has vanished:\n  main waits\n  a\n  b\n  c\n  d\n");
    EXPECT_EQ(lines.told_of_host(), "host c has vanished");
  }
  testing::internal::GetCapturedStderr();
}

TEST(PrintedLines, ALongLineIsShortened) {
  testing::internal::CaptureStderr();
  {
    PrintedLines lines;
    write_to(lines, std::string(5000, 'x') + "\n");
    EXPECT_EQ(lines.last(), std::string(200, 'x'));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr().size(), 5001U);
}

}  // namespace
}  // namespace tasuki::rpc
