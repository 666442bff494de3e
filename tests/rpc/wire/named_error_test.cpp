#include "rpc/wire/named_error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tasuki::rpc {
namespace {

TEST(NamedErrorTest, SaysWhatAnErrorSaysAndItsKind) {
  const NamedError fault(quota_kind, "lease ranks", "too many calls", "wait");
  EXPECT_EQ(fault.kind(), "quota");
  EXPECT_EQ(fault.operation(), "lease ranks");
  EXPECT_EQ(fault.happened(), "too many calls");
  EXPECT_EQ(fault.remedy(), "wait");
}

TEST(NamedErrorTest, ItsKindIsFoundWhereItIsCaughtAsAnError) {
  try {
    throw NamedError(draining_kind, "lease ranks", "it is about to end", "ask another server");
  } catch (const error& fault) {
    EXPECT_EQ(kind_of(fault), draining_kind);
  }
}

TEST(NamedErrorTest, AnErrorWithoutANameIsOfTheUsualKind) {
  EXPECT_EQ(kind_of(error("lease ranks", "none has joined", "wait")), usual_kind);
}

}  // namespace
}  // namespace tasuki::rpc
