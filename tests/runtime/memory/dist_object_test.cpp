#include <memory>
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

// A word count by owner: each rank sends its words where they belong.
using WordCount = DistObject<std::unordered_map<std::string, int>>;
void count_word(WordCount& mine, const std::string& word) { ++(*mine)[word]; }

TEST_F(DistObjectTest, as_an_argument_it_arrives_as_that_of_the_called_rank) {
  WordCount table;
  DistObject<int> other(7);
  EXPECT_NE(table.id(), other.id());
  for (int i = 0; i < 100; ++i) post(i % size(), count_word, table, "word " + std::to_string(i));
  quiesce();
  for (int i = rank(); i < 100; i += size()) {
    EXPECT_EQ((*table)["word " + std::to_string(i)], size());
  }
  const auto sum = [](DistObject<int>& mine, int more) { return *mine + more; };
  EXPECT_EQ(invoke(next_rank(), sum, other, 3), 10);
  barrier();
}

TEST_F(DistObjectTest, a_call_waits_until_it_is_there) {
  std::unique_ptr<DistObject<int>> late;
  if (rank() == size() - 1) {
    for (int i = 0; i < 50; ++i) yield();
  }
  late = std::make_unique<DistObject<int>>(rank() * 10);
  EXPECT_EQ(invoke(
                size() - 1,
                [](const DistObject<int>& theirs) { return theirs.fetch(rank()).get(); }, *late),
            (size() - 1) * 10);
  barrier();
}

struct Counter : DistObject<int> {
  explicit Counter(int first) : DistObject<int>(first), step(first + 1) {}
  void add() { **this += step; }
  int step;
};

TEST_F(DistObjectTest, it_can_be_a_base_class) {
  Counter counter(rank());
  const auto add = [](Counter& mine) { mine.add(); };
  for (int other = 0; other < size(); ++other) post(other, add, counter);
  quiesce();
  EXPECT_EQ(*counter, rank() + size() * (rank() + 1));
}

class Histogram {
 public:
  void add(int value) {
    post(
        value % size(), [](DistObject<Histogram*>& mine, int at) { ++(*mine)->counts_[at]; }, self_,
        value);
  }
  int count(int value) const { return counts_.at(value); }

 private:
  std::unordered_map<int, int> counts_;
  DistObject<Histogram*> self_{this};
};

TEST_F(DistObjectTest, it_can_be_a_member) {
  Histogram histogram;
  for (int value = 0; value < 20; ++value) histogram.add(value);
  quiesce();
  for (int value = rank(); value < 20; value += size()) EXPECT_EQ(histogram.count(value), size());
}

Future<int> sum_over_all(DistObject<int>& mine, int left) {
  if (left == 0) co_return 0;
  co_return *mine + co_await ainvoke(next_rank(), sum_over_all, mine, left - 1);
}

TEST_F(DistObjectTest, coroutines_get_it_too) {
  DistObject<int> value(rank() + 1);
  EXPECT_EQ(invoke(next_rank(), sum_over_all, value, size()), size() * (size() + 1) / 2);
  barrier();
}

TEST_F(DistObjectTest, one_that_is_gone_is_an_error) {
  auto gone = std::make_unique<DistObject<int>>(1);
  const runtime::DistReference<DistObject<int>> reference(*gone);
  barrier();
  gone.reset();
  barrier();
  const auto value = [](DistObject<int>& mine) { return *mine; };
  try {
    invoke(next_rank(), value, reference);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const remote_error& e) {
    EXPECT_TRUE(contains(e.text(), "already destroyed")) << e.text();
  }
}

}  // namespace
}  // namespace tasuki::test
