#include "rpc/wire/refusal.hpp"

#include <gtest/gtest.h>

#include "rpc/wire/happened.hpp"
#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

TEST(RefusalTest, AnErrorComesOutOfItsMessageAsItWas) {
  try {
    throw_refusal(refusal_of(error("lease ranks", "there is no module m", "choose another")));
  } catch (const error& fault) {
    EXPECT_EQ(dynamic_cast<const NamedError*>(&fault), nullptr);
    EXPECT_EQ(kind_of(fault), usual_kind);
    EXPECT_EQ(fault.operation(), "lease ranks");
    EXPECT_EQ(fault.happened(), "there is no module m");
    EXPECT_EQ(fault.remedy(), "choose another");
  }
}

TEST(RefusalTest, ANamedErrorKeepsItsKind) {
  try {
    throw_refusal(refusal_of(NamedError(queue_full_kind, "lease ranks", "70 wait", "call later")));
  } catch (const error& fault) {
    EXPECT_EQ(kind_of(fault), queue_full_kind);
    EXPECT_EQ(fault.happened(), "70 wait");
  }
}

TEST(RefusalTest, AMessageWithoutOneOfItsFieldsIsRefusedItself) {
  const json whole = refusal_of(NamedError(access_kind, "connect", "who are you", "give a token"));
  for (const char* field : {"operation", "happened", "remedy", "kind"}) {
    json broken = whole;
    broken[field] = 7;
    EXPECT_EQ(happened_in([&] { throw_refusal(broken); }),
              std::string("its field ") + field + " is missing or of another type");
  }
}

}  // namespace
}  // namespace tasuki::rpc
