#include <tasuki/detail/runtime/world/idle_work.hpp>

#include <tasuki/detail/runtime/calls/rank.hpp>

#include "runtime/calls/dispatcher.hpp"

namespace tasuki::runtime {

predict::Mode IdleWork::wanted_mode() { return predict::wanted_mode(predict::Mode::guarded); }

IdleWork::IdleWork(Rank& self, predict::Mode mode)
    : self_(self),
      mode_(mode),
      is_on_(mode == predict::Mode::guarded || mode == predict::Mode::always),
      stack_(self.waits.scheduler(), mode != predict::Mode::always, counters_),
      speculations_(self, mode != predict::Mode::always, counters_) {
  self.idle_work = this;
  if (is_on_) self.dispatcher->early_receives().start(mode != predict::Mode::always);
}

/// Posts receives for long records, or takes them back. Returns: was there anything to do?
bool IdleWork::works_on_receives() {
  EarlyReceives& receives = self_.dispatcher->early_receives();
  if (!receives.is_due() || self_.sender.load().is_full()) return false;
  receives.work();
  return true;
}

bool IdleWork::renew_stack(std::uint64_t polls_before) {
  stack_.judge(polls_before == 0);
  return stack_.prepare();
}

}  // namespace tasuki::runtime
