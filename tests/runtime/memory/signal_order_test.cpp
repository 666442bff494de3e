#include "runtime/memory/signal_order.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <vector>

namespace tasuki::runtime {
namespace {

/// A writer, the target's order, and what is between them: messages in order, the data of
/// announced writes in any order, those for one receive in order among themselves.
class Model {
 public:
  explicit Model(unsigned seed) : random_(seed) {}

  void run(int steps_count) {
    for (int i = 0; i < steps_count; ++i) {
      if (below(2) == 0) {
        write(below(counters_.size()));
      } else {
        deliver_one();
      }
      expect_order();
    }
    while (deliver_one()) expect_order();
    for (std::size_t i = 0; i < counters_.size(); ++i) {
      EXPECT_EQ(counters_[i], writes_[i].size()) << "nothing is on its way";
    }
  }

 private:
  struct Write {
    bool is_here = false;
  };

  std::size_t below(std::size_t bound) { return random_() % bound; }
  Signal signal(std::size_t counter) {
    return {reinterpret_cast<std::uintptr_t>(&counters_[counter]), 1};
  }

  /// By message, announced, or to the counter's receive, in runs so that a receive is used often.
  void write(std::size_t counter) {
    const std::size_t number = writes_[counter].size();
    writes_[counter].push_back({});
    const auto arrives = [this, counter, number] { writes_[counter][number].is_here = true; };
    const int receive = static_cast<int>(counter);
    if (!has_left_[counter] && number > 3 && below(8) != 0) {
      if (++receive_uses_[counter] == 1) {
        messages_.push_back([=, this] { order_.open(receive, signal(counter)); });
      }
      receive_data_[counter].push_back([=, this] {
        arrives();
        order_.arrive_by(receive, signal(counter));
      });
      return;
    }
    if (receive_uses_[counter] != 0 && !has_left_[counter]) {
      has_left_[counter] = true;
      messages_.push_back([=, this, uses = receive_uses_[counter]] {
        order_.close(receive, signal(counter), uses);
      });
    }
    if (below(2) == 0) {
      messages_.push_back([=, this] {
        arrives();
        order_.arrive(signal(counter));
      });
    } else {
      messages_.push_back([=, this] {
        bulk_data_.push_back([=, this, its_number = order_.announce(signal(counter))] {
          arrives();
          order_.finish(signal(counter), its_number);
        });
      });
    }
  }

  /// Returns: was anything on its way?
  bool deliver_one() {
    std::vector<std::function<void()>> choices;
    if (!messages_.empty()) choices.push_back([this] { take_first(messages_); });
    for (auto& data : receive_data_) {
      if (!data.empty()) choices.push_back([&data] { take_first(data); });
    }
    if (!bulk_data_.empty()) {
      choices.push_back([this] {
        const auto at = bulk_data_.begin() + static_cast<std::ptrdiff_t>(below(bulk_data_.size()));
        const auto arrival = *at;
        bulk_data_.erase(at);
        arrival();
      });
    }
    if (choices.empty()) return false;
    choices[below(choices.size())]();
    return true;
  }
  static void take_first(std::deque<std::function<void()>>& from) {
    const auto first = from.front();
    from.pop_front();
    first();
  }

  void expect_order() {
    for (std::size_t i = 0; i < counters_.size(); ++i) {
      for (std::size_t number = 0; number < counters_[i]; ++number) {
        ASSERT_TRUE(writes_[i][number].is_here) << "counter " << i << ", write " << number;
      }
    }
  }

  static constexpr std::size_t counters_count = 3;

  std::minstd_rand random_;
  SignalOrder order_;
  alignas(8) std::array<std::uint64_t, counters_count> counters_{};
  std::array<std::vector<Write>, counters_count> writes_;
  std::array<std::uint64_t, counters_count> receive_uses_{};
  std::array<bool, counters_count> has_left_{};
  std::deque<std::function<void()>> messages_;
  std::array<std::deque<std::function<void()>>, counters_count> receive_data_;
  std::deque<std::function<void()>> bulk_data_;
};

TEST(SignalOrderTest, a_count_stands_for_the_first_writes) {
  for (unsigned seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    Model(seed).run(120);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(SignalOrderTest, small_writes_behind_a_large_one_count_with_it) {
  SignalOrder order;
  alignas(8) std::uint64_t counter = 0;
  const Signal signal{reinterpret_cast<std::uintptr_t>(&counter), 2};
  const std::uint64_t number = order.announce(signal);
  for (int i = 0; i < 1000; ++i) order.arrive(signal);
  EXPECT_EQ(counter, 0U);
  order.finish(signal, number);
  EXPECT_EQ(counter, 2002U);
  order.arrive(signal);
  EXPECT_EQ(counter, 2004U);
}

TEST(SignalOrderTest, a_write_without_a_counter_waits_for_nothing) {
  SignalOrder order;
  alignas(8) std::uint64_t counter = 0;
  const Signal signal{reinterpret_cast<std::uintptr_t>(&counter), 1};
  const std::uint64_t number = order.announce(signal);
  order.arrive({});
  order.finish({}, order.announce({}));
  order.arrive_by(0, {});
  order.finish(signal, number);
  EXPECT_EQ(counter, 1U);
}

}  // namespace
}  // namespace tasuki::runtime
