#include "rpc/server/user.hpp"

#include <gtest/gtest.h>

#include <string>

#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

TEST(UserTest, HasTheLimitsThatAreGivenAndNoOthers) {
  const User free = user_from_json({{"name", "ann"}, {"token_sha256", "digest"}});
  EXPECT_EQ(free.name, "ann");
  EXPECT_EQ(free.token_sha256, "digest");
  EXPECT_FALSE(free.limits.calls_at_once);
  EXPECT_FALSE(free.limits.calls_per_minute);
  EXPECT_FALSE(free.limits.call_memory_bytes);
  EXPECT_FALSE(free.limits.kept_memory_bytes);
  EXPECT_FALSE(free.limits.call_time_s);
  const User limited = user_from_json({{"name", "bob"},
                                       {"token_sha256", "digest"},
                                       {"calls_at_once", 1},
                                       {"calls_per_minute", 2},
                                       {"call_memory_bytes", std::int64_t{3} << 32},
                                       {"kept_memory_bytes", 4},
                                       {"call_time_s", 0.5}});
  EXPECT_EQ(limited.limits.calls_at_once, 1);
  EXPECT_EQ(limited.limits.calls_per_minute, 2);
  EXPECT_EQ(limited.limits.call_memory_bytes, std::int64_t{3} << 32);
  EXPECT_EQ(limited.limits.kept_memory_bytes, 4);
  EXPECT_EQ(limited.limits.call_time_s, 0.5);
}

TEST(UserTest, AWrongFieldIsNamed) {
  const json whole = {{"name", "ann"}, {"token_sha256", "digest"}};
  for (const char* name : {"name", "token_sha256", "calls_at_once", "calls_per_minute",
                           "call_memory_bytes", "kept_memory_bytes", "call_time_s"}) {
    json broken = whole;
    broken[name] = json::array();
    EXPECT_EQ(happened_in([&] { user_from_json(broken); }),
              std::string("its field ") + name + " is missing or of another type");
  }
  for (const char* name : {"name", "token_sha256"}) {
    json broken = whole;
    broken.erase(name);
    EXPECT_EQ(happened_in([&] { user_from_json(broken); }),
              std::string("its field ") + name + " is missing or of another type");
  }
}

}  // namespace
}  // namespace tasuki::rpc
