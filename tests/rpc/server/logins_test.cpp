#include "rpc/server/logins.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

using std::chrono::seconds;

const Logins::Clock::time_point begin{seconds(1000)};

std::shared_ptr<const User> user(const char* name) { return std::make_shared<const User>(name); }

TEST(LoginsTest, ALoginIsOneUsersUntilItEnds) {
  Logins logins;
  const std::string ann = logins.begin(user("ann"));
  const std::string bob = logins.begin(user("bob"));
  EXPECT_EQ(logins.find(ann)->name, "ann");
  EXPECT_EQ(logins.find(bob)->name, "bob");
  EXPECT_EQ(logins.find("ann"), nullptr);
  logins.end(ann);
  logins.end(ann);
  EXPECT_EQ(logins.find(ann), nullptr);
  EXPECT_EQ(logins.find(bob)->name, "bob");
}

TEST(LoginsTest, ALoginThatNobodyUsesEnds) {
  Logins logins;
  const std::string name = logins.begin(user("ann"), begin);
  EXPECT_NE(logins.find(name, begin + Logins::idle_most), nullptr);
  EXPECT_NE(logins.find(name, begin + 2 * Logins::idle_most), nullptr);
  EXPECT_EQ(logins.find(name, begin + 3 * Logins::idle_most + seconds(1)), nullptr);
  EXPECT_EQ(logins.find(name, begin), nullptr);
}

TEST(LoginsTest, AUserHasSoManyAtOnce) {
  Logins logins;
  const std::string bob = logins.begin(user("bob"), begin);
  const std::string first = logins.begin(user("ann"), begin);
  const std::string second = logins.begin(user("ann"), begin + seconds(1));
  for (std::ptrdiff_t i = 2; i < Logins::of_user_most; ++i) {
    logins.begin(user("ann"), begin + seconds(2));
  }
  EXPECT_NE(logins.find(first, begin + seconds(3)), nullptr);
  logins.begin(user("ann"), begin + seconds(4));
  EXPECT_EQ(logins.find(second, begin + seconds(5)), nullptr);
  EXPECT_NE(logins.find(first, begin + seconds(5)), nullptr);
  EXPECT_NE(logins.find(bob, begin + seconds(5)), nullptr);
}

}  // namespace
}  // namespace tasuki::rpc
