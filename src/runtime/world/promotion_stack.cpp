#include <tasuki/detail/runtime/world/promotion_stack.hpp>

#include <tasuki/detail/base/clock.hpp>

namespace tasuki::runtime {
namespace {

/// Preparing a stack takes less time than reading the clock twice.
constexpr std::uint64_t stacks_between_timings = 16;

}  // namespace

bool PromotionStack::prepare() noexcept {
  if (scheduler_.is_promotion_prepared() || (is_guarded_ && !guard_.allows())) return false;
  const bool is_timed = prepared_count_++ % stacks_between_timings == 0;
  const std::int64_t start_ns = is_timed ? base::now_ns() : 0;
  const bool is_prepared = scheduler_.prepare_promotion();
  if (is_timed) preparing_ns_ = base::now_ns() - start_ns;
  state_ = is_prepared ? State::fresh : State::missing;
  if (!is_prepared) guard_.record(-preparing_ns_);
  return true;
}

/// A later handler may need one that the last message did not need.
void PromotionStack::judge(bool is_found_at_once) noexcept {
  if (state_ == State::missing) return;
  const bool is_used = !scheduler_.is_promotion_prepared();
  if (is_used) ++counters_.committed;
  if (state_ == State::fresh) {
    ++counters_.predicted;
    ++(is_used ? counters_.hit : counters_.miss);
    guard_.record((is_used ? preparing_ns_ : 0) - (is_found_at_once ? preparing_ns_ : 0));
  }
  state_ = is_used ? State::missing : State::kept;
}

}  // namespace tasuki::runtime
