#include "rpc/tls/digest.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

TEST(DigestTest, IsThatOfTheStandard) {
  // FIPS 180-4, its example of one block.
  EXPECT_EQ(sha256_text("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abc").size(), 32U);
}

TEST(DigestTest, SecretsAreTheSameIfAllOfThemIs) {
  EXPECT_TRUE(is_same_secret("abc", "abc"));
  EXPECT_FALSE(is_same_secret("abc", "abd"));
  EXPECT_FALSE(is_same_secret("abc", "ab"));
  EXPECT_FALSE(is_same_secret("", "a"));
}

}  // namespace
}  // namespace tasuki::rpc
