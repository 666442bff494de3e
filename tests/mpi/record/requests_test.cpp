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

TEST(Requests, FindsEachOfManyWhileOthersGo) {
  constexpr Word count = 5000;
  Requests all;
  // Handles as MPIs give them: addresses of objects of one size, and numbers in a row.
  const auto word_of_request = [](Word i) { return i % 2 == 0 ? 0x7F0000000000 + 64 * i : i; };
  for (Word i = 0; i < count; ++i) all.add(word_of_request(i)).bytes = i;
  for (Word i = 0; i < count; i += 3) all.forget(word_of_request(i));
  for (Word i = 0; i < count; ++i) {
    const Request* const found = all.find(word_of_request(i));
    if (i % 3 == 0) {
      ASSERT_EQ(found, nullptr) << i;
    } else {
      ASSERT_NE(found, nullptr) << i;
      ASSERT_EQ(found->bytes, i);
    }
  }
}

TEST(Requests, ForgetsOneThatItDoesNotKnow) {
  Requests all;
  all.add(100);
  all.forget(200);
  EXPECT_NE(all.find(100), nullptr);
}

}  // namespace
}  // namespace tasuki::mpi::record
