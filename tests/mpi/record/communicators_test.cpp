#include "mpi/record/communicators.hpp"

#include <gtest/gtest.h>

namespace tasuki::mpi::record {
namespace {

Communicator numbered(std::uint16_t index) {
  Communicator made;
  made.index = index;
  return made;
}

TEST(Communicators, ForgetsAFreedHandleThatMpiGivesAgain) {
  Communicators all;
  EXPECT_EQ(all.find(7), nullptr);
  all.add(7, numbered(1));
  EXPECT_EQ(all.find(7)->index, 1);
  all.forget(7);
  EXPECT_EQ(all.find(7), nullptr);
  all.add(7, numbered(2));
  EXPECT_EQ(all.find(7)->index, 2);
}

TEST(Communicators, ReplacesOneWhoseFreeingWasNotSeen) {
  Communicators all;
  all.add(7, numbered(1));
  EXPECT_EQ(all.find(7)->index, 1);
  all.add(7, numbered(2));
  EXPECT_EQ(all.find(7)->index, 2);
}

TEST(Communicators, KnowsHowOneThatIsNotReadyWasMade) {
  Communicators all;
  all.add(7, numbered(1));
  all.promise(7, {5, 3});
  EXPECT_EQ(all.find(7), nullptr);
  EXPECT_EQ(all.origin_of(7, {}).parent_key, 5);
  EXPECT_EQ(all.origin_of(7, {}).made, 3);
  EXPECT_EQ(all.origin_of(8, {9, 1}).parent_key, 9);
  all.add(7, numbered(2));
  EXPECT_EQ(all.origin_of(7, {9, 1}).parent_key, 9);
}

TEST(CommunicatorKey, IsTheSameOnAllRanksAndDiffersOtherwise) {
  const auto key = key_of_made(1, 0, {0, 2, 4});
  EXPECT_EQ(key, key_of_made(1, 0, {4, 2, 0})) << "the sides of an intercommunicator";
  EXPECT_NE(key, key_of_made(1, 0, {1, 3, 5})) << "the other half of a split";
  EXPECT_NE(key, key_of_made(1, 1, {0, 2, 4})) << "the second split";
  EXPECT_NE(key, key_of_made(2, 0, {0, 2, 4})) << "a split of another";
}

}  // namespace
}  // namespace tasuki::mpi::record
