#include "runtime/waiting/continuations.hpp"

namespace tasuki::runtime {
namespace {

Continuation& take_first(ContinuationLink& list) noexcept {
  ContinuationLink& first = *list.next;
  first.unlink();
  return static_cast<Continuation&>(first);
}

}  // namespace

void Continuations::run(ContinuationLink& list) {
  ++running_count_;
  Run run{list, innermost_};
  while (!list.is_alone()) {
    innermost_ = &run;  // each time: a continuation that has waited left none here
    FutureCore* const fulfilled = take_first(list).run();
    if (fulfilled == nullptr) continue;
    ContinuationLink next;
    if (fulfilled->finish()) fulfilled->move_continuations(next);
    next.move_before(*list.next);
    fulfilled->release();
  }
  innermost_ = run.outer;
  --running_count_;
}

void Continuations::run_all_of(FutureCore& fulfilled) {
  ContinuationLink next;
  fulfilled.move_continuations(next);
  fulfilled.release();
  run(next);
}

void Continuations::leave_running_to_poller() noexcept {
  for (const Run* run = innermost_; run != nullptr; run = run->outer) leave_to_poller(run->list);
  innermost_ = nullptr;
}

bool Continuations::run_left(const fiber::Scheduler& scheduler) {
  while (is_any_left()) {
    ContinuationLink one;
    one.insert_before(take_first(left_));
    run(one);
    if (!scheduler.is_poller()) return false;
  }
  return true;
}

std::size_t Continuations::unfinished_count() const noexcept {
  std::size_t count = running_count_;
  for (const ContinuationLink* link = left_.next; link != &left_; link = link->next) ++count;
  return count;
}

}  // namespace tasuki::runtime
