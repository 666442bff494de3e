#include "rpc/tls/running_digest.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tasuki::rpc {
namespace {

using Messages = std::vector<std::string>;

std::string digest_of(const Messages& messages) {
  RunningDigest digest;
  for (const std::string& one : messages) {
    digest.add({reinterpret_cast<const std::uint8_t*>(one.data()), one.size()});
  }
  return digest.text();
}

TEST(RunningDigestTest, TheSameMessagesHaveTheSameDigest) {
  EXPECT_EQ(digest_of({"ab", "", "c"}), digest_of({"ab", "", "c"}));
  EXPECT_EQ(digest_of({}).size(), 64U);
}

TEST(RunningDigestTest, WhereAMessageEndsCounts) {
  const Messages whole = {"ab", "c"};
  for (const Messages& other :
       {Messages{"a", "bc"}, {"abc"}, {"c", "ab"}, {"ab"}, {"ab", "c", ""}, {}}) {
    EXPECT_NE(digest_of(whole), digest_of(other));
  }
}

}  // namespace
}  // namespace tasuki::rpc
