// What a rank does while none of its fibers can run: in which order the parts get their turn, and
// how long it sleeps when there is nothing to do.
//
// Made by World before the rank, whose scheduler calls the hooks. Thread-safety: none; the rank's
// own thread.
#pragma once

#include <cstdint>
#include <tasuki/detail/fiber/scheduler.hpp>

#include "runtime/world/arrival_watch.hpp"

namespace tasuki::runtime {

struct Rank;

class Poller {
 public:
  /// `self` must have been made, with all its parts, when a hook is called; not before.
  explicit Poller(Rank* self) noexcept : self_(*self) {}
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  /// Valid as long as this lives.
  fiber::PollerHooks hooks() noexcept;

 private:
  bool step();
  void idle(std::uint64_t idle_count);

  Rank& self_;
  std::uint64_t steps_since_checks_ = 0;
  std::uint64_t transport_waits_count_ = 0;  ///< In this idle time.
  ArrivalWatch arrival_watch_;
};

}  // namespace tasuki::runtime
