// Coroutines that return a Future and wait for futures: what the compiler asks for.
//
// A function that returns Future<T> and has co_await or co_return in it is such a coroutine. It
// begins at once, like any function. While it waits it has no stack: what it needs lies in its
// frame, and it goes on as a continuation of the future that it waits for.
//
// Thread-safety: none; fibers of one rank.
#pragma once

#include <coroutine>
#include <cstdint>
#include <cstring>
#include <exception>
#include <tasuki/detail/runtime/waiting/small_state.hpp>
#include <tasuki/detail/runtime/waiting/waits.hpp>
#include <type_traits>
#include <utility>

namespace tasuki {

template <class T>
class Future;

namespace runtime {

/// Completes what a continuation returned. nullptr: nothing.
void complete(FutureCore* state);

/// The part of a coroutine that does not depend on its type.
class CoroutineCore : public SuspendedCoroutine, public Recycled {
 public:
  explicit CoroutineCore(FutureCore* state) noexcept : state_(state) {}
  CoroutineCore(const CoroutineCore&) = delete;
  CoroutineCore& operator=(const CoroutineCore&) = delete;

  static constexpr std::suspend_never initial_suspend() noexcept { return {}; }

  /// Ends the coroutine, whose frame goes before its future is completed: a continuation may wait.
  struct End {
    static constexpr bool await_ready() noexcept { return false; }
    template <class Promise>
    static void await_suspend(std::coroutine_handle<Promise> handle) noexcept {
      CoroutineCore& coroutine = handle.promise();
      FutureCore* const state = coroutine.state_;
      FutureCore** const to = coroutine.completes_;
      handle.destroy();
      if (to == nullptr) return complete(state);
      *to = state;
    }
    static constexpr void await_resume() noexcept {}
  };
  static constexpr End final_suspend() noexcept { return {}; }

  void unhandled_exception() noexcept { state_->set_failure(std::current_exception()); }

  /// Goes on with `handle`, which is this coroutine's.
  /// Returns: its state if it has ended, as for Continuation::run.
  FutureCore* resume(std::coroutine_handle<> handle) {
    FutureCore* ended = nullptr;
    completes_ = &ended;
    Waits* const waits = Waits::current_or_null();
    if (waits == nullptr) {
      handle.resume();
      return ended;
    }
    waits->coroutines().remove(*this);
    // What comes behind the coroutine belongs to no call.
    const fiber::Activity before = waits->activity();
    waits->set_activity(activity);
    handle.resume();
    waits->set_activity(before);
    return ended;
  }
  /// It waits for `awaited`, and whoever has resumed it goes on. Throws tasuki::error without a
  /// rank.
  void leave(const FutureCore& awaited) {
    Waits& waits = Waits::current();
    completes_ = nullptr;
    activity = waits.activity();
    own_reason = &state_->reason();
    reason = &awaited.reason();
    waits.coroutines().add(*this);
  }

 protected:
  FutureCore* state_;

 private:
  FutureCore** completes_ = nullptr;  ///< Where the one who has resumed it gets the state.
};

/// How a coroutine waits for a future, whose value it takes.
template <class T>
class FutureAwaiter final : public Continuation {
 public:
  FutureAwaiter(Future<T> future, CoroutineCore& coroutine)
      : future_(std::move(future)), coroutine_(coroutine) {}
  bool await_ready() const { return future_.ready(); }
  void await_suspend(std::coroutine_handle<> handle) {
    handle_ = handle;
    coroutine_.leave(*future_.internal_state());
    future_.internal_state()->on_done(this);
  }
  T await_resume() { return future_.get(); }

  FutureCore* run() override { return coroutine_.resume(handle_); }
  /// Cannot be: this holds the future.
  void discard() noexcept override {}

 private:
  Future<T> future_;
  CoroutineCore& coroutine_;
  std::coroutine_handle<> handle_;
};

/// What co_return does.
template <class T>
class CoroutineResult : public CoroutineCore {
 public:
  CoroutineResult() : CoroutineCore(new FutureState<T>) {}
  template <class Value = T>
  void return_value(Value&& value) {
    // There is one where the coroutine has caught what a destructor threw after a co_return.
    end_value<T>(*state_);
    put_value<T>(*state_, std::forward<Value>(value));
  }
};
template <>
class CoroutineResult<void> : public CoroutineCore {
 public:
  CoroutineResult() : CoroutineCore(new FutureState<void>) {}
  void return_void() noexcept {}
};

/// The promise of a coroutine, in the standard's sense.
template <class T>
class Coroutine final : public CoroutineResult<T> {
 public:
  Future<T> get_return_object() {
    // A frame begins with the address of the coroutine's code, which names it in messages.
    const void* const frame = std::coroutine_handle<Coroutine>::from_promise(*this).address();
    std::uintptr_t code = 0;
    std::memcpy(&code, frame, sizeof code);
    this->state_->set_reason({fiber::WaitKind::future, -1, nullptr, code});
    this->state_->retain();
    return Future<T>(this->state_);
  }
  template <class U>
  FutureAwaiter<U> await_transform(Future<U>&& future) {
    return {std::move(future), *this};
  }
  template <class U>
  FutureAwaiter<U> await_transform(Future<U>& future) {
    return {std::move(future), *this};
  }
  template <class Other>
  std::suspend_never await_transform(Other&&) {
    static_assert(std::is_void_v<Other>,
                  "tasuki: a coroutine that returns a tasuki::Future can co_await a tasuki::Future "
                  "only.");
    return {};
  }
};

}  // namespace runtime
}  // namespace tasuki
