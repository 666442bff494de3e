#include "runtime/calls/admission.hpp"

#include <algorithm>
#include <tasuki/detail/base/clock.hpp>

namespace tasuki::runtime {
namespace {

// A message that may bring more fibers than the cap is taken in only after so many steps without
// one, twice as many for each cap of fibers. While the rank is idle a step takes about 0.5 us and
// gives other processes their turn.
constexpr std::uint64_t steps_held_off = 1000;

// A peer that reads makes room within this time. A step may last as long as others use the core, so
// no steps are counted, except where the ranks take turns in one process.
constexpr std::int64_t hold_least_ns = 16'000;
constexpr std::uint64_t hold_least_steps = 32;
constexpr std::size_t hold_doublings_most_count = 14;  // 0.26 s.
constexpr std::size_t step_doublings_most_count = 5;

// As many as a ring holds. Transports tell the sender of room in larger pieces, up to 128 messages
// over MPI, so a turn that has made no room is followed by a longer one.
constexpr std::uint64_t turn_messages_count = 16;
constexpr std::size_t turn_doublings_most_count = 4;
constexpr std::size_t turn_most_bytes = std::size_t{1} << 20;

}  // namespace

bool Admission::may_exceed_cap() {
  const bool waits_for_room = load_.calls_waiting_for_room_count != 0 || load_.is_flooded();
  const bool others_go_on = scheduler_.anything_ready() || waits_for_room;
  const bool brought_more = load_.live_count() > live_at_last_arrival_ ||
                            load_.backlog_bytes > backlog_bytes_at_last_arrival_;
  if (others_go_on && brought_more &&
      (waits_for_room ? holds_off_for_room() : holds_off_for_fibers())) {
    ++held_off_steps_count_;
    return false;
  }
  held_off_steps_count_ = 0;
  held_off_since_ns_ = 0;
  live_at_last_arrival_ = load_.live_count();
  backlog_bytes_at_last_arrival_ = load_.backlog_bytes;
  return true;
}

/// What wakes the fibers may be queued behind the cap, so this does not last.
bool Admission::holds_off_for_fibers() const {
  const std::size_t doublings_count = peers_need_calls_ ? 0 : load_.live_doublings_count();
  return held_off_steps_count_ < steps_held_off << doublings_count;
}

/// While peers read, this rank lets them. Ranks that all wait for room, because called functions
/// call on, make room for each other by nothing but reading: so they take turns. The next one
/// begins when half as many messages have left as this rank has read, or when it has waited long.
bool Admission::holds_off_for_room() {
  if (may_read_in_turn()) return false;
  if (is_holding()) return true;
  if (!have_peers_read()) {
    doublings_count_ = std::min(doublings_count_ + 1, hold_doublings_most_count);
  } else if (doublings_count_ != 0) {
    --doublings_count_;
  }
  begin_turn();
  return false;
}

bool Admission::may_read_in_turn() {
  const bool ends =
      load_.backlog_bytes > turn_end_bytes_ || (load_.has_most_fibers() && !turn_is_above_cap_);
  if (messages_left_count_ == 0 || ends) {
    messages_left_count_ = 0;
    return false;
  }
  --messages_left_count_;
  ++last_turn_messages_count_;
  return true;
}

bool Admission::have_peers_read() const noexcept {
  const std::uint64_t room_made_count = load_.room_made_count - room_made_at_last_turn_;
  return 2 * room_made_count >= last_turn_messages_count_;
}

bool Admission::is_holding() {
  if (peers_need_calls_) {
    const std::size_t doublings = std::min(doublings_count_, step_doublings_most_count);
    return held_off_steps_count_ < hold_least_steps << (have_peers_read() ? 0 : doublings);
  }
  return hold_left_ns() > 0;
}

std::int64_t Admission::hold_left_ns() {
  const std::int64_t now_ns = base::now_ns();
  if (held_off_since_ns_ == 0) held_off_since_ns_ = now_ns;
  // Fibers take more memory than messages.
  const std::size_t of_fibers = load_.has_most_fibers() ? load_.live_doublings_count() : 0;
  const std::size_t of_room = have_peers_read() ? 0 : doublings_count_;
  const std::size_t doublings = std::min(of_room + of_fibers, hold_doublings_most_count);
  return held_off_since_ns_ + (hold_least_ns << doublings) - now_ns;
}

void Admission::begin_turn() {
  turn_is_above_cap_ = load_.has_most_fibers();
  turn_end_bytes_ = load_.backlog_bytes + turn_most_bytes;
  room_made_at_last_turn_ = load_.room_made_count;
  last_turn_messages_count_ = 1;
  const std::uint64_t least_count = turn_is_above_cap_ ? 1 : turn_messages_count;
  messages_left_count_ = (least_count << std::min(doublings_count_, turn_doublings_most_count)) - 1;
}

}  // namespace tasuki::runtime
