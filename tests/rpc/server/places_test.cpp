#include "rpc/server/places.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

TEST(PlacesTest, EachHasSoManyAtOnceAndNoneOfOthers) {
  Places places;
  EXPECT_FALSE(places.enter("ann", 0));
  auto first = places.enter("ann", 2);
  const auto second = places.enter("ann", 2);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->whose(), "ann");
  EXPECT_FALSE(places.enter("ann", 2));
  EXPECT_TRUE(places.enter("bob", 1));
  first.reset();
  first = places.enter("ann", 2);
  EXPECT_TRUE(first);
  EXPECT_FALSE(places.enter("ann", 2));
}

}  // namespace
}  // namespace tasuki::rpc
