// A scheduler with a queue of handlers in place of a transport, for the tests of the fiber layer.
//
// `arrive` queues a handler, as a message would; the poller runs them inline, several in one
// batch. Thread-safety: none; one thread per object.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <tasuki/detail/fiber/scheduler.hpp>
#include <utility>

namespace tasuki::fiber {

class Harness {
 public:
  explicit Harness(const SchedulerOptions& options = {})
      : scheduler(options, PollerHooks{this, &step, &idle}) {}

  void run(std::function<void()> main) {
    scheduler.run([](void* function) { (*static_cast<std::function<void()>*>(function))(); },
                  &main);
  }

  Fiber* spawn(std::function<void()> body, const char* label = "") {
    auto owned = std::make_unique<std::function<void()>>(std::move(body));
    return scheduler.spawn(
        [](void* function) {
          const std::unique_ptr<std::function<void()>> entry(
              static_cast<std::function<void()>*>(function));
          (*entry)();
        },
        owned.release(), label);
  }

  void arrive(std::function<void()> handler) { arrivals_.push_back(std::move(handler)); }

  bool any_arrivals() const { return !arrivals_.empty(); }

  /// Lets the others run until `count` fibers are alive, the running one included.
  void drain(std::size_t count = 1) {
    while (scheduler.live_count() > count || any_arrivals()) scheduler.yield();
  }

  void suspend(WaitKind kind = WaitKind::reply, int rank = -1) {
    scheduler.suspend({.kind = kind, .rank = rank});
  }

  Scheduler scheduler;
  std::uint64_t step_count = 0;
  std::uint64_t idle_count = 0;
  /// What happens when nobody can run; by default that fails the test and the process.
  std::function<void(std::uint64_t)> on_idle;

 private:
  static bool step(void* self) {
    auto* const harness = static_cast<Harness*>(self);
    ++harness->step_count;
    bool did_something = false;
    while (!harness->arrivals_.empty()) {
      const std::function<void()> handler = std::move(harness->arrivals_.front());
      harness->arrivals_.pop_front();
      did_something = true;
      handler();
      if (!harness->scheduler.is_poller()) return true;
    }
    return did_something;
  }

  static void idle(void* self, std::uint64_t idle_count) {
    auto* const harness = static_cast<Harness*>(self);
    ++harness->idle_count;
    if (!harness->on_idle) {
      ADD_FAILURE() << "nobody can run";
      std::abort();
    }
    harness->on_idle(idle_count);
  }

  std::deque<std::function<void()>> arrivals_;
};

}  // namespace tasuki::fiber
