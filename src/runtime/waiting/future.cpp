#include <algorithm>
#include <limits>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/runtime/waiting/waits.hpp>
#include <tasuki/when_all.hpp>
#include <utility>

#include "runtime/waiting/continuations.hpp"

namespace tasuki::runtime {

namespace {

/// Waits for the first of several states; deletes itself when nobody can run it any more.
class FirstDone {
 public:
  static Future<std::size_t> of(const std::vector<FutureCore*>& states) {
    auto* const first = new FirstDone(states.size());
    Future<std::size_t> result = first->promise_.future();
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i] == nullptr) continue;
      first->links_[i].owner = first;
      ++first->linked_count_;
      states[i]->on_done(&first->links_[i]);
    }
    return result;
  }

 private:
  struct Link final : Continuation {
    FirstDone* owner = nullptr;
    FutureCore* run() override { return owner->end_with(*this); }
    void discard() noexcept override {
      FirstDone* const of = owner;
      if (--of->linked_count_ == 0) delete of;
    }
  };

  explicit FirstDone(std::size_t count) : links_(new Link[count]), count_(count) {}

  FutureCore* end_with(const Link& done) {
    const std::unique_ptr<FirstDone> self(this);
    for (std::size_t i = 0; i < count_; ++i) links_[i].unlink();
    FutureCore* const state = promise_.release_state();
    put_value<std::size_t>(*state, static_cast<std::size_t>(&done - links_.get()));
    return state;
  }

  std::unique_ptr<Link[]> links_;
  std::size_t count_;
  std::size_t linked_count_ = 0;
  Promise<std::size_t> promise_;
};

}  // namespace

void FutureCore::destroy_plain(FutureCore* state) noexcept {
  const std::size_t bytes = state->state_bytes_;
  state->~FutureCore();
  Recycled::free(state, bytes);
}

// Apart from the usual end, which needs no frame then.
[[gnu::noinline]] void SmallState::end_small(SmallState* state) noexcept {
  state->~SmallState();
  Recycled::free(state, sizeof(SmallState));
}

void SmallState::destroy_small(FutureCore* core) noexcept {
  auto* const state = static_cast<SmallState*>(core);
  if (!state->is_just_freed()) [[unlikely]] {
    return end_small(state);
  }
  Recycled::free(state, sizeof(SmallState));
}

void FutureCore::drop() noexcept {
  const Waits* const waits = Waits::current_or_null();
  if (waits == nullptr) [[unlikely]]
    return drop_without_rank();
  was_dropped_by_exception_ = waits->scheduler().is_unwinding();
  release();
}

void FutureCore::drop_without_rank() noexcept {
  was_dropped_by_exception_ = std::uncaught_exceptions() != 0;
  release();
}

void FutureCore::end_unheard() noexcept {
  while (!continuations_.is_alone()) {
    ContinuationLink& first = *continuations_.next;
    first.unlink();
    static_cast<Continuation&>(first).discard();
  }
  if (failure_ && !is_heard_) [[unlikely]] {
    const Waits* const waits = Waits::current_or_null();
    if (waits == nullptr) return;  // The job is over.
    waits->report_unheard()(reason_, failure_, !was_dropped_by_exception_);
  }
}

void FutureCore::wait_until_done() {
  may_be_replaced_ = false;
  Waiter waiter;
  Waits::current().wait_in(waiters_, waiter, reason_);
}

FutureCore* FutureOwner::take_done(const FutureCore& awaited) {
  // Another fiber may have taken the value while this one waited, and have put another future here
  // since.
  if (state_ != &awaited || !awaited.done()) [[unlikely]]
    throw_empty_future();
  FutureCore* const taken = std::exchange(state_, nullptr);
  if (taken->has_failed()) [[unlikely]] {
    const HeldState held{taken};
    taken->rethrow_failure();
  }
  return taken;
}

FutureCore* FutureOwner::wait_and_take() {
  FutureCore& awaited = state();
  awaited.wait();
  return take_done(awaited);
}

FutureCore* wait_for_answer(FutureCore* state) {
  struct Owner : FutureOwner {
    explicit Owner(FutureCore* owned) : FutureOwner(owned) {}
    using FutureOwner::take_when_done;
  };
  return Owner(state).take_when_done();
}

bool FutureCore::wait_until(std::int64_t deadline_ns) {
  if (done_) return true;
  may_be_replaced_ = false;
  retain();  // Another fiber may wake first and consume the future.
  struct Release {
    FutureCore& core;
    ~Release() { core.release(); }
  } const release{*this};
  Waits::current().wait_in_until(waiters_, deadline_ns, reason_);
  return done_;
}

void FutureCore::run_at_once(Continuation* continuation) { runtime::complete(continuation->run()); }

[[gnu::noinline]] void FutureCore::wake_waiters() { Waits::current().wake_all(waiters_); }

/// They may end this state, so none is in its list when the first is run.
inline void FutureCore::run_continuations(Continuations& continuations) {
  if (continuations_.is_with_one()) [[likely]] {
    ContinuationLink& only = *continuations_.next;
    only.unlink();
    continuations.run_one(static_cast<Continuation&>(only));
  } else {
    ContinuationLink to_run;
    move_continuations(to_run);
    continuations.run(to_run);
  }
}

void FutureCore::complete() {
  if (!finish()) return;
  Waits* const waits = Waits::current_or_null();
  if (waits == nullptr) {  // After the end of the job nothing waits.
    Continuations without_job;
    run_continuations(without_job);
    return;
  }
  const fiber::Activity before = waits->activity();
  waits->set_activity(Continuations::activity);
  run_continuations(waits->continuations());
  waits->set_activity(before);
}

/// They have a copy of the reason.
[[gnu::noinline]] void FutureCore::tell_waiters() noexcept {
  for (Waiter* waiter = waiters_.first(); waiter != nullptr; waiter = waiters_.after(*waiter)) {
    waiter->fiber->reason = reason_;
  }
}

[[gnu::noinline]] void FutureCore::run_continuations_in_handler(Waits& waits) {
  waits.set_lasting_activity(Continuations::activity);
  run_continuations(waits.continuations());
}

void FutureCore::complete_by_poller() {
  if (!finish()) return;
  ContinuationLink to_run;
  move_continuations(to_run);
  Waits::current().continuations().leave_to_poller(to_run);
}

void complete(FutureCore* state) {
  if (state == nullptr) return;
  state->complete();
  state->release();
}

Future<std::size_t> first_done(const std::vector<FutureCore*>& states) {
  const auto is_null = [](const FutureCore* state) { return state == nullptr; };
  if (std::all_of(states.begin(), states.end(), is_null)) throw_empty_future();
  const auto is_done = [](const FutureCore* state) { return state != nullptr && state->done(); };
  const auto done = std::find_if(states.begin(), states.end(), is_done);
  if (done != states.end()) return ready_future(static_cast<std::size_t>(done - states.begin()));
  return FirstDone::of(states);
}

void throw_fulfilled_twice() {
  throw error("fulfilling a promise", "it has its value or its failure already, or was moved away",
              "call set_value or set_failure once, on the promise that holds the state");
}

void throw_empty_future() {
  throw error("waiting for a future", "this future is empty: its value was already taken or moved",
              "call get or then once, and wait on the future that then returned");
}

std::int64_t deadline_after_ns(std::int64_t duration_ns) {
  const std::int64_t now_ns = base::now_ns();
  constexpr std::int64_t latest_ns = std::numeric_limits<std::int64_t>::max();
  return duration_ns > latest_ns - now_ns ? latest_ns : now_ns + duration_ns;
}

}  // namespace tasuki::runtime
