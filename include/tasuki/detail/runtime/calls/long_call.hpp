// A call of a function that returns a future: the call ends when that future is there.
//
// Used by the handlers of calls. Thread-safety: the rank's own thread.
#pragma once

#include <cstdint>
#include <memory>
#include <tasuki/detail/runtime/calls/call_failure.hpp>
#include <tasuki/detail/runtime/calls/codec.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/calls/reply.hpp>
#include <tasuki/detail/runtime/calls/send_values.hpp>
#include <tasuki/future.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tasuki::runtime {

/// Who has called, and how it gets its answer.
struct CallOrigin {
  int caller;
  std::uintptr_t function;
  ReplyToken token = {};     ///< Void: the call is one-way.
  Handler answer = nullptr;  ///< Of the caller, with the token and the result.
};

/// The function, its captures and its arguments live until the end: a coroutine may refer to them.
template <class F, class... Args>
class LongCall final : public Continuation {
 public:
  using Result = typename std::decay_t<std::invoke_result_t<F&, Args...>>::value_type;

  /// Throws what `f` throws.
  static void begin(const CallOrigin& origin, F& f, Args&&... args) {
    auto call = std::make_unique<LongCall>(origin, f, std::forward<Args>(args)...);
    call->future_ = std::apply(call->f_, std::move(call->args_));
    if (!call->future_.valid()) throw_empty_future();
    FutureCore* const state = call->future_.internal_state();
    state->on_done(call.release());
  }

  LongCall(const CallOrigin& origin, F& f, Args&&... args)
      : origin_(origin), f_(f), args_(std::forward<Args>(args)...) {}
  FutureCore* run() override {
    std::unique_ptr<LongCall> self(this);
    const CallOrigin origin = origin_;
    Rank& here = Rank::current();
    try {
      end(here);
    } catch (...) {
      if (!origin.token) one_way_call_failed(here, origin.caller, origin.function);
      send_failure(here, origin.caller, origin.token, origin.function);
    }
    // What the destructors of the arguments do belongs to the call.
    self.reset();
    if (!origin.token) ++here.traffic.with(origin.caller).done;
    return nullptr;
  }
  void discard() noexcept override { delete this; }

 private:
  void end(Rank& here) {
    if constexpr (std::is_void_v<Result>) {
      future_.get();
      if (origin_.token) send_answer(here.sender, origin_.caller, origin_.answer, origin_.token);
    } else {
      const Result result = future_.get();
      if (!origin_.token) return;
      send_answer(here.sender, origin_.caller, origin_.answer, origin_.token, result);
    }
  }

  CallOrigin origin_;
  F f_;
  std::tuple<Args...> args_;
  Future<Result> future_;
};

}  // namespace tasuki::runtime
