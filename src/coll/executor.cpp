#include <tasuki/coll/executor.hpp>

#include <tasuki/base/assert.hpp>

#include <cstring>
#include <utility>

namespace tasuki::coll {

Execution::Execution(const Schedule& schedule, const Buffers& buffers, Channel& channel) noexcept
    : schedule_(schedule),
      channel_(channel),
      op_(buffers.op),
      // No step writes to the input: the builder refuses it.
      bases_{const_cast<std::byte*>(buffers.input), buffers.output, buffers.scratch},
      element_bytes_(buffers.element_bytes) {}

bool Execution::advance() {
  if (advancing_ || pending_count_ != 0) return false;
  advancing_ = true;
  const std::size_t rounds_count = schedule_.rounds.size();
  while (round_ != rounds_count) {
    if (!started_) {
      started_ = true;
      start_round();
      if (pending_count_ != 0) break;
    }
    run_locals();
    started_ = false;
    ++round_;
  }
  advancing_ = false;
  return round_ == rounds_count;
}

int Execution::waits_for() const noexcept {
  if (done() || pending_count_ == 0) return -1;
  const RoundView round = schedule_.round(round_);
  if (!round.receives.empty()) return round.receives.front().peer;
  return round.sends.front().peer;
}

void Execution::start_round() {
  const Round end = schedule_.rounds[round_];
  const Transfer* const transfers = schedule_.transfers.data();
  const std::uint32_t begin = std::exchange(transfers_end_, end.transfers_end);
  const std::span receives(transfers + begin, transfers + end.receives_end);
  const std::span sends(transfers + end.receives_end, transfers + end.transfers_end);
  // Counted before they start, since the channel may complete them inside the calls.
  pending_count_ = end.transfers_end - begin;
  const bool is_short = !sends.empty() && sends.front().slice.count * element_bytes_ <
                                              channel_.sent_first_below_bytes;
  if (is_short) start_sends(sends);
  start_receives(receives);
  if (!is_short) start_sends(sends);
}

void Execution::start_receives(std::span<const Transfer> receives) {
  for (const Transfer& receive : receives) {
    const std::span into(address(receive.slice.buffer, receive.slice.offset),
                         receive.slice.count * element_bytes_);
    if (channel_.receive(*this, receive.peer, receive.sequence, into)) --pending_count_;
  }
}

void Execution::start_sends(std::span<const Transfer> sends) {
  for (const Transfer& send : sends) {
    const std::span<const std::byte> from(address(send.slice.buffer, send.slice.offset),
                                          send.slice.count * element_bytes_);
    if (channel_.send(*this, send.peer, send.sequence, from)) --pending_count_;
  }
}

void Execution::run_locals() {
  const std::uint32_t end = schedule_.rounds[round_].locals_end;
  for (; locals_end_ != end; ++locals_end_) run(schedule_.locals[locals_end_]);
}

void Execution::run(const LocalStep& step) const {
  const std::byte* from = address(step.from, step.from_offset);
  std::byte* to = address(step.to, step.to_offset);
  switch (step.kind) {
    case LocalKind::copy:
      if (from != to) std::memcpy(to, from, step.count * element_bytes_);
      break;
    case LocalKind::reduce:
      TASUKI_DEBUG_ASSERT(op_ != nullptr);
      op_->apply(from, to, step.count, op_->state);
      break;
    case LocalKind::reduce_right:
      TASUKI_DEBUG_ASSERT(op_ != nullptr);
      op_->apply_right(from, to, step.count, op_->state);
      break;
  }
}

}  // namespace tasuki::coll
