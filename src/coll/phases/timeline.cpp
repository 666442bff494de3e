#include "coll/phases/timeline.hpp"

namespace tasuki::coll {

void Timeline::write(ScheduleBuilder& builder) const {
  for (const auto& [time, moment] : moments_) {
    for (const Transfer& receive : moment.receives) builder.receive(receive.peer, receive.slice);
    for (const Transfer& send : moment.sends) builder.send(send.peer, send.slice);
    for (const Local& local : moment.locals) builder.local(local.kind, local.from, local.to);
    builder.next_round();
  }
}

}  // namespace tasuki::coll
