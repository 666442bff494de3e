#include "rpc/wire/shortened.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

TEST(ShortenedTest, TheBeginningOfALongTextIsKept) {
  const std::string whole(kept_text_bytes, 'a');
  EXPECT_EQ(shortened(whole), whole);
  EXPECT_EQ(shortened(whole + "b"), whole + "...");
  EXPECT_EQ(shortened(""), "");
}

}  // namespace
}  // namespace tasuki::rpc
