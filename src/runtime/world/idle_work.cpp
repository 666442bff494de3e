#include <tasuki/detail/runtime/world/idle_work.hpp>

#include <tasuki/detail/runtime/calls/rank.hpp>

namespace tasuki::runtime {

predict::Mode IdleWork::wanted_mode() { return predict::wanted_mode(predict::Mode::guarded); }

IdleWork::IdleWork(Rank& self, predict::Mode mode)
    : mode_(mode),
      is_on_(mode == predict::Mode::guarded || mode == predict::Mode::always),
      stack_(self.waits.scheduler(), mode != predict::Mode::always, counters_),
      speculations_(self, mode != predict::Mode::always, counters_, now_) {
  self.idle_work = this;
}

bool IdleWork::begin_idle_time(const IdleMoment& before) {
  stack_.judge(before.polls_count == 0);
  speculations_.judge(before);
  if (stack_.prepare()) return true;
  if (!speculations_.is_any_due()) return false;
  speculations_.compute_next();
  return true;
}

}  // namespace tasuki::runtime
