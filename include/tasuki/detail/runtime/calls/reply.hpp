// The way of an answer back to the future that waits for it, the same for calls, reads, writes and
// fences: the question carries a token, the answer brings it back.
//
//   auto [future, token] = await_reply<int>({fiber::WaitKind::reply, rank});
//   // The question is sent with the token. Then in the answer's handler:
//   const ReplyTo reply(token);
//   put_value<int>(*reply, 1);
//   reply->complete();
//
// Thread-safety: none; both ends on the asking rank's own thread.
#pragma once

#include <cstdint>
#include <tasuki/future.hpp>

namespace tasuki::runtime {

/// Names a future of the asking rank, and holds it until a ReplyTo is made of the token.
struct ReplyToken {
  std::uint64_t number = 0;  ///< 0: void, nobody waits.

  explicit operator bool() const noexcept { return number != 0; }
};

template <class T>
struct PendingReply {
  Future<T> future;
  ReplyToken token;
};

/// `reason` is why one waits for the future of `state`; the token becomes its call_id.
inline ReplyToken token_for(FutureCore& state, const fiber::WaitReason& reason) noexcept {
  const auto number = reinterpret_cast<std::uint64_t>(&state);
  state.retain();
  state.set_reason({reason.kind, reason.rank, reason.object, reason.function, number});
  return {number};
}
template <class T>
PendingReply<T> await_reply(const fiber::WaitReason& reason) {
  auto* const state = new FutureState<T>;
  return {Future<T>(state), token_for(*state, reason)};
}

/// The future that an answer is for. Requires: `token` is not void, and holds it still.
inline FutureCore& future_of(ReplyToken token) noexcept {
  return *reinterpret_cast<FutureCore*>(token.number);
}

/// The same, and lets it go at the end.
class ReplyTo {
 public:
  /// Requires: no other ReplyTo has been made of `token`.
  explicit ReplyTo(ReplyToken token) noexcept : state_(&future_of(token)) {}
  ReplyTo(const ReplyTo&) = delete;
  ReplyTo& operator=(const ReplyTo&) = delete;
  ~ReplyTo() { state_->release(); }
  FutureCore* operator->() const noexcept { return state_; }
  FutureCore& operator*() const noexcept { return *state_; }

 private:
  FutureCore* state_;
};

/// The future of the answer to what `send(token)` sends. Throws what `send` throws, which has sent
/// nothing then: nobody answers.
template <class T, class Send>
Future<T> ask(const fiber::WaitReason& reason, Send send) {
  auto [future, token] = await_reply<T>(reason);
  try {
    send(token);
  } catch (...) {
    const ReplyTo nobody_answers(token);
    throw;
  }
  return std::move(future);
}

}  // namespace tasuki::runtime
