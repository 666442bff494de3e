#include "rpc/server/users.hpp"

#include <gtest/gtest.h>

#include <tasuki/error.hpp>

#include "rpc/tls/digest.hpp"

namespace tasuki::rpc {
namespace {

TEST(UsersTest, WithoutUsersAnyoneIsLetIn) {
  const Users users({});
  EXPECT_FALSE(users.need_token());
  const auto anyone = users.find("");
  ASSERT_TRUE(anyone);
  EXPECT_EQ(anyone->name, "");
  EXPECT_FALSE(anyone->limits.calls_at_once);
}

TEST(UsersTest, EachTokenIsItsUsers) {
  const Users users({{"ann", sha256_text("one")}, {"bob", sha256_text("two")}});
  EXPECT_TRUE(users.need_token());
  EXPECT_EQ(users.find("one")->name, "ann");
  EXPECT_EQ(users.find("two")->name, "bob");
  EXPECT_EQ(users.find("three"), nullptr);
  EXPECT_EQ(users.find(""), nullptr);
  EXPECT_EQ(users.find(sha256_text("one")), nullptr);  // Who reads the file cannot call.
}

TEST(UsersTest, OthersTakeTheirPlaceWhileSessionsGoOn) {
  Users users({{"ann", sha256_text("one")}});
  const auto ann = users.find("one");
  users.replace({{"bob", sha256_text("two")}});
  EXPECT_EQ(users.find("one"), nullptr);
  EXPECT_EQ(ann->name, "ann");
}

TEST(UsersTest, AUserIsCurrentAsLongAsTheTokenIs) {
  Users users({{"ann", sha256_text("one")}});
  const auto ann = users.find("one");
  User with_limits{"ann", sha256_text("one")};
  with_limits.limits.calls_at_once = 3;
  users.replace({with_limits});
  EXPECT_EQ(users.current(*ann)->limits.calls_at_once, 3);
  users.replace({{"ann", sha256_text("two")}});
  EXPECT_EQ(users.current(*ann), nullptr);
  users.replace({});
  EXPECT_TRUE(users.current(*ann));
}

TEST(UsersTest, LimitsAreRead) {
  const User user = user_from_json(
      {{"name", "ann"}, {"token_sha256", "0"}, {"calls_at_once", 2}, {"call_time_s", 1.5}});
  EXPECT_EQ(user.limits.calls_at_once, 2);
  EXPECT_EQ(user.limits.call_time_s, 1.5);
  EXPECT_FALSE(user.limits.calls_per_minute);
  EXPECT_THROW(user_from_json({{"name", "ann"}}), error);
}

}  // namespace
}  // namespace tasuki::rpc
