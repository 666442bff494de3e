#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/runtime/waiting/future_state.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <tasuki/detail/runtime/waiting/recycled.hpp>
#include <tasuki/detail/runtime/waiting/waits.hpp>
#include <tasuki/error.hpp>

#include "runtime/recording/recorder.hpp"
#include "runtime/waiting/continuations.hpp"

namespace tasuki::runtime {
namespace {

fiber::SchedulerOptions scheduler_options() {
  fiber::SchedulerOptions options;
  options.stack_bytes = static_cast<std::size_t>(base::setting::stack_bytes.integer());
  return options;
}

}  // namespace

namespace {

/// The program's function that the poller's running handler has begun with; 0 elsewhere.
std::uintptr_t function_of_handler(const fiber::Scheduler& scheduler) noexcept {
  return scheduler.is_poller() ? scheduler.activity().function : 0;
}

[[gnu::noinline, gnu::cold]] void suspend_recorded(Recorder& recorder,
                                                   fiber::Scheduler& scheduler) {
  Recorder::Wait wait;
  recorder.begin(wait, function_of_handler(scheduler),
                 fiber::last_reason(scheduler.current()->reason));
  scheduler.suspend();
  recorder.end(wait);
}

[[gnu::noinline, gnu::cold]] void yield_recorded(Recorder& recorder, fiber::Scheduler& scheduler) {
  const auto left = recorder.leave(function_of_handler(scheduler));
  scheduler.yield();
  recorder.come_back(left);
}

}  // namespace

constinit thread_local Waits* Waits::current_ = nullptr;

void throw_no_rank() {
  throw error("calling Tasuki",
              "this thread does not run a rank (it is another thread of the program, or "
              "tasuki::run has not started or is over)",
              "call Tasuki only from the function given to tasuki::run and from what it calls on "
              "the same thread; other threads may compute but must hand their results to it");
}

Waits::Waits(transport::Transport& transport, const fiber::PollerHooks& poller)
    : transport_(transport),
      scheduler_(scheduler_options(), poller),
      continuations_(std::make_unique<Continuations>()),
      ready_state_(new FutureState<void>) {
  ready_state_->complete();
}

Waits::~Waits() {
  ready_state_->release();
  Recycled::free_kept();
}

void Waits::wait_in_until(WaitQueue<>& queue, std::int64_t deadline_ns,
                          const fiber::WaitReason& reason) {
  TimedWaiter waiter;
  waiter.queue = &queue;
  timers_.add(deadline_ns, waiter);
  wait_in<Waiter>(queue, waiter, reason);
  if (!waiter.is_overdue) timers_.remove(deadline_ns, waiter);
}

// Others know already whom to wake, so from here on there is no way back.
void Waits::suspend() noexcept {
  if (!unsent_->empty()) flush_or_end_job();
  before_switch();
  Recorder* const recorder = Recorder::current();
  if (recorder != nullptr) [[unlikely]] {
    return suspend_recorded(*recorder, scheduler_);
  }
  scheduler_.suspend();
}

void Waits::yield() {
  if (!unsent_->empty()) unsent_->flush();
  before_switch();
  Recorder* const recorder = Recorder::current();
  if (recorder != nullptr) [[unlikely]] {
    return yield_recorded(*recorder, scheduler_);
  }
  scheduler_.yield();
}

void Waits::flush_or_end_job() noexcept {
  try {
    unsent_->flush();
  } catch (...) {
    end_job_by_exception(transport_);
  }
}

inline void Waits::before_switch() noexcept {
  if (refuse_wait_ != nullptr) [[unlikely]]
    refuse_wait_();
  continuations_->before_switch();
  if (!scheduler_.is_poller()) return;
  scheduler_.set_activity(served());
  end_served();  // The next poller serves nobody yet.
}

void Waits::check_watches() {
  for (Watch* watch = watches_.last(); watch != nullptr;) {
    Watch* const next = watches_.before(*watch);
    if (watch->ready(watch)) {
      watches_.remove(*watch);
      wake(*watch);
    }
    watch = next;
  }
}

}  // namespace tasuki::runtime
