#include <string>
#include <unordered_map>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using DistObjectTest = RankTest;

TEST_F(DistObjectTest, every_rank_fetches_everybodys_value) {
  DistObject<std::string> name("rank " + std::to_string(rank()));
  EXPECT_EQ(*name, "rank " + std::to_string(rank()));
  for (int other = 0; other < size(); ++other) {
    EXPECT_EQ(name.fetch(other).get(), "rank " + std::to_string(other));
  }
  barrier();
}

TEST_F(DistObjectTest, fetch_waits_until_it_is_there) {
  if (rank() == size() - 1) {
    for (int i = 0; i < 50; ++i) yield();
  }
  DistObject<int> value(rank() * 10);
  EXPECT_EQ(value.fetch(size() - 1).get(), (size() - 1) * 10);
  EXPECT_EQ(value.fetch(next_rank()).get(), next_rank() * 10);
  barrier();
}

TEST_F(DistObjectTest, several_are_told_apart_and_found_by_calls) {
  DistObject<std::unordered_map<std::string, int>> table;
  DistObject<int> other(7);
  EXPECT_NE(table.id(), other.id());
  barrier();
  // A word count by owner: each rank sends its words where they belong.
  const auto add = [](std::uint64_t id, const std::string& word) {
    auto* mine = static_cast<std::unordered_map<std::string, int>*>(
        runtime::wait_for_dist_object(runtime::Rank::current(), id));
    ++(*mine)[word];
  };
  for (int i = 0; i < 100; ++i) {
    post(i % size(), add, table.id(), "word " + std::to_string(i));
  }
  quiesce();
  for (int i = rank(); i < 100; i += size()) {
    EXPECT_EQ((*table)["word " + std::to_string(i)], size());
  }
  EXPECT_EQ(other.fetch(next_rank()).get(), 7);
  barrier();
}

TEST_F(DistObjectTest, one_that_is_gone_is_an_error) {
  std::uint64_t id = 0;
  {
    DistObject<int> gone(1);
    id = gone.id();
    barrier();
  }
  barrier();
  try {
    invoke(
        next_rank(),
        [](std::uint64_t which) { runtime::wait_for_dist_object(runtime::Rank::current(), which); },
        id);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const remote_error& e) {
    EXPECT_TRUE(contains(e.text(), "already destroyed")) << e.text();
  }
}

}  // namespace
}  // namespace tasuki::test
