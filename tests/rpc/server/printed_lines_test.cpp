#include "rpc/server/printed_lines.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <thread>

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

TEST(PrintedLines, WhatIsToldOfHostsIsKeptAlsoOutOfLongLines) {
  testing::internal::CaptureStderr();
  {
    PrintedLines lines;
    std::string hosts;
    for (int i = 0; i < 40; ++i) hosts += fmt::format("host b{0} with rank {0}; ", i);
    write_to(lines, fmt::format("tasuki: rank 50: {}host c with rank 40 have vanished:\n", hosts));
    write_to(lines, "  main waits\n  a\n  b\n  c\n  d\n");
    while (!lines.is_all_read()) std::this_thread::yield();
    const std::string told = lines.told_of_hosts();
    EXPECT_TRUE(told.starts_with("host b0 with rank 0 has vanished; ")) << told;
    EXPECT_TRUE(told.ends_with("; host c with rank 40 has vanished")) << told;
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
