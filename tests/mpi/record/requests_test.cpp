#include "mpi/record/requests.hpp"

#include <gtest/gtest.h>

namespace tasuki::mpi::record {
namespace {

TEST(Requests, GivesEachItsOwnNumber) {
  Requests all;
  EXPECT_EQ(all.add(100).number, 1);
  EXPECT_EQ(all.add(200).number, 2);
  EXPECT_EQ(all.find(100)->number, 1);
  all.forget(100);
  EXPECT_EQ(all.find(100), nullptr);
  EXPECT_EQ(all.add(100).number, 3) << "a handle that MPI gives again is another request";
}

TEST(Requests, KeepsTheLastOfThoseWithOneHandle) {
  Requests all;
  all.add(100).tag = 5;
  all.add(100).tag = 6;
  EXPECT_EQ(all.find(100)->tag, 6);
  EXPECT_EQ(all.find(100)->number, 2);
}

}  // namespace
}  // namespace tasuki::mpi::record
