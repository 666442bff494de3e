#include "mpi/wait/shared_cores.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace tasuki::mpi::wait {
namespace {

cpu_set_t cores(std::initializer_list<int> numbers) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const int number : numbers) CPU_SET(number, &mask);
  return mask;
}

TEST(SharedCores, ARankForEachCoreIsNoCrowd) {
  EXPECT_FALSE(are_crowded({cores({0}), cores({1})}));
  EXPECT_FALSE(are_crowded({cores({0, 1}), cores({0, 1})}));
  EXPECT_FALSE(are_crowded({cores({0, 1}), cores({0}), cores({1, 2, 3})}));
}

TEST(SharedCores, MoreRanksThanCoresAre) {
  EXPECT_TRUE(are_crowded({cores({0, 1}), cores({0, 1}), cores({0, 1})}));
}

TEST(SharedCores, TwoRanksBoundToOneCoreAreWhateverElseIsFree) {
  EXPECT_TRUE(are_crowded({cores({0}), cores({0}), cores({1, 2, 3})}));
}

TEST(SharedCores, BoundAndFreeRanksTogetherMayBe) {
  EXPECT_TRUE(are_crowded({cores({0}), cores({1}), cores({0, 1})}));
}

}  // namespace
}  // namespace tasuki::mpi::wait
