// What one rank has taken on: fibers, calls elsewhere, and bytes that it owes others. It is asked
// before the rank takes more in (Admission) or sends more of its own (Sender).
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/fiber/scheduler.hpp>
#include <tasuki/detail/runtime/calls/traffic.hpp>

namespace tasuki::runtime {

class Load {
 public:
  Load(const fiber::Scheduler& scheduler, const Traffic& traffic);

  /// Is the backlog so long that calls wait as messages, and functions that send on and on wait?
  bool is_flooded() const noexcept { return backlog_bytes > backlog_most_bytes; }
  /// May no message bring more fibers?
  bool is_full() const noexcept { return has_most_fibers() || is_flooded(); }
  bool has_most_fibers() const noexcept { return scheduler_.live_count() >= fiber_cap_; }
  /// Does the rank owe others more than a channel holds, or have as many fibers (here, or perhaps
  /// for its calls elsewhere) as the cap allows?
  bool is_overloaded() const noexcept {
    return backlog_bytes > owed_most_bytes || fibers_everywhere() >= fiber_cap_;
  }
  /// How often the delays of an overloaded rank double: once for each channel full that it owes and
  /// for each cap of fibers, here and elsewhere.
  std::size_t doublings_count() const noexcept;
  /// The same for what comes in, which the fibers here take memory for.
  std::size_t live_doublings_count() const noexcept;
  std::size_t live_count() const noexcept { return scheduler_.live_count(); }

  /// Does a called function owe more than it may before it waits as a fiber?
  static bool is_flood(std::size_t bytes) noexcept { return bytes > owed_most_bytes; }

  std::size_t backlog_bytes = 0;  ///< Of records for all ranks.
  /// Messages for which a peer made room, without those for ranks that few records wait for.
  std::uint64_t room_made_count = 0;
  std::size_t calls_waiting_for_room_count = 0;  ///< Called functions that wait as fibers.

 private:
  /// Above so many bytes of records without room, calls wait as messages: many times what channels
  /// hold, because an answer may be many times as long as its call.
  static constexpr std::size_t backlog_most_bytes = 4 << 20;
  static constexpr std::size_t owed_most_bytes = 64 * 1024;
  /// Most calls elsewhere need no fiber there, so that two count as one. Two ranks that call each
  /// other took 260 ns for a call on two cores that others used as well, and 530 where each call
  /// counted, as they waited for each other more often. With sixteen for a fiber a call took four
  /// times as much of a processor, because what waits for the answers was in no cache
  /// (`tasuki run -n 2 -- build/release/bin/kernels_tasuki index_gather_by_then 1000000`).
  static constexpr std::size_t calls_per_fiber = 2;

  std::size_t fibers_everywhere() const noexcept {
    return scheduler_.live_count() + traffic_.awaited_answers_count / calls_per_fiber;
  }

  const fiber::Scheduler& scheduler_;
  const Traffic& traffic_;
  std::size_t fiber_cap_;
  std::size_t fibers_per_doubling_;
};

}  // namespace tasuki::runtime
