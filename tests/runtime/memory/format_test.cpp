#include <fmt/format.h>

#include <tasuki/format.hpp>

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace tasuki {
namespace {

GlobalPtr<const int> somewhere() {
  return {3, reinterpret_cast<const int*>(std::uintptr_t{0x1a40})};
}

TEST(FormatTest, fmt_writes_what_streams_write) {
  std::ostringstream stream;
  stream << somewhere();
  EXPECT_EQ(fmt::format("{}", somewhere()), "rank 3: 0x1a40");
  EXPECT_EQ(fmt::format("{}", somewhere()), stream.str());
  EXPECT_EQ(fmt::format("{}", GlobalPtr<double>()), "null");
  EXPECT_EQ(fmt::format("[{:.>16}]", somewhere()), "[..rank 3: 0x1a40]");
}

#if defined(__cpp_lib_format)
TEST(FormatTest, the_standard_library_writes_what_streams_write) {
  EXPECT_EQ(std::format("{}", somewhere()), "rank 3: 0x1a40");
  EXPECT_EQ(std::format("{}", GlobalPtr<double>()), "null");
  EXPECT_EQ(std::format("[{:.>16}]", somewhere()), "[..rank 3: 0x1a40]");
}
#endif

}  // namespace
}  // namespace tasuki
