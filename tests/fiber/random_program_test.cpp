// Random programs of fibers and handlers that yield, wait, wake and start each other, run on the
// scheduler and on a model of it that has queues but no stacks; both must do the same in the same
// order. Each seed is a program.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "fiber/harness.hpp"

namespace tasuki::fiber {
namespace {

enum class Verb { yield, wait, wake_oldest, start_fiber, send_handler };

/// What a task does, verb by verb; `argument` is the task to start or send.
struct Action {
  Verb verb;
  std::size_t argument = 0;
};
using Task = std::vector<Action>;

/// Tasks[0] is main. Every other task is started or sent at most once, by a task before it.
std::vector<Task> random_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  std::vector<Task> tasks(2 + below(30));
  for (Task& task : tasks) {
    for (std::uint64_t i = below(8); i > 0; --i) {
      constexpr Verb plain[] = {Verb::yield, Verb::wait, Verb::wake_oldest};
      task.push_back({plain[below(3)]});
    }
  }
  for (std::size_t child = 1; child < tasks.size(); ++child) {
    Task& parent = tasks[below(child)];
    const Verb verb = below(2) == 0 ? Verb::start_fiber : Verb::send_handler;
    const auto place = static_cast<std::ptrdiff_t>(below(parent.size() + 1));
    parent.insert(parent.begin() + place, Action{verb, child});
  }
  return tasks;
}

using Trace = std::vector<std::string>;

std::string event(std::size_t task, std::size_t position) {
  return std::to_string(task) + "." + std::to_string(position);
}

/// The scheduler under test. Main ends last: it wakes whoever waits until all are gone.
class Machine {
 public:
  explicit Machine(const std::vector<Task>& tasks) : tasks_(tasks) {}

  Trace run() {
    harness_.on_idle = [this](std::uint64_t) {
      trace_.push_back("idle");
      wake_oldest();
    };
    harness_.run([&] {
      perform(0);
      while (harness_.scheduler.live_count() > 1 || harness_.any_arrivals()) {
        wake_oldest();
        harness_.scheduler.yield();
      }
    });
    EXPECT_EQ(harness_.scheduler.live_count(), 0u);
    return trace_;
  }

 private:
  void wake_oldest() {
    if (waiting_.empty()) return;
    Fiber* const fiber = waiting_.front();
    waiting_.pop_front();
    harness_.scheduler.make_ready(fiber);
  }

  void perform(std::size_t task) {
    // On the stack, so that a stack given to two fibers is noticed.
    volatile std::size_t mine = task;
    for (std::size_t position = 0; position < tasks_[task].size(); ++position) {
      trace_.push_back(event(mine, position));
      const Action& action = tasks_[task][position];
      switch (action.verb) {
        case Verb::yield:
          harness_.scheduler.yield();
          break;
        case Verb::wait:
          waiting_.push_back(harness_.scheduler.current());
          harness_.suspend();
          break;
        case Verb::wake_oldest:
          wake_oldest();
          break;
        case Verb::start_fiber:
          harness_.spawn([this, child = action.argument] { perform(child); });
          break;
        case Verb::send_handler:
          harness_.arrive([this, child = action.argument] { perform(child); });
          break;
      }
    }
    trace_.push_back(event(mine, tasks_[task].size()) + " end");
  }

  const std::vector<Task>& tasks_;
  Harness harness_;
  std::deque<Fiber*> waiting_;
  Trace trace_;
};

/// The model: a task is a number and a position in it, a round is a pass over a queue.
class Model {
 public:
  explicit Model(const std::vector<Task>& tasks) : tasks_(tasks), positions_(tasks.size(), 0) {}

  Trace run() {
    // Main runs first; then rounds of one poll and then whoever was ready before it.
    live_count_ = 1;
    bool main_ended = advance(0);
    while (!main_ended) {
      poll();
      std::deque<std::size_t> round;
      round.swap(ready_);
      if (round.empty()) {
        trace_.push_back("idle");
        wake_oldest();
        continue;
      }
      for (const std::size_t task : round) {
        main_ended = advance(task);
        if (main_ended) break;
      }
    }
    return trace_;
  }

 private:
  void wake_oldest() {
    if (waiting_.empty()) return;
    ready_.push_back(waiting_.front());
    waiting_.pop_front();
  }

  void poll() {
    while (!arrivals_.empty()) {
      const std::size_t task = arrivals_.front();
      arrivals_.pop_front();
      ++live_count_;
      advance(task);
    }
  }

  /// Runs `task` until it yields or ends. Returns: did main end?
  bool advance(std::size_t task) {
    const Task& actions = tasks_[task];
    while (positions_[task] < actions.size()) {
      const std::size_t position = positions_[task]++;
      trace_.push_back(event(task, position));
      const Action& action = actions[position];
      switch (action.verb) {
        case Verb::yield:
          ready_.push_back(task);
          return false;
        case Verb::wait:
          waiting_.push_back(task);
          return false;
        case Verb::wake_oldest:
          wake_oldest();
          break;
        case Verb::start_fiber:
          ++live_count_;
          ready_.push_back(action.argument);
          break;
        case Verb::send_handler:
          arrivals_.push_back(action.argument);
          break;
      }
    }
    if (positions_[task] == actions.size()) {
      ++positions_[task];
      trace_.push_back(event(task, actions.size()) + " end");
      if (task != 0) --live_count_;
    }
    if (task != 0) return false;
    if (live_count_ == 1 && arrivals_.empty()) return true;
    wake_oldest();
    ready_.push_back(0);
    return false;
  }

  const std::vector<Task>& tasks_;
  std::vector<std::size_t> positions_;
  std::deque<std::size_t> ready_;
  std::deque<std::size_t> waiting_;
  std::deque<std::size_t> arrivals_;
  std::size_t live_count_ = 0;
  Trace trace_;
};

TEST(RandomProgram, DoesWhatTheModelDoes) {
  std::size_t events_count = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const std::vector<Task> program = random_program(seed);
    const Trace expected = Model(program).run();
    ASSERT_EQ(Machine(program).run(), expected) << "seed " << seed;
    events_count += expected.size();
  }
  EXPECT_GT(events_count, 100'000u);
}

}  // namespace
}  // namespace tasuki::fiber
