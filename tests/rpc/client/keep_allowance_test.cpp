#include "rpc/client/keep_allowance.hpp"

#include <gtest/gtest.h>

#include <string>

#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {
namespace {

using layout::ArrayLayout;
using layout::Axis;

/// So many numbers of 8 bytes, on each of two ranks.
ArrayLayout copies_of(std::int64_t n) {
  return {{Axis(n, layout::Whole{}, 1)}, layout::Replicated{2}, 8};
}

std::string refused(const KeepAllowance& allowance, const ArrayLayout& layout) {
  try {
    allowance.check(layout);
  } catch (const NamedError& fault) {
    return fault.kind() + ": " + fault.happened();
  }
  return {};
}

TEST(KeepAllowance, TheLimitIsOfAllRanksTogether) {
  const KeepAllowance allowance = keep_allowance_from({{"keep_limit_bytes", 160}});
  EXPECT_EQ(refused(allowance, copies_of(10)), "");
  EXPECT_EQ(refused(allowance, copies_of(11)),
            "quota: it has 176 bytes on all ranks together, and these keep 160 at most");
}

TEST(KeepAllowance, MoreBytesThanCanBeCountedAreTooMany) {
  const KeepAllowance allowance = keep_allowance_from({{"keep_limit_bytes", 160}});
  EXPECT_NE(refused(allowance, copies_of((std::int64_t{1} << 60) - 1)), "");
}

TEST(KeepAllowance, TheQuotaIsOfTheUser) {
  const KeepAllowance allowance = keep_allowance_from(
      {{"keep_limit_bytes", 1000}, {"kept_quota", {{"user", "ann"}, {"most_bytes", 100}}}});
  EXPECT_EQ(refused(allowance, copies_of(6)), "");
  EXPECT_EQ(refused(allowance, copies_of(7)),
            "quota: it has 112 bytes on all ranks together, and the quota of user ann is"
            " kept_memory_bytes = 100");
}

TEST(KeepAllowance, AServerThatSaysNothingIsLeftToDecide) {
  EXPECT_EQ(refused(keep_allowance_from({{"lease", 1}}), copies_of(1'000'000)), "");
}

}  // namespace
}  // namespace tasuki::rpc
