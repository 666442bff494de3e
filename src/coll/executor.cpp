#include <tasuki/coll/executor.hpp>

#include <tasuki/base/assert.hpp>

#include <cstring>

namespace tasuki::coll {
namespace {

/// Short messages are on their way while the receives are handed out; for longer ones these come
/// first, so that what arrives early already has its place. An allreduce of 4 bytes between two
/// ranks takes 0.44 instead of 0.48 us over MPICH 4.0 and the same over Open MPI 4.1; of 256 bytes
/// the same over both; exchanges of 2 KiB by MPI itself take up to 0.1 us longer.
constexpr std::size_t sent_first_most_bytes = 256;

}  // namespace

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
  const RoundView round = schedule_.round(round_);
  // Counted before they start, since the channel may complete them inside the calls.
  pending_count_ = static_cast<std::uint32_t>(round.receives.size() + round.sends.size());
  const bool is_short = !round.sends.empty() &&
                        round.sends.front().slice.count * element_bytes_ <= sent_first_most_bytes;
  if (is_short) start_sends(round);
  start_receives(round);
  if (!is_short) start_sends(round);
}

void Execution::start_receives(const RoundView& round) {
  for (const Transfer& transfer : round.receives) {
    std::byte* into = address(transfer.slice.buffer, transfer.slice.offset);
    if (channel_.receive(*this, transfer.peer, transfer.sequence,
                         {into, transfer.slice.count * element_bytes_})) {
      --pending_count_;
    }
  }
}

void Execution::start_sends(const RoundView& round) {
  for (const Transfer& transfer : round.sends) {
    const std::byte* from = address(transfer.slice.buffer, transfer.slice.offset);
    if (channel_.send(*this, transfer.peer, transfer.sequence,
                      {from, transfer.slice.count * element_bytes_})) {
      --pending_count_;
    }
  }
}

void Execution::run_locals() const {
  for (const LocalStep& step : schedule_.round(round_).locals) {
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
}

}  // namespace tasuki::coll
