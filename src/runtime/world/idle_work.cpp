#include <tasuki/detail/runtime/world/idle_work.hpp>

#include <tasuki/detail/runtime/calls/rank.hpp>

namespace tasuki::runtime {

predict::Mode IdleWork::wanted_mode() { return predict::wanted_mode(predict::Mode::guarded); }

IdleWork::IdleWork(Rank& self, predict::Mode mode)
    : mode_(mode),
      is_on_(mode == predict::Mode::guarded || mode == predict::Mode::always),
      stack_(self.waits.scheduler(), mode != predict::Mode::always, counters_),
      speculations_(self, mode != predict::Mode::always, counters_) {
  self.idle_work = this;
}

bool IdleWork::renew_stack(std::uint64_t polls_before) {
  stack_.judge(polls_before == 0);
  return stack_.prepare();
}

}  // namespace tasuki::runtime
