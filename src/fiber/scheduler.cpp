#include <tasuki/detail/fiber/scheduler.hpp>

#include <cxxabi.h>
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <tasuki/detail/base/context.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "fiber/debug_table.hpp"
#include "fiber/guard.hpp"
#include "fiber/sanitizer.hpp"
#include "fiber/stack_pool.hpp"

namespace tasuki::fiber {
namespace {

/// A stack that is not the thread's own is one of the loopback transport, or a test's: none is
/// larger (LoopbackOptions::stack_bytes).
constexpr std::size_t unknown_stack_bytes = 1024 * 1024;

/// Handlers run on the poller's stack until they wait.
constexpr const char* poller_label = "poller, or a called function that runs on its stack";

std::size_t checked_stack_bytes(std::size_t stack_bytes) {
  if (stack_bytes >= Scheduler::stack_min_bytes) return stack_bytes;
  throw error("starting the scheduler",
              fmt::format("a stack of {} bytes is too small for a fiber", stack_bytes),
              fmt::format("set {} to at least {}", base::setting::stack_bytes.name,
                          Scheduler::stack_min_bytes));
}

}  // namespace

struct Scheduler::State {
  State(const SchedulerOptions& options, const Scheduler* scheduler)
      : pool(checked_stack_bytes(options.stack_bytes), options.pooled_stacks_count),
        watch(&pool, &scheduler->current_),
        debugged(scheduler) {
    publish_fields(*scheduler);
  }

  void publish_fields(const Scheduler& scheduler) const;

  /// Runs a fiber, or one round of the poller. Returns: who is next.
  static base::Transfer start(base::Transfer transfer) noexcept;

  StackPool pool;
  GuardWatch watch;
  DebuggedScheduler debugged;
  Fiber first;  ///< The one that runs on the stack of the caller of `run`.
};

void Scheduler::State::publish_fields(const Scheduler& scheduler) const {
  const Fiber& fiber = first;
  const WaitLink& link = first;
  const auto in_fiber = [&](const auto& member) { return offset_bytes(fiber, member); };
  const auto in_scheduler = [&](const auto& member) { return offset_bytes(scheduler, member); };
  debugged.publish(std::array<DebugField, 12>{{
      {"scheduler.running", in_scheduler(scheduler.current_)},
      {"scheduler.poller", in_scheduler(scheduler.poller_)},
      {"scheduler.ready", in_scheduler(scheduler.ready_first_)},
      {"scheduler.waiting", in_scheduler(scheduler.waiting_)},
      {"link.fiber", in_fiber(link)},
      {"link.next", offset_bytes(link, link.next)},
      {"fiber.context", in_fiber(fiber.context)},
      {"fiber.ready_next", in_fiber(fiber.ready_next)},
      {"fiber.reason", in_fiber(fiber.reason)},
      {"fiber.activity", in_fiber(fiber.activity)},
      {"fiber.stack_bottom", in_fiber(fiber.stack_bottom)},
      {"fiber.stack_bytes", in_fiber(fiber.stack_bytes)},
  }});
}

Scheduler::Scheduler(const SchedulerOptions& options, const PollerHooks& hooks)
    : exceptions_(abi::__cxa_get_globals()),
      hooks_(hooks),
      state_(std::make_unique<State>(options, this)) {
  poller_ = new_fiber(nullptr, nullptr, poller_label);
  push_ready(poller_);
}

Scheduler::~Scheduler() = default;

Fiber* Scheduler::new_fiber(void (*entry)(void*), void* argument, const char* label) {
  Fiber* const fiber = state_->pool.take();
  fiber->exceptions = {};
  fiber->entry = entry;
  fiber->argument = argument;
  fiber->reason = {};
  fiber->activity = {};
  fiber->activity.label = label;
  // The fiber before has left a context that begins anew, if the memory has been kept.
  if (fiber->context == nullptr) {
    fiber->context = base::make_context<&State::start>(fiber, fiber->stack_bytes);
  }
  return fiber;
}

void Scheduler::run(void (*main)(void*), void* argument) {
  TASUKI_ASSERT(current_ == nullptr);
  const StackRange own = prepare_thread_for_guard();
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const bool is_own = here - own.first < own.bytes;
  main_stack_first_ = is_own ? own.first : here - unknown_stack_bytes;
  main_stack_bytes_ = is_own ? own.bytes : unknown_stack_bytes;
  state_->debugged.note_thread();
  exceptions_ = abi::__cxa_get_globals();
  Fiber& first = state_->first;
  first = {};
  first.activity.label = "main";
  current_ = &first;
  ++live_count_;
  struct End {
    Scheduler* self;
    ~End() {
      TASUKI_ASSERT(self->current_ == &self->state_->first);
      --self->live_count_;
      self->current_ = nullptr;
    }
  } const end{this};
  main(argument);
}

// Not inlined: its own frame is the end of all others.
[[gnu::noinline]] bool Scheduler::is_in_frames(std::uintptr_t address) const noexcept {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const Fiber& self = *current_;
  const Fiber& first = state_->first;
  const auto bottom = reinterpret_cast<std::uintptr_t>(self.stack_bottom);
  if (address - bottom < self.stack_bytes) return address >= here;
  if (address - main_stack_first_ >= main_stack_bytes_) return false;
  return address >= (&self == &first ? here : reinterpret_cast<std::uintptr_t>(first.context));
}

Fiber* Scheduler::spawn(void (*entry)(void*), void* argument, const char* label) {
  Fiber* const fiber = new_fiber(entry, argument, label);
  ++live_count_;
  push_ready(fiber);
  return fiber;
}

void Scheduler::yield() noexcept {
  Fiber* const self = current_;
  Fiber* const next = self == poller_ ? promote() : pop_ready();
  self->reason.kind = WaitKind::yielded;
  push_ready(self);
  switch_to(next);
}

void Scheduler::suspend() noexcept {
  Fiber* const self = current_;
  Fiber* const next = self == poller_ ? promote() : pop_ready();
  self->previous = waiting_.previous;
  self->next = &waiting_;
  waiting_.previous->next = self;
  waiting_.previous = self;
  switch_to(next);
}

// The ready queue is never empty when an ordinary fiber takes from it: the poller is in it.
Fiber* Scheduler::pop_ready() noexcept {
  Fiber* const fiber = ready_first_;
  ready_first_ = fiber->ready_next;
  if (ready_first_ == nullptr) ready_end_ = &ready_first_;
  return fiber;
}

// The running handler becomes an ordinary fiber; a fresh one, not yet started, is the poller.
// Without memory for it nobody polls any more. An error thrown here would pass through functions
// that have just told others, with pointers into their frames, whom to wake.
Fiber* Scheduler::promote() noexcept {
  if (next_poller_ != nullptr) {
    poller_ = std::exchange(next_poller_, nullptr);
  } else {
    try {
      poller_ = new_fiber(nullptr, nullptr, poller_label);
    } catch (const std::exception& failure) {
      base::die(failure.what());
    }
  }
  ++live_count_;
  return poller_;
}

bool Scheduler::prepare_promotion() noexcept {
  if (next_poller_ != nullptr) return true;
  try {
    next_poller_ = new_fiber(nullptr, nullptr, poller_label);
  } catch (const std::exception&) {
    return false;  // The promotion that needs it says so.
  }
  return true;
}

// Everything about going from the running fiber to `next` but the jump itself.
[[gnu::always_inline]] inline void Scheduler::leave_for(Fiber* next,
                                                        bool frames_are_gone) noexcept {
  Fiber* const self = current_;
  std::memcpy(&self->exceptions, exceptions_, sizeof self->exceptions);
  std::memcpy(exceptions_, &next->exceptions, sizeof next->exceptions);
  previous_ = self;
  current_ = next;
  ++switch_count_;
  sanitizer::leave(self, next, frames_are_gone);
}

// Not inlined, and called last by whoever can: so all fibers wait at the same return address, and
// the returns after a switch are predicted.
[[gnu::noinline]] void Scheduler::switch_to(Fiber* next) noexcept {
  Fiber* const self = current_;
  leave_for(next, false);
  const base::Transfer transfer = base::switch_context(next->context, this);
  previous_->context = transfer.context;
  sanitizer::arrive(self, previous_);
}

// Not instrumented by ThreadSanitizer, for which it would return on another fiber's call stack.
[[gnu::no_sanitize_thread]] base::Transfer Scheduler::State::start(
    base::Transfer transfer) noexcept {
  auto* const scheduler = static_cast<Scheduler*>(transfer.data);
  Fiber* const self = scheduler->current_;
  scheduler->previous_->context = transfer.context;
  sanitizer::arrive(self, scheduler->previous_);
  Fiber* next = nullptr;
  if (self == scheduler->poller_) {
    next = scheduler->poll();
  } else {
    self->entry(self->argument);
    next = scheduler->finish();
  }
  scheduler->leave_for(next, true);
  return {next->context, scheduler};
}

// The running fiber ends. Its stack goes back before it is left: nobody touches its memory before.
Fiber* Scheduler::finish() noexcept {
  --live_count_;
  state_->pool.give_back(current_);
  return pop_ready();
}

// The poller polls once per round, a round being the fibers that were ready when it began, because
// it queues up behind them. It ends like any fiber when one of its handlers has taken its stack.
Fiber* Scheduler::poll() {
  Fiber* const self = current_;
  std::uint64_t idle_count = 0;
  for (;;) {
    const bool did_something = hooks_.step(hooks_.self);
    if (poller_ != self) return finish();
    if (ready_first_ != nullptr) break;
    if (did_something) {
      idle_count = 0;
      continue;
    }
    hooks_.idle(hooks_.self, idle_count++);
    if (poller_ != self) return finish();
    if (ready_first_ != nullptr) break;
  }
  Fiber* const next = pop_ready();
  push_ready(self);
  return next;
}

void Scheduler::for_each_waiting(void (*visit)(void* context, const Activity&, const WaitReason&),
                                 void* context) const {
  for (const WaitLink* link = waiting_.next; link != &waiting_; link = link->next) {
    const auto* const fiber = static_cast<const Fiber*>(link);
    visit(context, fiber->activity, fiber->reason);
  }
  for (const Fiber* fiber = ready_first_; fiber != nullptr; fiber = fiber->ready_next) {
    if (fiber->reason.kind == WaitKind::yielded) visit(context, fiber->activity, fiber->reason);
  }
}

}  // namespace tasuki::fiber
