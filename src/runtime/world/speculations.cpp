#include <tasuki/detail/runtime/world/speculations.hpp>

#include <algorithm>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <utility>

#include "runtime/world/world.hpp"

namespace tasuki::runtime {

Speculation* Speculations::find(const Speculation::Key& key) noexcept {
  const auto found = std::ranges::find_if(all_, [&](const auto& one) { return one->key() == key; });
  return found == all_.end() ? nullptr : found->get();
}

Speculation& Speculations::add(std::unique_ptr<Speculation> speculation) {
  return *all_.emplace_back(std::move(speculation));
}

bool Speculations::commit(Speculation& speculation, std::span<const std::byte> argument) {
  bool is_right = false;
  if (speculation.has_result()) {
    is_right = std::ranges::equal(argument, speculation.arguments().guess());
    const bool has_delayed = speculation.has_delayed || speculation.computed_at == now_;
    const std::int64_t saved_ns = has_delayed ? 0 : speculation.computed_ns;
    speculation.guard().record(is_right ? saved_ns : -speculation.computed_ns);
    counters_.count(1, is_right ? 0 : 1);
    if (!is_right) speculation.discard();
  }
  speculation.arguments().observe(argument);
  if (!speculation.is_due && speculation.arguments().has_guess() &&
      (!is_guarded_ || speculation.guard().allows())) {
    speculation.is_due = true;
    ++due_count_;
  }
  return is_right;
}

void Speculations::judge(const IdleMoment& last) noexcept {
  Speculation* const computed = std::exchange(last_computed_, nullptr);
  if (computed != nullptr) computed->has_delayed |= computed->computed_at == last;
}

void Speculations::compute_next() {
  Speculation& next = **std::ranges::find_if(all_, [](const auto& one) { return one->is_due; });
  next.is_due = false;
  --due_count_;
  const std::int64_t start_ns = base::now_ns();
  // So that a function that calls Tasuki throws here: it is none that can be computed ahead.
  World::make_current(nullptr);
  try {
    next.compute(next.arguments().guess());
  } catch (...) {
    next.discard();
  }
  World::make_current(&self_);
  next.computed_ns = base::now_ns() - start_ns;
  next.computed_at = now_;
  next.has_delayed = false;
  last_computed_ = &next;
  if (!next.has_result()) next.guard().record(-next.computed_ns);
}

}  // namespace tasuki::runtime
