#include "rpc/wire/secret.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tasuki::rpc {
namespace {

TEST(SecretTest, EachIsAnotherOneOf128Bits) {
  std::set<std::string> made;
  for (int i = 0; i < 1000; ++i) made.insert(make_secret());
  EXPECT_EQ(made.size(), 1000U);
  for (const std::string& one : made) {
    EXPECT_EQ(one.size(), 32U);
    EXPECT_EQ(one.find_first_not_of("0123456789abcdef"), std::string::npos) << one;
  }
}

}  // namespace
}  // namespace tasuki::rpc
