#include <tasuki/base/assert.hpp>
#include <tasuki/base/clock.hpp>
#include <tasuki/runtime/future.hpp>
#include <tasuki/runtime/world.hpp>

namespace tasuki::runtime {

FutureCore::~FutureCore() {
  while (continuations_ != nullptr) delete std::exchange(continuations_, continuations_->next);
}

void FutureCore::link(WaitNode& node) noexcept {
  node.linked = true;
  node.previous = nullptr;
  node.next = waiters_;
  if (waiters_ != nullptr) waiters_->previous = &node;
  waiters_ = &node;
}

void FutureCore::unlink(WaitNode& node) noexcept {
  if (!node.linked) return;
  node.linked = false;
  (node.previous != nullptr ? node.previous->next : waiters_) = node.next;
  if (node.next != nullptr) node.next->previous = node.previous;
}

void FutureCore::wait() {
  if (done_) return;
  World& world = World::current();
  WaitNode node;
  // After a promotion the running fiber is still the same object, so it may be asked for before.
  node.fiber = world.scheduler().current();
  link(node);
  world.suspend(reason_);
}

bool FutureCore::wait_until(std::int64_t deadline_ns) {
  if (done_) return true;
  World& world = World::current();
  WaitNode node;
  node.fiber = world.scheduler().current();
  link(node);
  world.add_timer(deadline_ns, &node);
  world.suspend(reason_);
  if (node.timed_out) {
    unlink(node);
  } else {
    world.remove_timer(&node);
  }
  return done_;
}

void FutureCore::on_done(Continuation* continuation) {
  if (done_) {
    const std::unique_ptr<Continuation> owned(continuation);
    owned->run();
    return;
  }
  // In order of registration: the row is short, so its end is found by walking.
  Continuation** end = &continuations_;
  while (*end != nullptr) end = &(*end)->next;
  *end = continuation;
}

void FutureCore::complete() {
  TASUKI_ASSERT(!done_);
  done_ = true;
  if (waiters_ != nullptr) {
    fiber::Scheduler& scheduler = World::current().scheduler();
    while (waiters_ != nullptr) {
      WaitNode& node = *waiters_;
      unlink(node);
      if (!node.timed_out) scheduler.make_ready(static_cast<fiber::Fiber*>(node.fiber));
    }
  }
  while (continuations_ != nullptr) {
    const std::unique_ptr<Continuation> next(std::exchange(continuations_, continuations_->next));
    next->run();
  }
}

void FutureCore::fail(std::exception_ptr failure) {
  failure_ = std::move(failure);
  complete();
}

void throw_empty_future() {
  throw error("waiting for a future", "this future is empty: its value was already taken or moved",
              "call get or then once, and wait on the future that then returned");
}

std::int64_t deadline_after_ns(std::int64_t duration_ns) { return base::now_ns() + duration_ns; }

}  // namespace tasuki::runtime
