// A call whose answer is awaited, while it is being sent: its token, and what is undone if it
// cannot be sent.
//
//   AwaitedCall call(self, *future.internal_state(), reason);
//   // The record is sent with call.token().
//   call.sent();
//
// The same for calls of all types, so that the compiler makes it once. Thread-safety: the rank's
// own thread.
#pragma once

#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/calls/reply.hpp>
#include <tasuki/detail/runtime/calls/traffic.hpp>

namespace tasuki::runtime {

class AwaitedCall {
 public:
  /// Counts it before it can be done. `reason` is why one waits for the future of `state`; it names
  /// the rank that is called.
  AwaitedCall(Rank& self, FutureCore& state, const fiber::WaitReason& reason) noexcept
      : traffic_(self.traffic), rank_(reason.rank), token_(token_for(state, reason)) {
    ++traffic_.with(rank_).begun;
    ++traffic_.awaited_answers_count;
  }
  AwaitedCall(const AwaitedCall&) = delete;
  AwaitedCall& operator=(const AwaitedCall&) = delete;
  ~AwaitedCall() {
    if (!is_sent_) [[unlikely]]
      undo(traffic_, rank_, token_);
  }
  const ReplyToken& token() const noexcept { return token_; }
  void sent() noexcept { is_sent_ = true; }

 private:
  // Static, so that the object itself needs no memory.
  [[gnu::cold]] static void undo(Traffic& traffic, int rank, ReplyToken token) noexcept;

  Traffic& traffic_;
  const int rank_;
  const ReplyToken token_;
  bool is_sent_ = false;
};

}  // namespace tasuki::runtime
