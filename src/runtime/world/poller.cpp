#include "runtime/world/poller.hpp"

#include <algorithm>
#include <chrono>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/runtime/calls/load.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <tasuki/detail/runtime/world/idle_work.hpp>
#include <tasuki/detail/runtime/world/thread_works.hpp>
#include <thread>

#include "runtime/calls/dispatcher.hpp"
#include "runtime/collectives/rank_collectives.hpp"
#include "runtime/waiting/continuations.hpp"
#include "runtime/world/deadlock_check.hpp"
#include "runtime/world/hang_answer.hpp"
#include "runtime/world/hang_report.hpp"
#include "runtime/world/vanished_hosts_report.hpp"

namespace tasuki::runtime {
namespace {

// Timers are checked whenever the rank is idle, and under load every so many steps: a step that
// carries messages takes about 1 us, so a time limit is noticed within about 0.1 ms.
constexpr std::uint64_t steps_between_checks = 64;
constexpr std::int64_t longest_wait_us = 100'000;
// The clock is read once in so few idle rounds, because a round may be a sleep of 0.1 s from early
// on when others use the cores. Reading it takes 20 ns, which are then 5 ns a round.
constexpr std::uint64_t idle_rounds_between_checks = 4;
/// As long as the mpi transport sleeps at most.
constexpr std::int64_t poll_interval_us = 50;

/// Nobody is woken when a peer makes room. Most make it soon.
std::int64_t room_wait_us(std::uint64_t waits_count) {
  constexpr std::int64_t least_us = 50;
  constexpr std::int64_t most_us = 1000;
  constexpr std::uint64_t doublings_most_count = 5;
  return std::min(most_us, least_us << std::min(waits_count / 64, doublings_most_count));
}

}  // namespace

// Inlined into the hook: see Dispatcher::run_batch.
inline bool Poller::step() {
  Waits& waits = self_.waits;
  bool did_something = false;
  if (!self_.dispatcher->run(did_something)) return true;
  MpiRequests& mpi_requests = self_.collectives->mpi_requests();
  if (!mpi_requests.empty() && mpi_requests.progress()) {
    did_something = true;
    if (!waits.scheduler().is_poller()) return true;
  }
  if (waits.continuations().is_any_left()) {
    did_something = true;
    waits.set_served(Continuations::activity);
    if (!waits.continuations().run_left(waits.scheduler())) return true;
    waits.end_served();
  }
  if (!self_.sender.empty()) self_.sender.flush();
  if (self_.sender.has_backlog()) did_something |= self_.sender.move_backlogs();
  waits.wake_ready();
  if (++steps_since_checks_ >= steps_between_checks) {
    steps_since_checks_ = 0;
    self_.hang_report->check();
    end_if_hosts_have_vanished(self_);
    waits.wake_overdue();
    did_something |= self_.thread_works->begin_added();
  }
  return did_something;
}

void Poller::idle(std::uint64_t idle_count) {
  Waits& waits = self_.waits;
  Recorder* const recorder = self_.dispatcher->recorder();
  if (recorder != nullptr) [[unlikely]] {
    recorder->begin_idle();
  }
  waits.wake_overdue();
  if (self_.thread_works->begin_added() || waits.scheduler().anything_ready()) return;
  if (idle_count == 0) transport_waits_count_ = 0;
  if (self_.idle_work->run(idle_count)) return;
  std::int64_t most_us = longest_wait_us;
  if (!waits.timers().empty()) {
    const std::int64_t left_ns = waits.timers().next_deadline_ns() - base::now_ns();
    most_us = std::clamp<std::int64_t>(left_ns / 1000, 0, most_us);
  }
  if (self_.sender.has_backlog()) most_us = std::min(most_us, room_wait_us(transport_waits_count_));
  // The MPI library wakes nobody, nor does a thread where ranks get on inside its calls alone.
  const bool wakes_nobody =
      self_.transport.capabilities().peers_need_calls && self_.thread_works->is_used();
  if (!self_.collectives->mpi_requests().empty() || wakes_nobody) {
    most_us = std::min(most_us, poll_interval_us);
  }
  self_.hang_report->check();
  end_if_hosts_have_vanished(self_);
  if (idle_count % idle_rounds_between_checks == 0) {
    const std::int64_t now_ns = base::now_ns();
    const std::int64_t time_without_arrivals_ns =
        arrival_watch_.time_without_ns(arrivals_count(self_), now_ns);
    self_.hang_report->on_idle(time_without_arrivals_ns);
    self_.deadlock_check->on_idle(time_without_arrivals_ns, now_ns);
  }
  // What waits unread would end the transport's wait at once.
  if (self_.sender.load().is_full()) {
    if (self_.dispatcher->held_off_for_us() > poll_interval_us) {
      std::this_thread::sleep_for(std::chrono::microseconds(poll_interval_us));
      return;
    }
    std::this_thread::yield();
  }
  // Counted apart from the rounds that did something ahead: a count that does not begin with 0 is
  // one idle time with the one before.
  self_.transport.arrivals().wait(transport_waits_count_++, most_us);
}

// What calls throw is sent back or ends the job where it is caught; what the hooks catch concerns
// this rank itself (code of a library it has not loaded, say).
fiber::PollerHooks Poller::hooks() noexcept {
  return {this,
          [](void* untyped) {
            auto& poller = *static_cast<Poller*>(untyped);
            try {
              return poller.step();
            } catch (...) {
              end_job_by_exception(poller.self_.transport);
            }
          },
          [](void* untyped, std::uint64_t idle_count) {
            auto& poller = *static_cast<Poller*>(untyped);
            try {
              poller.idle(idle_count);
            } catch (...) {
              end_job_by_exception(poller.self_.transport);
            }
          }};
}

}  // namespace tasuki::runtime
