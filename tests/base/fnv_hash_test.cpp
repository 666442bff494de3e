#include <gtest/gtest.h>
#include <tasuki/detail/base/fnv_hash.hpp>

namespace tasuki::base {
namespace {

TEST(FnvHash, GivesTheValuesOfItsAuthors) {
  EXPECT_EQ(fnv_hash(""), 0xcbf29ce484222325U);
  EXPECT_EQ(fnv_hash("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(fnv_hash("foobar"), 0x85944171f73967e8U);
}

}  // namespace
}  // namespace tasuki::base
