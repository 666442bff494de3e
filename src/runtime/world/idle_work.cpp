#include <tasuki/detail/runtime/world/idle_work.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/detail/base/appended_line.hpp>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <utility>

#include "runtime/world/world.hpp"

namespace tasuki::runtime {
namespace {

/// Preparing a stack takes less time than reading the clock twice.
constexpr std::uint64_t stacks_between_timings = 16;

}  // namespace

predict::Mode IdleWork::wanted_mode() { return predict::wanted_mode(predict::Mode::guarded); }

IdleWork::IdleWork(Rank& self, predict::Mode mode)
    : self_(self),
      scheduler_(self.waits.scheduler()),
      mode_(mode),
      is_on_(mode == predict::Mode::guarded || mode == predict::Mode::always) {
  self.idle_work = this;
}

IdleWork::~IdleWork() = default;

bool IdleWork::allows(predict::Guard& guard) noexcept {
  return mode_ == predict::Mode::always || guard.allows();
}

std::uint64_t IdleWork::moment(std::uint64_t polls_count) const noexcept {
  constexpr unsigned polls_bits = 32;
  return (static_cast<std::uint64_t>(counters_.idle) << polls_bits) + polls_count;
}

bool IdleWork::begin_idle_time(std::uint64_t polls_before) {
  if (stack_ != Stack::missing) judge_stack(polls_before == 0);
  if (Speculation* const last = std::exchange(last_computed_, nullptr)) {
    last->has_delayed |= last->computed_at == moment(polls_before);
  }
  ++counters_.idle;
  if (prepare_promotion()) return true;
  is_settled_ = stack_ == Stack::kept && due_count_ == 0;
  return due_count_ != 0 && compute_ahead();
}

// ---- the stack for a handler that waits --------------------------------------------------------

bool IdleWork::prepare_promotion() {
  fiber::Scheduler& scheduler = self_.waits.scheduler();
  if (scheduler.is_promotion_prepared() || !allows(stack_guard_)) return false;
  const bool is_timed = stacks_prepared_count_++ % stacks_between_timings == 0;
  const std::int64_t start_ns = is_timed ? base::now_ns() : 0;
  const bool is_prepared = scheduler.prepare_promotion();
  if (is_timed) stack_ns_ = base::now_ns() - start_ns;
  stack_ = is_prepared ? Stack::fresh : Stack::missing;
  if (!is_prepared) stack_guard_.record(-stack_ns_);
  return true;
}

/// What the stack has gained. A later handler may need one that the last message did not need.
void IdleWork::judge_stack(bool is_found_at_once) {
  const bool is_used = !scheduler_.is_promotion_prepared();
  if (is_used) ++counters_.committed;
  if (stack_ == Stack::fresh) {
    ++counters_.predicted;
    ++(is_used ? counters_.hit : counters_.miss);
    stack_guard_.record((is_used ? stack_ns_ : 0) - (is_found_at_once ? stack_ns_ : 0));
  }
  stack_ = is_used ? Stack::missing : Stack::kept;
}

// ---- results -----------------------------------------------------------------------------------

Speculation* IdleWork::find(const Speculation::Key& key) noexcept {
  const auto found =
      std::ranges::find_if(speculations_, [&](const auto& known) { return known->key() == key; });
  return found == speculations_.end() ? nullptr : found->get();
}

Speculation& IdleWork::add(std::unique_ptr<Speculation> speculation) {
  return *speculations_.emplace_back(std::move(speculation));
}

bool IdleWork::commit(Speculation& speculation, std::span<const std::byte> argument) {
  bool is_right = false;
  if (speculation.has_result()) {
    is_right = std::ranges::equal(argument, speculation.arguments().guess());
    const bool has_delayed =
        speculation.has_delayed || speculation.computed_at == moment(idle_polls_count_);
    const std::int64_t saved_ns = has_delayed ? 0 : speculation.computed_ns;
    speculation.guard().record(is_right ? saved_ns : -speculation.computed_ns);
    counters_.count(1, is_right ? 0 : 1);
    if (!is_right) speculation.discard();
  }
  speculation.arguments().observe(argument);
  if (!speculation.is_due && speculation.arguments().has_guess() && allows(speculation.guard())) {
    speculation.is_due = true;
    is_settled_ = false;
    ++due_count_;
  }
  return is_right;
}

bool IdleWork::compute_ahead() {
  const auto due = std::ranges::find_if(speculations_, [](const auto& one) { return one->is_due; });
  compute(**due);
  return true;
}

void IdleWork::compute(Speculation& speculation) {
  speculation.is_due = false;
  --due_count_;
  const std::int64_t start_ns = base::now_ns();
  // So that a function that calls Tasuki throws here: it is none that can be computed ahead.
  World::make_current(nullptr);
  try {
    speculation.compute(speculation.arguments().guess());
  } catch (...) {
    speculation.discard();
  }
  World::make_current(&self_);
  speculation.computed_ns = base::now_ns() - start_ns;
  speculation.computed_at = moment(idle_polls_count_);
  speculation.has_delayed = false;
  last_computed_ = &speculation;
  is_settled_ = false;
  if (!speculation.has_result()) speculation.guard().record(-speculation.computed_ns);
}

// ---- report ------------------------------------------------------------------------------------

void IdleWork::write_report() const {
  if (!base::setting::predict_report.is_set()) return;
  base::append_line(
      base::setting::predict_report.text(),
      fmt::format("{{\"rank\": {}, \"ranks\": {}, \"mode\": \"{}\", \"receives\": {}, "
                  "\"idle\": {}, \"predicted\": {}, \"hit\": {}, \"miss\": {}, "
                  "\"redone\": {{\"result\": {}}}, \"committed\": {}}}\n",
                  self_.rank, self_.size, name_of(mode_), self_.transport.counters().receives,
                  counters_.idle, counters_.predicted, counters_.hit, counters_.miss,
                  counters_.redone, counters_.committed));
}

}  // namespace tasuki::runtime
