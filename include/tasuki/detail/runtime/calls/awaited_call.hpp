// A call whose answer is awaited, while it is being sent: the state of its future, its token, and
// what is undone if it cannot be sent.
//
//   AwaitedCall call(self, begin_awaited_call<int, true>(self, "ainvoke", rank, function));
//   // The record is sent with call.token().
//   return Future<int>(call.sent());
//
// The same for calls of all types, so that the compiler makes it once. Thread-safety: the rank's
// own thread.
#pragma once

#include <cstdint>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/calls/reply.hpp>
#include <tasuki/detail/runtime/waiting/small_state.hpp>
#include <utility>

namespace tasuki::runtime {

/// Counts a call of the rank that `reason` names, before it can be done. `reason` is why one waits
/// for the future of `state`. Returns: the state, which the future and the answer hold now.
inline FutureCore* begin_awaited_call(Rank& self, FutureCore& state,
                                      const fiber::WaitReason& reason) noexcept {
  token_for(state, reason);
  ++self.traffic.with(reason.rank).begun;
  ++self.traffic.awaited_answers_count;
  return &state;
}
/// The same for a function that is known by its address, with the state of a SmallValue. Throws
/// tasuki::error: there is no such rank.
inline FutureCore* begin_small_call_inline(Rank& self, const char* operation, int rank,
                                           std::uintptr_t function) {
  self.check_rank(rank, operation);
  auto* const state = new SmallState;
  state->let_replace();
  return begin_awaited_call(self, *state, {fiber::WaitKind::reply, rank, nullptr, function});
}
FutureCore* begin_small_call(Rank& self, const char* operation, int rank, std::uintptr_t function);
/// The same for another value of the usual alignment, by what its TypedState consists of.
FutureCore* begin_typed_call(Rank& self, const char* operation, int rank, std::uintptr_t function,
                             FutureCore::Destroy destroy, std::uint32_t state_bytes);
/// The same for any result. Inlined, a small call with a continuation takes 47 ns instead of 56
/// (`tasuki bench kernels --kernel index_gather_by_then`). One whose caller waits takes longer
/// anyway, and each of a further type would take the compiler some milliseconds more.
template <class T, bool is_inlined>
FutureCore* begin_awaited_call(Rank& self, const char* operation, int rank,
                               std::uintptr_t function) {
  if constexpr (SmallValue<T> && is_inlined) {
    return begin_small_call_inline(self, operation, rank, function);
  } else if constexpr (SmallValue<T>) {
    return begin_small_call(self, operation, rank, function);
  } else if constexpr (alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
    return begin_typed_call(self, operation, rank, function, TypedState<T>::own_destroy(),
                            sizeof(TypedState<T>));
  } else {
    self.check_rank(rank, operation);
    return begin_awaited_call(self, *new TypedState<T>,
                              {fiber::WaitKind::reply, rank, nullptr, function});
  }
}

class AwaitedCall {
 public:
  /// Takes over both references to `state`, which has begun.
  AwaitedCall(Rank& self, FutureCore* state) noexcept : self_(self), state_(state) {}
  AwaitedCall(const AwaitedCall&) = delete;
  AwaitedCall& operator=(const AwaitedCall&) = delete;
  ~AwaitedCall() {
    if (state_ != nullptr) [[unlikely]]
      undo(self_, state_);
  }
  ReplyToken token() const noexcept { return {reinterpret_cast<std::uint64_t>(state_)}; }
  /// The answer has its reference now. Returns: the state with the other one.
  FutureCore* sent() noexcept { return std::exchange(state_, nullptr); }

 private:
  // Static, so that the object itself needs no memory.
  [[gnu::cold]] static void undo(Rank& self, FutureCore* state) noexcept;

  Rank& self_;
  FutureCore* state_;
};

}  // namespace tasuki::runtime
