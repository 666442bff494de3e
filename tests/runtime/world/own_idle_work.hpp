// Idle work of a test's own: a test that does not wait says itself when the rank is idle.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <cstdint>
#include <tasuki/detail/predict/mode.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/world/idle_work.hpp>
#include <tasuki/tasuki.hpp>

namespace tasuki::test {

/// While it lives the rank does this idle work, in the given mode.
class OwnIdleWork {
 public:
  explicit OwnIdleWork(predict::Mode mode)
      : before_(runtime::Rank::current().idle_work), work_(runtime::Rank::current(), mode) {}
  ~OwnIdleWork() {
    work_.finish();
    runtime::Rank::current().idle_work = before_;
  }
  OwnIdleWork(const OwnIdleWork&) = delete;
  OwnIdleWork& operator=(const OwnIdleWork&) = delete;
  runtime::IdleWork& operator*() { return work_; }
  runtime::IdleWork* operator->() { return &work_; }

  /// Polls that find nothing, and then one that finds a message.
  void be_idle() {
    for (std::uint64_t polls_count = 0; polls_count < 4; ++polls_count) be_idle_once(polls_count);
  }
  /// One of them, after `polls_count` others.
  void be_idle_once(std::uint64_t polls_count) {
    if (work_.run(polls_count)) yield();
  }

 private:
  runtime::IdleWork* before_;
  runtime::IdleWork work_;
};

}  // namespace tasuki::test
