#include "rpc/server/line_reader.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

namespace tasuki::rpc {
namespace {

TEST(LineReaderTest, LinesComeInAnyParts) {
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  LineReader lines(pipe_ends[0]);
  const auto write_all = [&](const std::string& text) {
    ASSERT_EQ(write(pipe_ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  };
  write_all("first\nsec");
  EXPECT_TRUE(lines.read());
  EXPECT_EQ(lines.next(), "first");
  EXPECT_FALSE(lines.next());
  write_all("ond\n\n");
  EXPECT_TRUE(lines.read());
  EXPECT_EQ(lines.next(), "second");
  EXPECT_EQ(lines.next(), "");
  EXPECT_FALSE(lines.next());
  close(pipe_ends[1]);
  EXPECT_FALSE(lines.read());
  close(pipe_ends[0]);
}

}  // namespace
}  // namespace tasuki::rpc
