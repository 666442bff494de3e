#include <tasuki/detail/coll/executor.hpp>

#include <tasuki/detail/base/assert.hpp>

#include <cstring>
#include <utility>

namespace tasuki::coll {

inline void Execution::start_receives(std::span<const Transfer> receives) {
  for (const Transfer& receive : receives) {
    const std::span into(address(receive.slice.buffer, receive.slice.offset),
                         receive.slice.count * element_bytes_);
    if (channel_.receive(*this, receive.peer, receive.sequence, into)) --pending_count_;
  }
}

inline void Execution::start_sends(std::span<const Transfer> sends) {
  for (const Transfer& send : sends) {
    const std::span<const std::byte> from(address(send.slice.buffer, send.slice.offset),
                                          send.slice.count * element_bytes_);
    if (channel_.send(*this, send.peer, send.sequence, from)) --pending_count_;
  }
}

inline void Execution::start_round() {
  const Transfer* const transfers = schedule_.transfers.data();
  const Transfer* const begin = std::exchange(transfer_, transfers + round_->transfers_end);
  const std::span receives(begin, transfers + round_->receives_end);
  const std::span sends(transfers + round_->receives_end, transfer_);
  // Counted before they start, since the channel may complete them inside the calls.
  pending_count_ = static_cast<std::uint32_t>(transfer_ - begin);
  const bool is_short = !sends.empty() && sends.front().slice.count * element_bytes_ <
                                              channel_.sent_first_below_bytes;
  if (is_short) start_sends(sends);
  start_receives(receives);
  if (!is_short) start_sends(sends);
}

inline void Execution::run(const LocalStep& step) const {
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

inline void Execution::run_locals() {
  const LocalStep* const end = schedule_.locals.data() + round_->locals_end;
  for (; local_ != end; ++local_) run(*local_);
}

bool Execution::advance() {
  if (advancing_ || pending_count_ != 0) return false;
  advancing_ = true;
  while (round_ != rounds_end_) {
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
  return done();
}

}  // namespace tasuki::coll
