#include <numeric>
#include <span>
#include <string>
#include <tasuki/view.hpp>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using ViewTest = RankTest;

long sum_of(const View<long>& values) { return std::accumulate(values.begin(), values.end(), 0L); }

std::vector<long> numbers(std::size_t count) {
  std::vector<long> all(count);
  std::iota(all.begin(), all.end(), 1);
  return all;
}

// In a message, and by bulk data.
const std::vector<std::size_t> counts = {0, 1, 100, 5'000, 300'000};

TEST_F(ViewTest, a_view_arrives_as_a_range) {
  for (const std::size_t count : counts) {
    const auto all = numbers(count);
    const auto n = static_cast<long>(count);
    EXPECT_EQ(invoke(next_rank(), sum_of, view(all)), n * (n + 1) / 2);
  }
}

TEST_F(ViewTest, a_part_travels_alone) {
  const auto all = numbers(1000);
  const auto part = view(std::span(all).subspan(10, 3));
  EXPECT_EQ(part.data(), all.data() + 10);
  EXPECT_EQ(invoke(next_rank(), sum_of, part), 11 + 12 + 13);
  const auto first_letters = [](const View<char>& letters, int more) {
    return std::string(letters.begin(), letters.end()) + std::to_string(more);
  };
  EXPECT_EQ(invoke(next_rank(), first_letters, view(std::string("text").substr(0, 2)), 7), "te7");
}

TEST_F(ViewTest, several_arguments_keep_their_alignment) {
  const std::vector<char> letters{'a', 'b', 'c'};
  const std::vector<double> halves(100'000, 0.5);
  const auto check = [](bool first, const View<char>& text, char between,
                        const View<double>& values, const std::string& last) {
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(values.data()) % alignof(double) == 0;
    return first && is_aligned && text.size() == 3 && text[2] == 'c' && between == '-' &&
           values.size() == 100'000 && values[99'999] == 0.5 && last == "end";
  };
  EXPECT_TRUE(
      invoke(next_rank(), check, true, view(letters), '-', view(halves), std::string("end")));
}

/// What stands before and behind a view must not be lost, nor move it.
bool arrives_whole(bool first, const View<double>& values, char behind, long last) {
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(values.data()) % alignof(double) == 0;
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return first && is_aligned && sum == 0.5 * static_cast<double>(values.size()) && behind == '-' &&
         last == -7;
}

TEST_F(ViewTest, it_travels_between_other_arguments) {
  for (const std::size_t count : counts) {
    const std::vector<double> halves(count, 0.5);
    EXPECT_TRUE(invoke(next_rank(), arrives_whole, true, view(halves), '-', -7));
    EXPECT_TRUE(ainvoke(next_rank(), arrives_whole, true, view(halves), '-', -7).get());
  }
}

TEST_F(ViewTest, several_views_or_many_arguments_travel_too) {
  struct Wide {
    long numbers[20] = {};
  };
  const auto all = numbers(100'000);
  const auto check = [](const View<long>& one, const Wide& wide, const View<long>& other) {
    return sum_of(one) + wide.numbers[19] + sum_of(other);
  };
  const auto check_one = [](const Wide& wide, const View<long>& one) {
    return sum_of(one) + wide.numbers[19];
  };
  Wide wide;
  wide.numbers[19] = 3;
  const long sum = 100'000L * 100'001 / 2;
  EXPECT_EQ(invoke(next_rank(), check, view(all), wide, view(all)), 2 * sum + 3);
  EXPECT_EQ(invoke(next_rank(), check_one, wide, view(all)), sum + 3);
}

TEST_F(ViewTest, many_travel_at_a_time_in_both_directions) {
  DistObject<long> sum(0);
  const auto add = [](DistObject<long>& here, const View<long>& values) {
    *here += sum_of(values);
    return values.size();
  };
  std::vector<Future<void>> fibers;
  for (int i = 0; i < 10; ++i) {
    fibers.push_back(spawn([&sum, &add, i] {
      for (const std::size_t count : counts) {
        const auto all = numbers(count);
        EXPECT_EQ(invoke((rank() + i) % size(), add, sum, view(all)), count);
      }
    }));
  }
  when_all(std::move(fibers)).get();
  barrier();
  long expected = 0;
  for (const std::size_t count : counts) {
    const auto n = static_cast<long>(count);
    expected += n * (n + 1) / 2;
  }
  EXPECT_EQ(allreduce(*sum, Sum{}), 10 * expected * size());
  barrier();
}

// The elements may go as soon as the call has been made.
TEST_F(ViewTest, the_caller_need_not_wait) {
  std::vector<Future<long>> sums;
  for (const std::size_t count : counts) {
    const auto all = numbers(count);
    sums.push_back(ainvoke(next_rank(), sum_of, view(all)));
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto n = static_cast<long>(counts[i]);
    EXPECT_EQ(sums[i].get(), n * (n + 1) / 2);
  }
}

long sum_after_waiting(const View<long>& values) {
  invoke(next_rank(), [] { yield(); });
  return sum_of(values);
}
Future<long> sum_in_coroutine(View<long> values) {
  for (int i = 0; i < 3; ++i) co_await ainvoke(next_rank(), [] {});
  co_return sum_of(values);
}

TEST_F(ViewTest, it_lasts_while_the_function_waits) {
  for (const std::size_t count : counts) {
    const auto all = numbers(count);
    const auto n = static_cast<long>(count);
    std::vector<Future<long>> sums;
    for (int i = 0; i < 4; ++i) {
      sums.push_back(ainvoke(next_rank(), sum_after_waiting, view(all)));
      sums.push_back(ainvoke(next_rank(), sum_in_coroutine, view(all)));
    }
    for (auto& sum : sums) EXPECT_EQ(sum.get(), n * (n + 1) / 2);
  }
}

TEST_F(ViewTest, it_may_be_kept_and_lie_in_other_values) {
  const auto all = numbers(300'000);
  const auto keep = [](View<long> values) {
    static std::vector<View<long>> kept;
    kept.push_back(std::move(values));
    const long sum = sum_of(kept.front());
    kept.clear();
    return sum;
  };
  EXPECT_EQ(invoke(next_rank(), keep, view(all)), 300'000L * 300'001 / 2);
  const auto both = [](const std::vector<View<long>>& rows) {
    return sum_of(rows[0]) + rows[1][0];
  };
  EXPECT_EQ(invoke(next_rank(), both, std::vector{view(all), view(all)}),
            300'000L * 300'001 / 2 + 1);
}

}  // namespace
}  // namespace tasuki::test
