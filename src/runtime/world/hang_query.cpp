#include "runtime/world/hang_query.hpp"

#include <tasuki/call.hpp>
#include <tasuki/detail/base/clock.hpp>

#include "runtime/calls/dispatcher.hpp"
#include "runtime/calls/service_record.hpp"
#include "runtime/world/quiescence.hpp"

namespace tasuki::runtime {

void HangQuery::open(Handler handle_query) {
  if (is_open_ || quiescence_.is_settled()) return;
  is_open_ = true;
  const std::uint32_t number = ++number_;
  opened_ns_ = base::now_ns();
  for (int rank = 0; rank < self_.size; ++rank) {
    send_service_record(self_, rank, handle_query, number);
    if (number != number_) return;  // While that waited for room, another fiber asked anew.
  }
  self_.sender.flush();
}

void HangQuery::answer(Rank& self, Reader& reader, Handler handle_answer) {
  self.dispatcher->forget_record();
  const auto number = reader.read<std::uint32_t>();
  self.waits.wake_ready();  // others may have raised flags in shared memory without a message
  send_service_record(self, 0, handle_answer, number, hang_answer_of(self));
  service_record_done(self);
}

bool HangQuery::take(Reader& reader) {
  self_.dispatcher->forget_record();
  const auto number = reader.read<std::uint32_t>();
  auto answer = Codec<HangAnswer>::read(self_.sender.modules(), reader);
  service_record_done(self_);
  if (!is_open_ || number != number_) return false;
  answers_.push_back(std::move(answer));
  return static_cast<int>(answers_.size()) == self_.size;
}

}  // namespace tasuki::runtime
