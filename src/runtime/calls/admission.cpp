#include "runtime/calls/admission.hpp"

namespace tasuki::runtime {
namespace {

// A message that may bring more fibers than the cap is taken in only after so many steps without
// one, twice as many for each cap of fibers. While the rank is idle a step takes about 0.5 us and
// gives other processes their turn.
constexpr std::uint64_t steps_held_off = 1000;

}  // namespace

/// Above the cap calls stay in their messages while anything else on this rank can go on: fibers
/// that are ready, or functions and answers that wait only for a peer to make room by reading. But
/// what wakes them may be queued behind the cap, or the peer may be above its own cap. To admit
/// nothing would then be a deadlock, so calls are admitted slowly, and at once if every fiber waits
/// for a message. A message that made no new fiber (answers, say) does not count.
bool Admission::may_exceed_cap() {
  const std::size_t live_count = load_.live_count();
  const bool others_go_on =
      scheduler_.anything_ready() || load_.calls_waiting_for_room_count != 0 || load_.is_flooded();
  const bool brought_more =
      live_count > live_at_last_arrival_ || load_.backlog_bytes > backlog_bytes_at_last_arrival_;
  const std::size_t doublings_count = peers_need_calls_ ? 0 : load_.live_doublings_count();
  if (others_go_on && brought_more && held_off_steps_count_ < steps_held_off << doublings_count) {
    ++held_off_steps_count_;
    return false;
  }
  held_off_steps_count_ = 0;
  live_at_last_arrival_ = live_count;
  backlog_bytes_at_last_arrival_ = load_.backlog_bytes;
  return true;
}

}  // namespace tasuki::runtime
