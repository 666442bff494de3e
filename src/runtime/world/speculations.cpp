#include <tasuki/detail/runtime/world/speculations.hpp>

#include <algorithm>
#include <exception>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <utility>

#include "runtime/calls/dispatcher.hpp"
#include "runtime/world/world.hpp"

namespace tasuki::runtime {
namespace {

/// Ends an attempt whose result is not wanted any more.
struct Abandoned : std::exception {};

}  // namespace

constinit thread_local Speculations* Speculations::computing_ = nullptr;

Speculation* Speculations::find(const Speculation::Key& key) noexcept {
  const auto found = std::ranges::find_if(all_, [&](const auto& one) { return one->key() == key; });
  return found == all_.end() ? nullptr : found->get();
}

Speculation& Speculations::add(std::unique_ptr<Speculation> speculation) {
  return *all_.emplace_back(std::move(speculation));
}

// ---- for calls of the function -----------------------------------------------------------------

bool Speculations::commit(Speculation& speculation, std::span<const std::byte> argument) {
  const bool is_right = claimed_ != &speculation && compare(speculation, argument);
  speculation.arguments().observe(argument);
  if (!speculation.is_due && speculation.arguments().has_guess() &&
      (!is_guarded_ || speculation.guard().allows())) {
    speculation.is_due = true;
    ++due_count_;
  }
  if (is_right && in_progress_ == &speculation) wait_for(speculation);
  return is_right && speculation.has_result();
}

/// Judges what was computed ahead. Returns: is it for this argument?
bool Speculations::compare(Speculation& speculation, std::span<const std::byte> argument) noexcept {
  const bool is_in_progress = in_progress_ == &speculation && is_begun_ && !is_abandoned_;
  if (!is_in_progress && !speculation.has_result()) return false;
  const bool is_right = std::ranges::equal(argument, speculation.arguments().guess());
  if (last_run_ == &speculation) speculation.note_delay();  // Of this very call.
  speculation.guard().record(is_right ? speculation.computed_ns - speculation.delayed_ns
                                      : -speculation.computed_ns);
  counters_.count(1, is_right ? 0 : 1);
  if (is_right) return true;
  speculation.discard();
  if (is_in_progress) abandon();
  return false;
}

/// It does not pause any more, so that it is there when all fibers that are ready have had a turn.
void Speculations::wait_for(Speculation& speculation) {
  claimed_ = &speculation;
  if (paused_ != nullptr) go_on();
  while (in_progress_ == &speculation) self_.waits.yield();
  claimed_ = nullptr;
}

void Speculations::abandon() noexcept {
  is_abandoned_ = true;
  if (paused_ != nullptr) go_on();
}

void Speculations::go_on() noexcept {
  self_.waits.scheduler().make_ready(std::exchange(paused_, nullptr));
}

// ---- in idle times -----------------------------------------------------------------------------

void Speculations::work() noexcept {
  fiber::Scheduler& scheduler = self_.waits.scheduler();
  if (paused_ != nullptr) return go_on();
  const auto next = std::ranges::find_if(all_, [](const auto& one) { return one->is_due; });
  (*next)->is_due = false;
  --due_count_;
  try {
    scheduler.spawn(&compute_on_fiber, this, "a result computed ahead");
  } catch (const std::exception&) {
    return;  // No memory for a stack: what needs one says so.
  }
  is_begun_ = false;
  is_abandoned_ = false;
  in_progress_ = next->get();
}

bool Speculations::judge() noexcept {
  Speculation& ran = *std::exchange(last_run_, nullptr);
  const bool is_same_idle_time = self_.dispatcher->records_handled() == records_at_last_run_;
  if (!is_same_idle_time) ran.note_delay();
  return is_same_idle_time;
}

void Speculations::finish() {
  for (const auto& one : all_) one->is_due = false;
  due_count_ = 0;
  if (in_progress_ != nullptr) abandon();
  while (in_progress_ != nullptr) self_.waits.yield();
}

// ---- on the fiber ------------------------------------------------------------------------------

void Speculations::compute_on_fiber(void* untyped) noexcept {
  auto& self = *static_cast<Speculations*>(untyped);
  self.compute(*self.in_progress_);
}

void Speculations::compute(Speculation& speculation) noexcept {
  is_begun_ = true;
  speculation.computed_ns = 0;
  speculation.delayed_ns = 0;
  begin_chunk();
  try {
    if (!is_abandoned_) speculation.compute(speculation.arguments().guess());
  } catch (...) {
    speculation.discard();
  }
  end_chunk();
  // The function may have caught what was to end it.
  if (is_abandoned_) speculation.discard();
  const bool is_judged = is_abandoned_ || claimed_ == &speculation;
  if (!is_judged && !speculation.has_result()) speculation.guard().record(-speculation.computed_ns);
  in_progress_ = nullptr;
}

/// A function that calls Tasuki throws from here on: it is none that can be computed ahead.
void Speculations::begin_chunk() noexcept {
  World::make_current(nullptr);
  computing_ = this;
  chunk_begun_ns_ = base::now_ns();
}

void Speculations::end_chunk() noexcept {
  in_progress_->last_chunk_ns = base::now_ns() - chunk_begun_ns_;
  in_progress_->computed_ns += in_progress_->last_chunk_ns;
  computing_ = nullptr;
  World::make_current(&self_);
  last_run_ = in_progress_;
  records_at_last_run_ = self_.dispatcher->records_handled();
}

void Speculations::pause_if_due() {
  if (is_abandoned_) throw Abandoned{};
  if (claimed_ == in_progress_ || base::now_ns() - chunk_begun_ns_ < chunk_ns) return;
  end_chunk();
  fiber::Scheduler& scheduler = self_.waits.scheduler();
  paused_ = scheduler.current();
  scheduler.suspend({fiber::WaitKind::yielded});
  begin_chunk();
  if (is_abandoned_) throw Abandoned{};
}

}  // namespace tasuki::runtime
