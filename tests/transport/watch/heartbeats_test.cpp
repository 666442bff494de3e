#include "transport/watch/heartbeats.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace tasuki::transport::watch {
namespace {

using Kind = Datagram::Kind;

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t time_limit_ns = 10 * second_ns;
constexpr std::int64_t step_ns = second_ns / 4;
constexpr Key job_key{1, 2, 3};

/// The watchers of some nodes, joined by a network that may lose what it carries.
class HeartbeatsTest : public ::testing::Test {
 protected:
  struct Sent {
    Datagram datagram;
    std::size_t bytes;
  };

  void make(int nodes_count) {
    for (int node = 0; node < nodes_count; ++node) {
      nodes_.push_back(std::make_unique<Heartbeats>(
          node, nodes_count, job_key, time_limit_ns,
          [](void* self, const Datagram& datagram) {
            auto& it = *static_cast<HeartbeatsTest*>(self);
            ++it.sent_count_;
            it.under_way_.push_back({datagram, datagram.bytes()});
          },
          this));
    }
  }

  /// Lets the time pass for the nodes that `runs` names.
  void pass(std::int64_t time_ns, const std::function<bool(int)>& runs) {
    for (const std::int64_t end_ns = now_ns_ + time_ns; now_ns_ < end_ns; now_ns_ += step_ns) {
      for (std::size_t node = 0; node < nodes_.size(); ++node) {
        if (runs(static_cast<int>(node))) nodes_[node]->on_time(now_ns_);
      }
      deliver(runs);
    }
  }
  void pass(std::int64_t time_ns) {
    pass(time_ns, [](int) { return true; });
  }

  void deliver(const std::function<bool(int)>& runs) {
    while (!under_way_.empty()) {
      const Sent next = under_way_.front();
      under_way_.pop_front();
      if (static_cast<int>(random_() % 100) < loss_percent_) continue;
      const bool is_lost = is_cut_ && is_cut_(next.datagram.from) != is_cut_(next.datagram.to);
      if (is_lost || !runs(next.datagram.to)) continue;
      node(next.datagram.to).on_datagram(next.datagram, next.bytes, now_ns_);
    }
  }

  Heartbeats& node(int number) { return *nodes_[static_cast<std::size_t>(number)]; }
  bool any_verdict() const {
    return std::any_of(nodes_.begin(), nodes_.end(),
                       [](const auto& node) { return node->has_verdict(); });
  }

  std::vector<std::unique_ptr<Heartbeats>> nodes_;
  std::deque<Sent> under_way_;
  std::function<bool(int)> is_cut_;  ///< Nodes that reach each other only.
  std::int64_t now_ns_ = 100 * second_ns;
  int sent_count_ = 0;
  std::minstd_rand random_;
  int loss_percent_ = 0;
};

TEST_F(HeartbeatsTest, nothing_is_said_of_nodes_that_live) {
  make(5);
  pass(100 * second_ns);
  EXPECT_FALSE(any_verdict());
  EXPECT_EQ(node(2).take_unheard(now_ns_), -1);
}

TEST_F(HeartbeatsTest, each_node_sends_to_two_others_however_many_there_are) {
  make(100);
  pass(10 * second_ns);
  EXPECT_EQ(sent_count_, 100 * 2 * 10);
}

TEST_F(HeartbeatsTest, all_learn_within_the_time_limit_which_node_is_gone) {
  make(6);
  pass(5 * second_ns);
  const auto runs = [](int number) { return number != 4; };
  pass(time_limit_ns / 2, runs);
  EXPECT_FALSE(any_verdict());
  pass(time_limit_ns / 2, runs);
  for (int number = 0; number < 6; ++number) {
    if (number == 4) continue;
    ASSERT_TRUE(node(number).has_verdict()) << number;
    for (int other = 0; other < 6; ++other) {
      EXPECT_EQ(node(number).has_vanished(other), other == 4);
    }
  }
}

TEST_F(HeartbeatsTest, single_datagrams_may_be_lost) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    nodes_.clear();
    make(4);
    random_.seed(seed);
    loss_percent_ = 20;
    pass(3600 * second_ns);
    EXPECT_FALSE(any_verdict()) << "seed " << seed;
    pass(time_limit_ns, [](int number) { return number != 2; });
    EXPECT_TRUE(node(0).has_vanished(2)) << "seed " << seed;
  }
}

TEST_F(HeartbeatsTest, both_sides_of_a_cut_network_name_all_of_the_other) {
  make(8);
  pass(5 * second_ns);
  is_cut_ = [](int number) { return number % 3 == 0; };
  pass(time_limit_ns);
  for (int number = 0; number < 8; ++number) {
    ASSERT_TRUE(node(number).has_verdict()) << number;
    for (int other = 0; other < 8; ++other) {
      EXPECT_EQ(node(number).has_vanished(other), is_cut_(number) != is_cut_(other));
    }
  }
}

TEST_F(HeartbeatsTest, a_node_that_was_paused_accuses_nobody) {
  make(3);
  pass(5 * second_ns);
  now_ns_ += 100 * second_ns;  // All of them: as when a job is stopped by Ctrl-Z.
  pass(2 * time_limit_ns);
  EXPECT_FALSE(any_verdict());
}

TEST_F(HeartbeatsTest, a_node_that_was_paused_alone_learns_that_it_is_given_up) {
  make(3);
  pass(5 * second_ns);
  pass(2 * time_limit_ns, [](int number) { return number != 1; });
  EXPECT_TRUE(node(0).has_vanished(1));
  pass(second_ns * 2);
  EXPECT_TRUE(node(1).has_vanished(1));
  EXPECT_FALSE(node(1).has_vanished(0));
}

TEST_F(HeartbeatsTest, a_node_whose_ranks_have_ended_is_not_missed) {
  make(4);
  pass(5 * second_ns);
  node(2).say_farewell();
  deliver([](int) { return true; });
  EXPECT_TRUE(node(2).is_farewell_heard());
  pass(5 * time_limit_ns, [](int number) { return number != 2; });
  EXPECT_FALSE(any_verdict());
}

TEST_F(HeartbeatsTest, who_has_answered_once_is_not_missed_when_the_node_between_leaves) {
  make(4);
  pass(5 * second_ns);
  pass(time_limit_ns * 6 / 10, [](int number) { return number != 3; });  // All are asked.
  pass(5 * time_limit_ns);
  node(1).say_farewell();
  pass(5 * time_limit_ns, [](int number) { return number != 1; });
  EXPECT_FALSE(any_verdict());
  pass(2 * time_limit_ns, [](int number) { return number != 1 && number != 2; });
  EXPECT_TRUE(node(0).has_vanished(2));  // It is a neighbour now.
}

TEST_F(HeartbeatsTest, who_has_left_before_becoming_a_neighbour_is_not_missed) {
  make(4);
  pass(5 * second_ns);
  pass(time_limit_ns * 6 / 10, [](int number) { return number != 3; });
  pass(second_ns);
  for (const int number : {2, 1, 3}) {
    node(number).say_farewell();
    deliver([](int) { return true; });
  }
  pass(5 * time_limit_ns, [](int number) { return number == 0; });
  EXPECT_FALSE(any_verdict());
}

TEST_F(HeartbeatsTest, the_last_node_waits_for_no_answer_to_its_farewell) {
  make(2);
  node(1).say_farewell();
  deliver([](int) { return true; });
  EXPECT_TRUE(node(0).is_farewell_heard());
}

TEST_F(HeartbeatsTest, a_node_that_was_never_heard_is_named_once_and_does_not_end_the_job) {
  make(3);
  is_cut_ = [](int number) { return number == 0; };
  pass(3 * time_limit_ns);
  EXPECT_FALSE(any_verdict());
  EXPECT_EQ(node(1).take_unheard(now_ns_), 0);
  EXPECT_EQ(node(1).take_unheard(now_ns_), -1);
}

TEST_F(HeartbeatsTest, strangers_are_not_heard) {
  make(2);
  Datagram verdict;
  verdict.kind = Kind::verdict;
  verdict.from = 1;
  verdict.key = job_key;
  const auto take = [&](std::size_t bytes) { node(0).on_datagram(verdict, bytes, now_ns_); };
  take(10);
  take(offsetof(Datagram, vanished));
  verdict.key[0] ^= 1;
  take(sizeof verdict);
  verdict.key = job_key;
  verdict.to = 1;
  take(sizeof verdict);
  verdict.to = 0;
  for (const int from : {-1, 2}) {
    verdict.from = from;
    take(sizeof verdict);
  }
  verdict.from = 1;
  verdict.word = 0;
  take(sizeof verdict);
  EXPECT_FALSE(any_verdict());
  verdict.word = Datagram::own_word;
  take(sizeof verdict);
  EXPECT_TRUE(node(0).has_verdict());
}

}  // namespace
}  // namespace tasuki::transport::watch
