// Decides whether the poller may take the next message in, which may bring more fibers than the cap
// allows.
//
// Asked by Dispatcher before each message. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/fiber/scheduler.hpp>

#include <tasuki/detail/runtime/calls/load.hpp>

namespace tasuki::runtime {

class Admission {
 public:
  /// `peers_need_calls` as in transport::Capabilities.
  Admission(const Load& load, const fiber::Scheduler& scheduler, bool peers_need_calls)
      : load_(load), scheduler_(scheduler), peers_need_calls_(peers_need_calls) {}

  /// To be asked once in each step of the poller that could take a message in.
  bool may_take_in() { return !load_.is_full() || may_exceed_cap(); }

 private:
  bool may_exceed_cap();

  const Load& load_;
  const fiber::Scheduler& scheduler_;
  bool peers_need_calls_;
  // Above the cap, when a message was last taken in:
  std::size_t live_at_last_arrival_ = 0;
  std::size_t backlog_bytes_at_last_arrival_ = 0;
  std::uint64_t held_off_steps_count_ = 0;  ///< Since then.
};

}  // namespace tasuki::runtime
