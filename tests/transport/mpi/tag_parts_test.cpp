// Tags of the messages of collectives over MPI.
#include "transport/mpi/tag_parts.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <set>

namespace tasuki::test {
namespace {

using transport::MpiOperations;
using transport::mpi::TagParts;

constexpr std::size_t long_bytes = MpiOperations::tagged_length_least_bytes;
constexpr int least_that_mpi_allows = 32767;
constexpr int of_mpich = (1 << 28) - 1;

class TagPartsTest : public testing::TestWithParam<int> {};

TEST_P(TagPartsTest, no_tag_is_larger_than_allowed) {
  const TagParts parts(GetParam());
  for (std::uint32_t number : {0U, 1U, parts.numbers_count() - 1, UINT_MAX}) {
    for (std::size_t bytes = 0; bytes < 100 * long_bytes; bytes += 1000) {
      EXPECT_GE(parts.of(number, bytes), 0);
      EXPECT_LE(parts.of(number, bytes), GetParam());
    }
  }
}

TEST_P(TagPartsTest, short_messages_are_told_apart_by_their_number_only) {
  const TagParts parts(GetParam());
  EXPECT_EQ(parts.of(7, 0), parts.of(7, long_bytes - 1));
  EXPECT_NE(parts.of(7, 8), parts.of(8, 8));
  EXPECT_NE(parts.of(7, 8), parts.of(7, long_bytes));
}

TEST_P(TagPartsTest, long_messages_are_told_apart_by_their_length_too) {
  const TagParts parts(GetParam());
  EXPECT_EQ(parts.of(7, long_bytes), parts.of(7, long_bytes));
  constexpr std::size_t tried_count = 4096;
  std::set<int> tags;
  for (std::size_t i = 0; i < tried_count; ++i) tags.insert(parts.of(7, long_bytes + 8 * i));
  // As a random function would fill the tags, or nearly so.
  const std::size_t distinct_most = std::min<std::size_t>(parts.lengths_count() - 1, tried_count);
  EXPECT_GE(tags.size(), distinct_most / 2);
}

TEST_P(TagPartsTest, numbers_repeat_late) {
  const TagParts parts(GetParam());
  EXPECT_EQ(parts.of(3, long_bytes), parts.of(3 + parts.numbers_count(), long_bytes));
  EXPECT_GE(parts.numbers_count(), 1000U);
}

INSTANTIATE_TEST_SUITE_P(Libraries, TagPartsTest,
                         testing::Values(least_that_mpi_allows, of_mpich, INT_MAX));

}  // namespace
}  // namespace tasuki::test
