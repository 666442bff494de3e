// Decides whether the poller may take the next message in, which may bring more fibers than the cap
// allows, or more records that find no room.
//
// Above the cap calls stay in their messages while anything else on this rank can go on: fibers
// that are ready, or functions and answers that wait only for a peer to make room by reading. But
// what wakes them may be queued behind the cap, or the peer may be above its own cap. To admit
// nothing would then be a deadlock, so calls are admitted slowly, and at once if every fiber waits
// for a message. A message that made no new fiber (answers, say) does not count.
//
// Asked by Dispatcher before each message. Thread-safety: none; the rank's own thread.
#pragma once

#include <algorithm>
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
  bool may_take_in() {
    if (load_.is_full()) [[unlikely]]
      return may_exceed_cap();
    if (held_off_steps_count_ != 0 || messages_left_count_ != 0) [[unlikely]]
      forget_turns();
    return true;
  }
  /// How long no message will be taken in; 0: it is not known, or the next may be.
  std::int64_t held_off_for_us() {
    const bool holds = held_off_since_ns_ != 0 && load_.is_full() && !peers_need_calls_;
    return holds ? std::max<std::int64_t>(hold_left_ns(), 0) / 1000 : 0;
  }

 private:
  bool may_exceed_cap();
  bool holds_off_for_fibers() const;
  bool holds_off_for_room();
  bool may_read_in_turn();
  bool have_peers_read() const noexcept;
  bool is_holding();
  /// From the first time that somebody asks.
  std::int64_t hold_left_ns();
  void begin_turn();
  void forget_turns() noexcept {
    held_off_steps_count_ = 0;
    held_off_since_ns_ = 0;
    messages_left_count_ = 0;
    doublings_count_ = 0;
  }

  const Load& load_;
  const fiber::Scheduler& scheduler_;
  bool peers_need_calls_;
  // Above the cap, when a message was last taken in:
  std::size_t live_at_last_arrival_ = 0;
  std::size_t backlog_bytes_at_last_arrival_ = 0;
  std::uint64_t held_off_steps_count_ = 0;  ///< Since then.
  // Where something waits for room:
  std::int64_t held_off_since_ns_ = 0;  ///< 0: it does not hold off.
  std::size_t doublings_count_ = 0;     ///< Of the time that it holds off between turns.
  bool turn_is_above_cap_ = false;
  std::uint64_t messages_left_count_ = 0;  ///< Of this turn.
  std::size_t turn_end_bytes_ = 0;         ///< It ends with a longer backlog.
  std::uint64_t last_turn_messages_count_ = 0;
  std::uint64_t room_made_at_last_turn_ = 0;
};

}  // namespace tasuki::runtime
